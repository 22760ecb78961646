"""Sound of an agent that sends its silence too, at the pace of the clock: what came late does not stay late."""

import math

import numpy as np

from voicesim.audio.samples import Pcm, samples, seconds

SILENT = 60
"""Peak (int16) up to which a whole chunk is silence."""
PACED = 0.5
"""Share of its own length after which a chunk comes behind the one before, at least, from an agent that sends as it
speaks. One that sends a whole reply at once keeps all of its pauses."""
KEPT = 0.02
"""Seconds that may wait to be heard."""


class CatchUp:
    """After a hiccup of the network all that follows would be heard late for good. Silence gives the time back."""

    def __init__(self) -> None:
        self._arrived = -math.inf

    def shorten(self, pcm: Pcm, now: float, ahead: float) -> Pcm:
        """A chunk (int16, 24,000 Hz) that arrived at `now` while `ahead` seconds before it wait to be heard.

        Silence loses as much as waits; everything else stays as it is.
        """
        paced, self._arrived = now - self._arrived >= PACED * seconds(len(pcm)), now
        if not paced or ahead <= KEPT or int(np.abs(pcm.astype(np.int32)).max(initial=0)) > SILENT:
            return pcm
        return pcm[min(len(pcm), samples(ahead - KEPT)) :]
