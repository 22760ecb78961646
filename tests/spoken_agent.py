"""An agent in Python with a real voice and known words: it says its next line when the caller has been silent."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from voicesim.audio.samples import TICK, Pcm, samples

LEVEL = 300
"""Peak (int16) from which the caller is heard."""


@cache
def spoken(text: str) -> Pcm:
    """A line in a local voice, loud from its first sample on: int16 at 24,000 Hz."""
    from hibari import Hibari

    sound = np.round(np.asarray(Hibari()(text, seed=1)) * 20_000).astype(np.int16)
    loud = np.flatnonzero(np.abs(sound) > LEVEL)
    return sound[loud[0] : loud[-1] + 1]


class SpokenAgent:
    """Says its lines in turn, each `delay` seconds after the caller's last sound, and hangs up after the last.

    The caller is heard above `level` (int16 peak); the noise of a line has to be under it.
    """

    def __init__(self, lines: Sequence[str], delay: float = 0.8, level: int = LEVEL) -> None:
        self._lines, self._delay, self._level = [spoken(line) for line in lines], samples(delay), level
        self._now, self._heard_at, self._answered_at = 0, 0, -1
        self._saying = self._lines.pop(0)
        self._said = 0
        self._over_at: int | None = None

    def tick(self, caller: Pcm) -> Pcm | None:
        """See `voicesim.transports.inprocess.InProcessAgent`."""
        loud = np.flatnonzero(np.abs(caller.astype(np.int32)) > self._level)
        if len(loud):
            self._heard_at = self._now + int(loud[-1]) + 1
        self._now += TICK
        if self._said >= len(self._saying):
            return self._between()
        block = self._saying[self._said : self._said + TICK]
        self._said += TICK
        if self._said >= len(self._saying):
            self._answered_at = self._now
        return np.pad(block, (0, TICK - len(block)))

    def _between(self) -> Pcm | None:
        if not self._lines:
            self._over_at = self._over_at or self._now + samples(1.0)
            return None if self._now >= self._over_at else np.zeros(TICK, np.int16)
        if self._heard_at > self._answered_at and self._now >= self._heard_at + self._delay:
            self._saying, self._said = self._lines.pop(0), 0
        return np.zeros(TICK, np.int16)
