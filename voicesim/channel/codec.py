"""The telephone's codec: down to 8,000 Hz, through G.711, and up again."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from voicesim.audio.g711 import decode, encode
from voicesim.audio.samples import to_pcm
from voicesim.channel.fir import Fir, Taps, low_pass

FACTOR = 3
"""24,000 Hz over 8,000 Hz."""


def line_taps() -> Taps:
    """The filter before the decimation and after the interpolation: passes 3,400 Hz, stops 4,000 Hz by 70 dB."""
    return low_pass(3_700.0, 241)


class Codec(Protocol):
    """Sound at 24,000 Hz through a codec and back, block by block, `delay` samples later.

    `band` are the taps of the filter that the codec's own sampling rate amounts to.
    """

    @property
    def band(self) -> Taps: ...

    @property
    def delay(self) -> int: ...

    def process(self, block: NDArray[np.float64]) -> NDArray[np.float64]:
        """A tick of float64 samples to as many."""
        ...


class MuLaw:
    """What a block of 24,000 Hz sound is after a mu-law telephone line, `delay` samples later."""

    def __init__(self) -> None:
        self.band = line_taps()
        self._down, self._up = Fir(self.band), Fir(self.band * FACTOR)

    @property
    def delay(self) -> int:
        """Samples at 24,000 Hz by which the output comes later than the input."""
        return self._down.delay + self._up.delay

    def process(self, block: NDArray[np.float64]) -> NDArray[np.float64]:
        """A block whose length is a multiple of 3, to a block of the same length."""
        narrow = self._down.process(block)[::FACTOR]
        spread = np.zeros(len(block))
        spread[::FACTOR] = decode(encode(to_pcm(narrow))).astype(np.float64) / 32768.0
        return self._up.process(spread)
