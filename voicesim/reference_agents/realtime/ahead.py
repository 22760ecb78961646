"""The agent's sound when the client plays it: sent at once, and counted as played at the pace of the clock."""

import asyncio
import math
from collections.abc import Callable

from voicesim.audio.samples import Pcm
from voicesim.reference_agents.realtime.playout import WIRE_RATE
from voicesim.reference_agents.realtime.session import SoundFormat
from voicesim.reference_agents.realtime.wire import pieces


class SentAhead:
    """Keeps the books of a play-out at the other end, which is taken to begin when the first sound is sent."""

    ahead = math.inf
    remote = True

    def __init__(self, format_: Callable[[], SoundFormat]) -> None:
        """`format_` is asked each time what the client wants."""
        self._format = format_
        self._begun = self._end = 0.0
        self._changed = asyncio.Event()

    @property
    def waiting(self) -> float:
        """Seconds that the client has not played yet."""
        return max(0.0, self._end - self._now())

    @property
    def played(self) -> float:
        """Seconds played since the last `begin`."""
        return max(0.0, min(self._now(), self._end) - self._begun)

    def begin(self) -> None:
        """Counts `played` from here."""
        self._begun = self._end = max(self._now(), self._end)

    def put(self, pcm: Pcm) -> list[str]:
        """The deltas that carry this sound (int16 mono, 48,000 Hz) to the client."""
        self._end = max(self._now(), self._end) + len(pcm) / WIRE_RATE
        return pieces(pcm, self._format())

    def clear(self) -> None:
        """The client stops playing, too."""
        self._end = min(self._now(), self._end)
        self._changed.set()

    async def until(self, at_most: float) -> None:
        """Waits until the client has at most so many seconds left."""
        while (left := self.waiting - at_most) > 0:
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), left)
            except TimeoutError:
                continue

    def _now(self) -> float:
        return asyncio.get_running_loop().time()
