"""Whether an agent's media still flows: packets that stop look like silence, and are none."""

from voicesim.audio.samples import TICK_SECONDS

LOST_AFTER = 5.0
"""Seconds without media after which an agent that had sent it without a break is gone."""
BREAK = 1.0
"""Seconds without media that are a break: such an agent sends only while it speaks, and may be silent."""
SETTLED = 50
"""Frames after which a stream counts as one."""


class Flow:
    """Counts ticks of ours since the last frame: when we are held up ourselves, no tick passes either."""

    def __init__(self) -> None:
        self._frames = self._empty = 0
        self._broken = False

    def frame(self) -> None:
        """A frame of the agent has come."""
        self._broken = self._broken or (self._frames > 0 and self._empty * TICK_SECONDS > BREAK)
        self._frames += 1
        self._empty = 0

    def tick(self) -> bool:
        """Another 20 ms have passed; True when the stream is lost."""
        self._empty += 1
        unbroken = self._frames >= SETTLED and not self._broken
        return unbroken and self._empty * TICK_SECONDS >= LOST_AFTER
