"""Short sounds at random times."""

from typing import Annotated, ClassVar, Self

import numpy as np
from numpy.random import Generator
from pydantic import AfterValidator, Field, model_validator

from voicesim.audio.samples import RATE, TICK, samples
from voicesim.catalog.entry import named_in
from voicesim.catalog.profile import Effect
from voicesim.channel.background import gain_of, sound_of
from voicesim.channel.effect import Happened, Out, Place, Sound
from voicesim.registry import BURSTS


class Bursts(Effect):
    """A sound of some kind, so many a minute on average, at an SNR over its own length; never two at once."""

    key: ClassVar[str] = "bursts"

    kind: Annotated[str, AfterValidator(named_in(BURSTS, "file"))]
    per_minute: float = Field(default=4.0, gt=0, le=60)
    snr_db: float = Field(default=0.0, ge=-30, le=60)
    path: str = Field(default="", description="the sound file, for kind file")

    @model_validator(mode="after")
    def _file_has_a_path(self) -> Self:
        if (self.kind == "file") != bool(self.path):
            raise ValueError("bursts of kind file need `path`, and no other kind takes one")
        return self

    def stage(self, place: Place) -> "BurstStage":
        sound = sound_of(self.kind, self.path, BURSTS.load, place.random)
        return BurstStage(self, sound * gain_of(sound, self.snr_db, place), place.random)


class BurstStage:
    """See Bursts."""

    delay = 0

    def __init__(self, settings: Bursts, sound: Sound, random: Generator) -> None:
        self._settings, self._sound, self._random = settings, sound, random
        self._at: int | None = None

    def process(self, tick: Sound, far: Sound) -> Out:
        happened: tuple[Happened, ...] = ()
        draw, start = self._random.random(), int(self._random.integers(TICK))
        if self._at is None and draw < self._settings.per_minute * TICK / RATE / 60.0:
            self._at = -start
            happened = (Happened("burst", round(len(self._sound) / RATE, 3), start),)
        if self._at is None:
            return Out(tick)
        heard = tick.copy()
        part = self._sound[max(0, self._at) : self._at + TICK]
        heard[max(0, -self._at) :][: len(part)] += part
        self._at += TICK
        if self._at >= len(self._sound):
            self._at = None
        return Out(heard, happened)


def _time(length: float) -> Sound:
    return np.arange(samples(length)) / RATE


def _noise(random: Generator, length: float) -> Sound:
    return random.standard_normal(samples(length))


def door(random: Generator) -> Sound:
    """A thud of low frequencies, and the latch."""
    time = _time(0.5)
    thud = np.exp(-time * 14.0) * (np.sin(2 * np.pi * 70.0 * time) + 0.5 * np.sin(2 * np.pi * 133.0 * time))
    latch = 0.4 * np.exp(-np.abs(time - 0.06) * 180.0) * _noise(random, 0.5)
    return np.asarray(thud + 0.15 * np.exp(-time * 40.0) * _noise(random, 0.5) + latch)


def dog(random: Generator) -> Sound:
    """Two barks: a harsh tone that falls."""
    time = _time(0.18)
    pitch = 620.0 * np.exp(-time * 3.0)
    phase = 2 * np.pi * np.cumsum(pitch) / RATE
    tone = sum(np.sin(number * phase) / number for number in range(1, 9))
    bark = np.sin(np.pi * time / 0.18) * (tone + 0.4 * _noise(random, 0.18))
    return np.concatenate([bark, np.zeros(samples(0.16)), 0.8 * bark])


def cough(random: Generator) -> Sound:
    """Two bursts of breath, the second weaker, around 1 kHz."""
    time = _time(0.25)
    breath = np.convolve(_noise(random, 0.25), np.hanning(17), mode="same")
    voiced = np.sin(2 * np.pi * 180.0 * time) * np.exp(-time * 9.0)
    once = np.minimum(time * 80.0, 1.0) * np.exp(-time * 12.0) * (breath + 1.5 * voiced)
    return np.concatenate([once, np.zeros(samples(0.2)), 0.6 * once])


def phone(random: Generator) -> Sound:
    """A ring of two tones that take turns, one second."""
    time = _time(1.0)
    which = (time * 20.0).astype(int) % 2
    edge = np.minimum(1.0, 40.0 * np.minimum(time, 1.0 - time))
    return np.asarray(edge * np.where(which, np.sin(2 * np.pi * 1_050.0 * time), np.sin(2 * np.pi * 1_300.0 * time)))


def keys(random: Generator) -> Sound:
    """Eight strokes within a second and a half."""
    sound = np.zeros(samples(1.6))
    stroke = _time(0.03)
    for number in range(8):
        at = samples(0.19 * number + random.uniform(0.0, 0.08))
        sound[at : at + len(stroke)] += np.exp(-stroke * 200.0) * _noise(random, 0.03)
    return sound
