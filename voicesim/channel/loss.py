"""Packets that never arrive, in bursts, and what a receiver plays in their place."""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from voicesim.audio.samples import samples
from voicesim.catalog.model import Loss

FADE = (1.0, 0.6, 0.25, 0.0)
"""Gain of the last good packet played again: at the start of the first lost packet, of the second, and so on."""

SEAM = samples(0.002)
"""Samples over which one packet is led into the next where they do not belong together."""


class PacketLoss:
    """A Gilbert channel: a good state, and a bad one in which every packet is lost.

    With loss rate r and mean burst length b, a good packet follows a bad one with chance 1 / b, and a bad
    one a good one with chance r / (b * (1 - r)), which makes r of all packets bad in the long run (Gilbert
    1960; Elliott's losses within a state are 0 and 1). Bursts are longer than asked for where a rate above
    one half leaves no other way.
    """

    def __init__(self, loss: Loss, random: Generator) -> None:
        burst = max(loss.burst, loss.rate / (1.0 - loss.rate))
        self._recovers = 1.0 / burst
        self._fails = loss.rate / (burst * (1.0 - loss.rate))
        self._random = random
        self._lost_in_a_row = 0
        self._last_good: NDArray[np.float64] = np.zeros(0)
        self._end = 0.0

    def process(self, packet: NDArray[np.float64]) -> tuple[NDArray[np.float64], bool]:
        """A packet as it is heard, and whether it was lost. A lost one is the last good one, fading out."""
        draw = self._random.random()
        lost = draw >= self._recovers if self._lost_in_a_row else draw < self._fails
        if lost:
            heard = self._joined(self._instead_of(packet))
            self._lost_in_a_row += 1
        else:
            heard = self._joined(packet) if self._lost_in_a_row else packet
            self._last_good, self._lost_in_a_row = packet, 0
        self._end = float(heard[-1])
        return heard, lost

    def _instead_of(self, packet: NDArray[np.float64]) -> NDArray[np.float64]:
        if len(self._last_good) != len(packet) or self._lost_in_a_row + 1 >= len(FADE):
            return np.zeros(len(packet))
        first, last = FADE[self._lost_in_a_row], FADE[self._lost_in_a_row + 1]
        return self._last_good * np.linspace(first, last, len(packet))

    def _joined(self, packet: NDArray[np.float64]) -> NDArray[np.float64]:
        """The packet, led in from the last sample that was heard."""
        ramp = np.linspace(0.0, 1.0, SEAM)
        joined = packet.copy()
        joined[:SEAM] = ramp * packet[:SEAM] + (1.0 - ramp) * self._end
        return joined
