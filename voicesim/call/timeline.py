"""The agent's sound by its place on the call clock, whatever order and pace it arrives in."""

from dataclasses import dataclass

import numpy as np

from voicesim.audio.samples import RATE, Pcm, samples, seconds
from voicesim.call.transit import Transit

VOICED_PEAK = 300
"""Peak (int16) above which a chunk counts as sound for finding where a talk-spurt begins; about -41 dBFS."""
SPURT_GAP = samples(0.2)
"""Quiet before a chunk that makes it the first of a talk-spurt."""
AHEAD_LIMIT = samples(120.0)
"""How far ahead of the call sound may lie; an agent that sends more cannot fill the memory."""
JOINED = 0.04
"""Seconds a chunk without media time may be late inside a talk-spurt; the ear stays that far behind."""


@dataclass(frozen=True)
class Placed:
    """Where a chunk went (samples); by how many seconds it came after its place was due to be heard; and how
    many seconds of the sender's own time are missing before it."""

    start: int
    late: float
    gap: float


class Timeline:
    """A growing int16 track. Positions are samples since the start of the call.

    A chunk without media time is heard when it arrives, or after the chunks before it; inside a talk-spurt,
    one that is a little late follows without a gap, as from a jitter buffer. With media time,
    the first chunk of a talk-spurt is placed by arrival (by the shortest transit of late, so that one late
    wake-up of ours does not move it) and the others at their media distance from it: what the sender left out
    is silence, what comes late keeps its place. What belongs before the call is left out. Chunks never overlap:
    equal or backward times are played one after the other.
    """

    def __init__(self, receive_delay: float = 0.0) -> None:
        """`receive_delay`: seconds for which our receiver holds sound; taken out of every time."""
        self._receive_delay = receive_delay
        self._pcm = np.zeros(samples(60), np.int16)
        self.end = 0
        self.transit = Transit()
        self._anchor: float | None = None
        self._media_end: float | None = None
        self._quiet = SPURT_GAP

    def place(self, pcm: Pcm, now: float, media: float | None = None) -> Placed | None:
        """Add a chunk that arrived at `now` (call seconds); `media` is the sender's time of it, in seconds.

        None when it would end too far ahead: it is left out whole.
        """
        gap = 0.0
        if media is None:
            wanted = self._placed_by_arrival(pcm, now)
        else:
            wanted = self._placed_by_media(pcm, now, media)
            gap = 0.0 if self._media_end is None else max(0.0, media - self._media_end)
            self._media_end = media + len(pcm) / RATE
        before_the_call = max(0, min(len(pcm), -samples(wanted))) if media is not None else 0
        pcm = pcm[before_the_call:]
        start = max(self.end, samples(wanted) + before_the_call)
        stop = start + len(pcm)
        if stop > samples(now) + AHEAD_LIMIT:
            return None
        self._grow(stop)
        self._pcm[start:stop] = pcm
        self.end = stop
        late = now - self._receive_delay - stop / RATE if media is not None else 0.0
        return Placed(start, max(0.0, late), gap if gap > 1 / RATE else 0.0)

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
        self.transit.see(now - self._receive_delay, media)
        loud = _sounds(pcm)
        if self._anchor is None or (loud and self._quiet >= SPURT_GAP):
            self._anchor = self.transit.shortest()
            # The quiet before a talk-spurt gives way when the spurt belongs a little earlier than it was thought.
            self.end = min(self.end, max(samples(self._anchor + media), self.end - self._quiet, 0))
        self._quiet = 0 if loud else self._quiet + len(pcm)
        return self._anchor + media

    def _placed_by_arrival(self, pcm: Pcm, now: float) -> float:
        joined = self._quiet < SPURT_GAP and now - seconds(self.end) <= JOINED
        self._quiet = 0 if _sounds(pcm) else self._quiet + len(pcm)
        return seconds(self.end) if joined else now

    def _grow(self, stop: int) -> None:
        if stop > len(self._pcm):
            self._pcm = np.concatenate([self._pcm, np.zeros(max(stop, len(self._pcm)), np.int16)])


def _sounds(pcm: Pcm) -> bool:
    return bool(np.abs(pcm.astype(np.int32)).max(initial=0) > VOICED_PEAK)
