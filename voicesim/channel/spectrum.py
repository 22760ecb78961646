"""How speech is spread over frequency, for levels behind a filter."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from voicesim.audio.samples import RATE, Wave

# Long-term average spectrum of speech, men and women in twelve languages: dB in third-octave bands from
# 63 Hz to 10 kHz at 70 dB overall. Byrne et al., J. Acoust. Soc. Am. 96, 2108 (1994), table II.
_CENTRES = (63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500, 3150, 4000,
            5000, 6300, 8000, 10000)  # fmt: skip
_LEVELS = (38.6, 43.5, 54.4, 57.7, 56.8, 60.2, 60.3, 59.0, 62.1, 62.1, 60.5, 56.8, 53.7, 53.0, 52.0, 48.7, 48.1,
           46.8, 45.6, 44.5, 44.3, 43.7, 43.4)  # fmt: skip


class SpeechSpectrum:
    """Powers of speech at frequencies in Hz: of one voice, or the average of many."""

    def __init__(self, hz: NDArray[np.float64], powers: NDArray[np.float64]) -> None:
        self._hz, self._powers = hz, powers

    @classmethod
    def average(cls) -> "SpeechSpectrum":
        """Men and women of twelve languages; four frequencies for each third of an octave."""
        parts = 2 ** (np.linspace(-1 / 6, 1 / 6, 9)[1::2])
        hz = np.outer(np.array(_CENTRES, float), parts).ravel()
        return cls(hz, np.repeat(10 ** (np.array(_LEVELS) / 10), len(parts)))

    @classmethod
    def of(cls, wave: Wave) -> "SpeechSpectrum":
        """The spectrum of one voice, from a line of it (float32 mono at 24,000 Hz, not silent)."""
        hz = np.asarray(np.fft.rfftfreq(len(wave), 1.0 / RATE), np.float64)
        return cls(hz, np.square(np.abs(np.fft.rfft(np.asarray(wave, np.float64)))))

    def share(self, response: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> float:
        """The share of the power that is left behind a filter, whose gain in power at frequencies (Hz) is given."""
        return float(np.sum(self._powers * response(self._hz)) / np.sum(self._powers))
