"""Between the call's 24,000 Hz and WebRTC's 48,000 Hz, block by block, with one known delay.

A linear-phase half-band filter: every output sample has its exact place in the input's time.
"""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voicesim.sound import Pcm

TAPS = 63
DELAY = (TAPS - 1) / 2 / 48_000
"""Delay of either direction, in seconds (31 samples at 48 kHz)."""


@lru_cache(maxsize=1)
def _lowpass() -> NDArray[np.float64]:
    """Kaiser-windowed sinc, cut off at 12 kHz of 48 kHz, unity gain, about -70 dB beyond the band."""
    n = np.arange(TAPS) - (TAPS - 1) / 2
    taps = np.sinc(n / 2) * np.kaiser(TAPS, 7.0)
    return np.asarray(taps / taps.sum(), dtype=np.float64)


class Halver:
    """48,000 Hz to 24,000 Hz: blocks of 2n samples become n."""

    def __init__(self) -> None:
        self._past = np.zeros(TAPS - 1)

    def feed(self, pcm: Pcm) -> Pcm:
        joined = np.concatenate([self._past, pcm])
        self._past = joined[len(joined) - (TAPS - 1) :]
        return _round(np.convolve(joined, _lowpass(), mode="valid")[::2])


class Doubler:
    """24,000 Hz to 48,000 Hz: blocks of n samples become 2n."""

    def __init__(self) -> None:
        self._past = np.zeros(TAPS - 1)

    def feed(self, pcm: Pcm) -> Pcm:
        stuffed = np.zeros(2 * len(pcm))
        stuffed[::2] = pcm * 2.0
        joined = np.concatenate([self._past, stuffed])
        self._past = joined[len(joined) - (TAPS - 1) :]
        return _round(np.convolve(joined, _lowpass(), mode="valid"))


def _round(values: NDArray[Any]) -> Pcm:
    rounded: Pcm = np.clip(np.rint(values), -32768, 32767).astype(np.int16)
    return rounded
