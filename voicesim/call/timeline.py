"""The agent's sound by its place on the call clock, whatever order and pace it arrives in."""

from collections import deque
from dataclasses import dataclass

import numpy as np

from voicesim.sound import Pcm, samples

VOICED_PEAK = 300
"""Peak (int16) above which a chunk counts as sound for finding where a talk-spurt begins; about -41 dBFS."""
SPURT_GAP = samples(0.2)
"""Quiet before a chunk that makes it the first of a talk-spurt."""
ANCHOR_SLACK = 0.02
"""Seconds that arrival may differ from the anchored place before a talk-spurt is placed anew."""
RECENT = 25
"""Chunks over which the shortest transit is looked for; half a second of 20 ms packets."""


@dataclass(frozen=True)
class Placed:
    """Where a chunk went (samples), and by how many seconds it came after its place had been heard."""

    start: int
    late: float


class Timeline:
    """A growing int16 track. Positions are samples since the start of the call.

    A chunk without media time is heard when it arrives, or after the chunks before it. With media time,
    the first chunk of a talk-spurt is placed by arrival (by the shortest transit of the last half second,
    so that one late wake-up of ours does not move it) and the others at their media distance from it:
    what the sender left out is silence, what comes late keeps its place. Chunks never overlap: equal or
    backward times are played one after the other.
    """

    def __init__(self) -> None:
        self._pcm = np.zeros(samples(60), np.int16)
        self.end = 0
        self._anchor: float | None = None
        self._transits: deque[float] = deque(maxlen=RECENT)
        self._quiet = SPURT_GAP

    def place(self, pcm: Pcm, now: float, media: float | None = None) -> Placed:
        """Add a chunk that arrived at `now` (call seconds); `media` is the sender's time of it, in seconds."""
        start = max(self.end, samples(now if media is None else self._placed_by_media(pcm, now, media)), 0)
        stop = start + len(pcm)
        self._grow(stop)
        self._pcm[start:stop] = pcm
        self.end = stop
        return Placed(start, max(0.0, now - stop / samples(1.0)))

    def read(self, start: int, stop: int) -> Pcm:
        """Samples from start to stop; silence where nothing was placed."""
        self._grow(stop)
        return self._pcm[start:stop].copy()

    def drop_after(self, position: int) -> int:
        """Forget everything from a position on; returns how many samples will never be heard."""
        unheard = max(0, self.end - position)
        if unheard:
            self._pcm[position : self.end] = 0
            self.end = position
        return unheard

    def _placed_by_media(self, pcm: Pcm, now: float, media: float) -> float:
        self._transits.append(now - media)
        spurt = self._quiet >= SPURT_GAP and bool(np.abs(pcm.astype(np.int32)).max(initial=0) > VOICED_PEAK)
        shortest = min(self._transits)
        if self._anchor is None or (spurt and abs(shortest - self._anchor) > ANCHOR_SLACK):
            self._anchor = shortest
        quiet = np.abs(pcm.astype(np.int32)).max(initial=0) <= VOICED_PEAK
        self._quiet = self._quiet + len(pcm) if quiet else 0
        return self._anchor + media

    def _grow(self, stop: int) -> None:
        if stop > len(self._pcm):
            self._pcm = np.concatenate([self._pcm, np.zeros(max(stop, len(self._pcm)), np.int16)])
