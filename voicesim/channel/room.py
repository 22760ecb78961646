"""The room around a speaker: early reflections by image sources, a late tail that dies away as asked."""

import importlib.util
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from pydantic import Field

from voicesim.audio.samples import RATE, TICK, samples
from voicesim.catalog.profile import Effect
from voicesim.channel.effect import Out, Place, Sound
from voicesim.channel.spectrum import SpeechSpectrum
from voicesim.errors import UsageError

SPEED = 343.0
_ORDER = 6
_MIXING = 0.03
"""Seconds after the direct sound from which on the tail is taken as noise that dies away (Polack 1988)."""
_LEAST_REVERBERATION = 0.1


class Room(Effect):
    """A box-shaped room. The level of speech stays as it is; what changes is how much of it is reflected.

    `distance_m` is that between mouth and microphone. A `speakerphone` lies on a table: its echo off the table comes
    with every sound, and it is not held to the mouth.
    """

    key: ClassVar[str] = "room"

    size_m: tuple[float, float, float] = (5.0, 4.0, 2.7)
    rt60_s: float = Field(default=0.4, ge=_LEAST_REVERBERATION, le=3.0, description="seconds to fall by 60 dB")
    distance_m: float = Field(default=0.5, ge=0.02, le=10.0)
    speakerphone: bool = False

    def stage(self, place: Place) -> "RoomStage":
        return RoomStage(impulse_response(self, place.random, place.speech))


class RoomStage:
    """Convolution with an impulse response whose direct sound is its first sample: no delay is added."""

    delay = 0

    def __init__(self, response: Sound) -> None:
        self._convolver = PartitionedFir(response)

    def process(self, tick: Sound, far: Sound) -> Out:
        return Out(self._convolver.process(tick))


class PartitionedFir:
    """A long filter tick by tick: one Fourier transform a tick (uniformly partitioned overlap-save, Wefers 2015)."""

    def __init__(self, response: Sound) -> None:
        parts = np.pad(response, (0, -len(response) % TICK)).reshape(-1, TICK)
        self._parts = np.fft.rfft(parts, 2 * TICK, axis=1)
        self._past = np.zeros_like(self._parts)
        self._before = np.zeros(TICK)

    def process(self, tick: Sound) -> Sound:
        """The next 480 samples."""
        self._past = np.roll(self._past, 1, axis=0)
        self._past[0] = np.fft.rfft(np.concatenate([self._before, tick]))
        self._before = tick
        total = np.einsum("pf,pf->f", self._past, self._parts)
        return np.asarray(np.fft.irfft(total, 2 * TICK)[TICK:])


def impulse_response(room: Room, random: Generator, speech: SpeechSpectrum) -> Sound:
    """Direct sound first, float64 at 24,000 Hz, as long as the reverberation; speech keeps its level.

    Raises UsageError when pyroomacoustics is not installed, or the distance does not fit into the room.
    """
    early = _image_sources(room, random)
    early = early[int(np.argmax(np.abs(early) > 0.5 * np.abs(early).max())) :]
    if room.speakerphone:
        early = _off_the_table(early)
    length = samples(room.rt60_s)
    response = np.zeros(max(length, samples(2 * _MIXING)))
    begin = samples(_MIXING)
    response[: min(begin, len(early))] = early[:begin]
    seconds = np.arange(len(response)) / RATE
    falling = 10 ** (-3.0 * seconds / room.rt60_s)
    around = slice(begin // 2, begin)
    # The tail goes on where the reflections are: with their power, on the line on which they die away.
    power = np.mean(np.square(response[around] / falling[around]))
    tail = np.sqrt(power) * falling * random.standard_normal(len(response))
    response[begin:] = tail[begin:]
    return np.asarray(response / np.sqrt(_speech_power(response, speech)))


def _image_sources(room: Room, random: Generator) -> Sound:
    if importlib.util.find_spec("pyroomacoustics") is None:
        raise UsageError("rooms need pyroomacoustics: pip install 'voicesim[local]'")
    import pyroomacoustics

    size = np.array(room.size_m)
    if size.min() < 1.0 or size.max() > 100.0:
        raise UsageError("a room's `size_m` must be three lengths between 1 and 100 metres")
    microphone = size * random.uniform(0.35, 0.5, size=3)
    microphone[2] = min(1.2, size[2] / 2)
    direction = np.array([np.cos(angle := random.uniform(0, 2 * np.pi)), np.sin(angle), 0.1])
    source = microphone + room.distance_m * direction / np.linalg.norm(direction)
    if (source < 0.05).any() or (source > size - 0.05).any():
        raise UsageError(f"a distance of {room.distance_m:g} m does not fit into a room of {room.size_m} m")
    box = pyroomacoustics.ShoeBox(
        size, fs=RATE, materials=pyroomacoustics.Material(_absorption(room)), max_order=_ORDER
    )
    box.add_source(source)
    box.add_microphone(microphone)
    box.compute_rir()
    return np.asarray(box.rir[0][0], np.float64)


def _absorption(room: Room) -> float:
    """The share of energy that the walls take, from the reverberation time (Eyring 1930)."""
    width, depth, height = room.size_m
    surface = 2 * (width * depth + width * height + depth * height)
    exponent = 24 * np.log(10.0) / SPEED * width * depth * height / (surface * room.rt60_s)
    return float(np.clip(1.0 - np.exp(-exponent), 0.01, 0.99))


def _off_the_table(response: Sound) -> Sound:
    """With a second arrival of everything 0.4 ms later, 3 dB weaker."""
    later = samples(0.0004)
    return response + 0.7 * np.pad(response, (later, 0))[: len(response)]


def _speech_power(response: Sound, speech: SpeechSpectrum) -> float:
    """By how much the response changes the power of speech."""
    hz = np.fft.rfftfreq(len(response), 1.0 / RATE)
    gain = np.abs(np.fft.rfft(response)) ** 2
    smooth = np.cumsum(np.concatenate([[0.0], gain]))

    def around(centres: Sound) -> Sound:
        low = np.searchsorted(hz, centres * 0.97)
        high = np.maximum(np.searchsorted(hz, centres * 1.03), low + 1)
        return np.asarray((smooth[np.minimum(high, len(gain))] - smooth[low]) / (high - low))

    return speech.share(around)
