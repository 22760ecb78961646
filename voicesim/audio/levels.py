"""How loud speech is: the active speech level of ITU-T P.56, which leaves pauses out."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from voicesim.audio.samples import RATE

ACTIVE_LEVEL_DB = -23.0
"""Active level of every caller's speech, dBFS; background is set against it."""

_TIME_CONSTANT = 0.03
_HANGOVER = 0.2
_MARGIN_DB = 15.9
_STEP = RATE // 1000
_THRESHOLDS_DB = 20 * np.log10(2.0) * np.arange(-20, 0)


class SpeechLevel(NamedTuple):
    """Level in dBFS over the active time (-inf for silence), and the share of the time that is active."""

    level_db: float
    activity: float


def speech_level(wave: NDArray[np.floating[Any]]) -> SpeechLevel:
    """The active speech level of mono at 24,000 Hz (full scale 1.0 RMS is 0 dBFS), by ITU-T P.56 (2011), method B.

    The envelope is the magnitude smoothed twice with 30 ms. For each threshold, a power of two of full scale, the
    time is active while the envelope lies over it and 0.2 s longer. The level is that of the threshold which lies
    15.9 dB under the level over its own active time, between two thresholds on a straight line.
    """
    sound = np.asarray(wave, np.float64)
    energy = float(np.sum(np.square(sound)))
    if not len(sound) or energy <= 0:
        return SpeechLevel(float("-inf"), 0.0)
    envelope = _envelope(sound)
    levels = [_level_over(envelope, energy, 10 ** (threshold / 20)) for threshold in _THRESHOLDS_DB]
    level = _where_margin_is_met(np.array(levels))
    total = 10 * np.log10(energy / len(sound))
    level = max(level, float(total))
    return SpeechLevel(level, float(10 ** ((total - level) / 10)))


def active_milliseconds(wave: NDArray[np.floating[Any]]) -> NDArray[np.bool_]:
    """Which milliseconds are active speech by speech_level, the 0.2 s after it included. Of shape (samples / 24,)."""
    level = active_level_db(wave)
    envelope = _envelope(np.asarray(wave, np.float64))
    if level == float("-inf"):
        return np.zeros(len(envelope), bool)
    return _active(envelope, 10 ** ((level - _MARGIN_DB) / 20))


def active_level_db(wave: NDArray[np.floating[Any]]) -> float:
    """The level of speech_level alone."""
    return speech_level(wave).level_db


def _level_over(envelope: NDArray[np.float64], energy: float, threshold: float) -> float:
    """Level in dB over the time that is active at a threshold; inf where it never is."""
    active = int(np.count_nonzero(_active(envelope, threshold)))
    return 10 * float(np.log10(energy / (active * _STEP))) if active else float("inf")


def _active(envelope: NDArray[np.float64], threshold: float) -> NDArray[np.bool_]:
    """Which steps lie over the threshold or at most the hangover behind one that does."""
    places = np.arange(len(envelope))
    last = np.maximum.accumulate(np.where(envelope >= threshold, places, -len(envelope) - _HANGOVER * 1000))
    return np.asarray(places - last <= _HANGOVER * 1000)


def _envelope(sound: NDArray[np.float64]) -> NDArray[np.float64]:
    """The magnitude smoothed twice, one value a millisecond."""
    from scipy.signal import lfilter

    past = np.exp(-1.0 / (RATE * _TIME_CONSTANT))
    once = lfilter([1 - past], [1, -past], np.abs(sound))
    return np.asarray(lfilter([1 - past], [1, -past], once)[::_STEP])


def _where_margin_is_met(levels: NDArray[np.float64]) -> float:
    above = levels - _THRESHOLDS_DB - _MARGIN_DB
    met = int(np.argmax(above <= 0)) if (above <= 0).any() else len(above) - 1
    if met == 0 or not np.isfinite(levels[met]):
        return float(levels[max(met - 1, 0)])
    before, after = above[met - 1], above[met]
    share = before / (before - after)
    return float(levels[met - 1] + share * (levels[met] - levels[met - 1]))
