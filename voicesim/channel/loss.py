"""Packets that never arrive, in bursts, and what a receiver plays in their place."""

from typing import ClassVar

import numpy as np
from numpy.random import Generator

from voicesim.audio.samples import samples
from voicesim.catalog.profile import Loss
from voicesim.channel.effect import Happened, Out, Place, Sound

FADE = (1.0, 0.6, 0.25, 0.0)
"""Gain of the last good packet played again: at the start of the first lost packet, of the second, and so on."""

SEAM = samples(0.002)
"""Samples over which one packet is led into the next where they do not belong together."""


class LossEffect(Loss):
    """Loss at random, each packet for itself (`burst` 1) or in bursts, as a Gilbert channel makes them."""

    key: ClassVar[str] = "loss"
    main: ClassVar[str] = "rate"

    def stage(self, place: Place) -> "PacketLoss":
        return PacketLoss(self, place.random)


class Concealer:
    """What a receiver plays of packets that came and of packets that did not: the last good one, fading out."""

    delay = 0

    def __init__(self) -> None:
        self._plain = False
        self._lost_in_a_row = 0
        self._last_good: Sound = np.zeros(0)
        self._end = 0.0

    def lost(self) -> Happened | None:
        """What became of the next packet; nothing, here."""
        return None

    def left_to_codec(self) -> None:
        """The codec before it asks `lost` itself and conceals; packets then pass unchanged."""
        self._plain = True

    def process(self, tick: Sound, far: Sound) -> Out:
        """A packet as it is heard, and that it was lost."""
        if self._plain:
            return Out(tick)
        event = self.lost()
        if event is not None:
            heard = self._joined(self._instead_of(tick))
            self._lost_in_a_row += 1
        else:
            heard = self._joined(tick) if self._lost_in_a_row else tick
            self._last_good, self._lost_in_a_row = tick, 0
        self._end = float(heard[-1])
        return Out(heard, (event,) if event else ())

    def _instead_of(self, packet: Sound) -> Sound:
        if len(self._last_good) != len(packet) or self._lost_in_a_row + 1 >= len(FADE):
            return np.zeros(len(packet))
        first, last = FADE[self._lost_in_a_row], FADE[self._lost_in_a_row + 1]
        return self._last_good * np.linspace(first, last, len(packet))

    def _joined(self, packet: Sound) -> Sound:
        """The packet, led in from the last sample that was heard."""
        ramp = np.linspace(0.0, 1.0, SEAM)
        joined = packet.copy()
        joined[:SEAM] = ramp * packet[:SEAM] + (1.0 - ramp) * self._end
        return joined


class PacketLoss(Concealer):
    """A Gilbert channel: a good state, and a bad one in which every packet is lost.

    With loss rate r and mean burst length b, a good packet follows a bad one with chance 1 / b, and a bad
    one a good one with chance r / (b * (1 - r)), which makes r of all packets bad in the long run (Gilbert
    1960; Elliott's losses within a state are 0 and 1). At b = 1 each packet is lost for itself, with chance r.
    Bursts are longer than asked for where a rate above one half leaves no other way.
    """

    def __init__(self, loss: Loss, random: Generator) -> None:
        super().__init__()
        alone = loss.burst == 1.0
        burst = 1.0 / (1.0 - loss.rate) if alone else max(loss.burst, loss.rate / (1.0 - loss.rate))
        self._recovers = 1.0 / burst
        self._fails = loss.rate / (burst * (1.0 - loss.rate))
        self._random = random
        self._bad = False

    def lost(self) -> Happened | None:
        draw = self._random.random()
        self._bad = draw >= self._recovers if self._bad else draw < self._fails
        return Happened("lost") if self._bad else None
