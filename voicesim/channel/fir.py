"""Linear-phase filters that run block by block."""

import numpy as np
from numpy.typing import NDArray

from voicesim.audio.samples import RATE

Taps = NDArray[np.float64]

BAND_TAPS = 721
"""Length of a band filter: edges 130 Hz wide at 60 dB, a delay of 360 samples (15 ms)."""

_STOP_DB = 70.0


def band_pass(low: float, high: float) -> Taps:
    """Taps that pass low to high (Hz) at 24,000 Hz and stop, by 60 dB or more, what lies 130 Hz outside.

    Windowed design with a Kaiser window (scipy.signal.firwin).
    """
    from scipy.signal import firwin, kaiser_beta

    window = ("kaiser", kaiser_beta(_STOP_DB))
    half = 65.0
    if high >= RATE / 2 - half:
        return np.asarray(firwin(BAND_TAPS, max(low - half, 1.0), window=window, pass_zero=False, fs=RATE))
    edges = (max(low - half, 1.0), high + half)
    return np.asarray(firwin(BAND_TAPS, edges, window=window, pass_zero=False, fs=RATE))


def low_pass(cutoff: float, taps: int, rate: int = RATE) -> Taps:
    """Taps that pass what lies below a cutoff (Hz, -6 dB) at a rate; Kaiser window, 70 dB stop band."""
    from scipy.signal import firwin, kaiser_beta

    return np.asarray(firwin(taps, cutoff, window=("kaiser", kaiser_beta(_STOP_DB)), fs=rate))


def power_at(taps: Taps, hz: NDArray[np.float64], rate: int = RATE) -> NDArray[np.float64]:
    """The gain in power that a filter has at frequencies in Hz."""
    known = np.square(np.abs(np.fft.rfft(taps, 8_192)))
    return np.interp(hz, np.linspace(0.0, rate / 2, len(known)), known)


class Fir:
    """A filter with memory: blocks in a row give the same as the whole signal at once."""

    def __init__(self, taps: Taps) -> None:
        self.taps = taps
        self._past = np.zeros(len(taps) - 1)

    @property
    def delay(self) -> int:
        """Samples by which the output comes later than the input."""
        return (len(self.taps) - 1) // 2

    def process(self, block: NDArray[np.float64]) -> NDArray[np.float64]:
        """A block of any length of at least one sample to a block of the same length."""
        joined = np.concatenate([self._past, block])
        self._past = joined[len(block) :]
        return np.convolve(joined, self.taps, mode="valid")


def around(loop: NDArray[np.float64], taps: Taps) -> NDArray[np.float64]:
    """A loop filtered as if it had played forever: its end runs into its beginning."""
    response = np.fft.rfft(taps, len(loop))
    return np.fft.irfft(np.fft.rfft(loop) * response, len(loop))
