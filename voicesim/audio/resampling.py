"""Sample-rate conversion: of whole buffers (soxr), and of a stream block by block with one known delay.

The stream's is a linear-phase filter evaluated only where an output sample lies: every output has its exact
place in the input's time, whatever the sizes of the blocks. (soxr's stream gives its output in lumps of 50 ms.)
"""

from functools import lru_cache
from math import gcd

import numpy as np
from numpy.typing import NDArray

from voicesim.audio.samples import Pcm, Wave

BETA = 7.0
"""Of the Kaiser window: about 70 dB beyond the band."""
TRANSITION = 0.15
"""Width of the filter's slope around half the lower rate, as a share of that rate."""

DENSE = 8
"""Steps between outputs up to which it is quicker to compute those between, too."""


def resample(wave: Wave, source: int, target: int) -> Wave:
    """A whole buffer of mono float32 from one rate (Hz) to another, with soxr's high quality filter."""
    if source == target:
        return wave
    import soxr

    return np.asarray(soxr.resample(wave, source, target), dtype=np.float32)


def _length(up: int, down: int) -> int:
    """Taps of the low-pass at `up` times the source's rate, an odd number.

    After Kaiser: (A - 7.95) / (14.36 df) for A dB of attenuation and a slope of df (share of the rate).
    """
    slope = TRANSITION / max(up, down)
    return int(np.ceil((70.0 - 7.95) / (14.36 * slope))) | 1


@lru_cache(maxsize=16)
def _phases(up: int, down: int) -> NDArray[np.float64]:
    """The low-pass, a Kaiser-windowed sinc, cut into `up` rows, newest sample last.

    Each row has unity gain, so that a constant stays one.
    """
    edge, length = 1.0 / max(up, down), _length(up, down)
    n = np.arange(length) - (length - 1) / 2
    taps = np.sinc(n * edge) * np.kaiser(length, BETA)
    rows = np.pad(taps, (0, -length % up)).reshape(-1, up).T[:, ::-1]
    table: NDArray[np.float64] = rows / rows.sum(axis=1, keepdims=True)
    return table


class StreamResampler:
    """Mono int16 from one rate (Hz) to another; n samples in all have become ceil(n * target / source).

    `delay` is by how many seconds the output lags behind: 0.6 ms to 48,000 Hz, 1.8 ms to 8,000 Hz, and none
    between equal rates.
    """

    def __init__(self, source: int, target: int) -> None:
        common = gcd(source, target)
        self._up, self._down = target // common, source // common
        self._table = _phases(self._up, self._down)
        self._past = np.zeros(self._table.shape[1] - 1)
        self._taken = self._given = 0
        self.delay = 0.0 if source == target else (_length(self._up, self._down) - 1) / 2 / (source * self._up)

    def feed(self, pcm: Pcm) -> Pcm:
        """The next samples, any number of them, as the output that has become certain."""
        if self._up == self._down or not len(pcm):
            return pcm
        joined = np.concatenate([self._past, pcm])
        end = self._taken + len(pcm)
        count = -(-end * self._up // self._down) - self._given
        values = np.empty(count)
        for first in range(min(self._up, count)):  # every `up`-th output has the same phase, `down` inputs on
            start, phase = divmod((self._given + first) * self._down, self._up)
            same = values[first :: self._up]
            same[:] = _products(joined[start - self._taken :], self._table[phase], self._down, len(same))
        self._given += count
        self._past, self._taken = joined[len(pcm) :], end
        rounded: Pcm = np.clip(np.rint(values), -32768, 32767).astype(np.int16)
        return rounded


def _products(sound: NDArray[np.float64], row: NDArray[np.float64], step: int, count: int) -> NDArray[np.float64]:
    """The products of a row with the sound at places 0, step, 2 * step, ..."""
    if step <= DENSE:
        return np.correlate(sound[: (count - 1) * step + len(row)], row, "valid")[::step]
    windows = sound[step * np.arange(count)[:, np.newaxis] + np.arange(len(row))]
    products: NDArray[np.float64] = windows @ row
    return products
