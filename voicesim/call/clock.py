"""The call clock and its pacer: absolute 20 ms deadlines on the event loop's own time."""

import asyncio
from collections.abc import AsyncIterator

import numpy as np

from voicesim.audio.samples import TICK_SECONDS
from voicesim.recording.manifest import Lateness

LATE = TICK_SECONDS / 2
"""A tick later than this (seconds) counts as late: what lies in it is not sure to the hundredth of a second."""


class CallClock:
    """Seconds since the start of the call, by the running loop's clock; 0 before it starts."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._start: float | None = None

    def start(self) -> None:
        """Set t = 0 to this moment."""
        self._start = self._loop.time()

    def now(self) -> float:
        return 0.0 if self._start is None else max(0.0, self._loop.time() - self._start)


class Pacer:
    """Counts ticks at start + n * 20 ms. A late tick is followed at once by those it held up.

    `late` is by how many seconds the last tick was late, or the middle after it, if that was later.
    """

    def __init__(self, clock: CallClock) -> None:
        self._clock = clock
        self._ticks: list[float] = []
        self.late = 0.0

    async def ticks(self) -> AsyncIterator[int]:
        """0, 1, 2, ... each yielded at its deadline or, when the loop was held up, as soon as possible."""
        self._clock.start()
        while True:
            tick = len(self._ticks)
            self.late = await self._until(tick * TICK_SECONDS)
            self._ticks.append(self.late)
            yield tick

    async def middle(self) -> None:
        """Wait for the middle between this tick and the next: the time for work, and a second look at the clock.

        A loop that stands still for more than a tick is late for one of both by more than half a tick.
        """
        self.late = max(self.late, await self._until((len(self._ticks) - 0.5) * TICK_SECONDS))

    async def _until(self, moment: float) -> float:
        """Wait for a call second; returns by how much it was missed."""
        # Even a late pacer yields to the loop every time, or the line would starve.
        await asyncio.sleep(max(0.0, moment - self._clock.now()))
        return self._clock.now() - moment

    def lateness(self) -> Lateness:
        """Quantiles of all ticks so far, in seconds (linear interpolation between order statistics)."""
        late = np.maximum(np.asarray(self._ticks or [0.0]), 0.0)
        p50, p99 = np.quantile(late, [0.5, 0.99])
        return Lateness(
            ticks=len(self._ticks),
            p50=round(float(p50), 6),
            p99=round(float(p99), 6),
            max=round(float(late.max()), 6),
            late_share=round(float(np.mean(late > LATE)), 6),
        )
