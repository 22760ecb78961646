"""16-bit PCM and mu-law taken for each other are noticed in voices of any level, and nothing else is."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.signal import lfilter

from voicesim.audio.format_check import Coding, FormatCheck
from voicesim.audio.g711 import encode
from voicesim.audio.resampling import resample
from voicesim.audio.samples import RATE, Wave, to_pcm
from voicesim.catalog.model import Accent, Voice
from voicesim.tts.hibari import HibariEngine
from voicesim.tts.pyttsx3_engine import Pyttsx3Engine

PCM: Coding = "16-bit PCM"
MULAW: Coding = "G.711 mu-law"
TEXT = "Please take two tablets every six hours, and call us back if the pain gets worse."


@cache
def speech(voice: str) -> Wave:
    if voice == "man":
        return Pyttsx3Engine().speak(TEXT, Voice(engine="pyttsx3", name="Denis"), Accent(), 1.0, 7)
    return HibariEngine().speak(TEXT, Voice(), Accent(), 1.0, 7)


@cache
def noise(count: int) -> NDArray[np.float64]:
    return np.random.default_rng(1).standard_normal(count)


def at(level: float, wave: NDArray[np.floating]) -> NDArray[np.float64]:
    """A sound whose RMS is `level` (dBFS)."""
    factor = 10 ** (level / 20) / float(np.sqrt(np.mean(np.square(wave, dtype=np.float64))))
    return wave.astype(np.float64) * factor


def in_noise() -> NDArray[np.float64]:
    voice = speech("woman")
    return at(-20, at(0, voice) + at(-10, noise(len(voice))))


def music() -> NDArray[np.float64]:
    t = np.arange(3 * RATE) / RATE
    chord = sum(np.sin(2 * np.pi * hz * t) for hz in (220, 277, 330, 440, 660))
    return at(-12, chord * (0.6 + 0.4 * np.sin(4 * np.pi * t)))


def whisper() -> NDArray[np.float64]:
    """Noise with the envelope of speech and the tilt of breath."""
    voice = speech("woman")
    envelope = np.convolve(np.abs(voice), np.ones(480) / 480, "same")
    return at(-30, lfilter([1, -0.9], [1], noise(len(voice))) * envelope)


def dtmf() -> NDArray[np.float64]:
    t = np.arange(2 * RATE) / RATE
    return at(-10, np.sin(2 * np.pi * 770 * t) + np.sin(2 * np.pi * 1336 * t))


SOUNDS: dict[str, Callable[[], NDArray[np.floating]]] = {
    "speech at -40 dB": lambda: at(-40, speech("woman")),
    "speech at -35 dB": lambda: at(-35, speech("woman")),
    "speech at -20 dB": lambda: at(-20, speech("man")),
    "speech at -3 dB, clipped": lambda: at(-3, speech("woman")),
    "speech in noise": in_noise,
    "a whisper": whisper,
    "music": music,
}
OTHERS: dict[str, Callable[[], NDArray[np.floating]]] = {
    "keys": dtmf,
    "white noise": lambda: at(-6, noise(2 * RATE)),
    "a square wave": lambda: 0.9 * np.sign(np.sin(2 * np.pi * 300 * np.arange(RATE) / RATE)),
    "silence, then speech": lambda: np.concatenate([np.zeros(5 * RATE), at(-20, speech("woman"))]),
}


def as_bytes(wave: NDArray[np.floating], coding: Coding, rate: int) -> bytes:
    pcm = to_pcm(resample(wave.astype(np.float32), RATE, rate))
    return encode(pcm).tobytes() if coding == MULAW else pcm.astype("<i2").tobytes()


def noticed_after(data: bytes, agreed: Coding, size: int) -> int | None:
    """How many bytes had come when a mismatch was told; None when none was."""
    check = FormatCheck(agreed)
    return next((at for at in range(0, len(data), size) if check.mismatch(data[at : at + size])), None)


@pytest.mark.parametrize("size", [160, 1_920, 200_000])
@pytest.mark.parametrize("sound", SOUNDS)
def test_sound_in_the_other_coding_is_noticed_within_two_seconds(sound: str, size: int) -> None:
    wave = SOUNDS[sound]()
    for coding, rate, agreed, second in (
        (MULAW, 8_000, PCM, 8_000),
        (PCM, RATE, MULAW, 48_000),
        (PCM, 8_000, MULAW, 16_000),
    ):
        after = noticed_after(as_bytes(wave, coding, rate), agreed, size)
        assert after is not None
        assert after <= 2 * second or size > 2 * second


@pytest.mark.parametrize("size", [160, 1_920, 200_000])
@pytest.mark.parametrize("sound", [*SOUNDS, *OTHERS])
def test_sound_in_the_coding_that_was_agreed_on_is_not(sound: str, size: int) -> None:
    wave = (SOUNDS | OTHERS)[sound]()
    for coding, rate in ((MULAW, 8_000), (PCM, RATE), (PCM, 8_000), (PCM, 16_000)):
        assert noticed_after(as_bytes(wave, coding, rate), coding, size) is None


def test_the_coding_may_change_in_the_middle_of_a_call() -> None:
    voice = at(-20, speech("woman"))
    first = as_bytes(voice, PCM, RATE)
    after = noticed_after(first + as_bytes(voice, MULAW, 8_000), PCM, 160)
    assert after is not None
    assert len(first) < after < len(first) + 2 * 8_000


def test_silence_of_the_other_coding_is_nothing_or_a_mismatch() -> None:
    assert noticed_after(b"\xff" * 24_000, PCM, 160) is None
    assert noticed_after(bytes(48_000), MULAW, 160) is not None
