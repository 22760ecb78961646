"""The call clock and its pacer: absolute 20 ms deadlines on the event loop's own time."""

import asyncio
from collections.abc import AsyncIterator

import numpy as np

from voicesim.recording.manifest import Lateness
from voicesim.sound import TICK_SECONDS

LATE = TICK_SECONDS / 2
"""A tick later than this (seconds) counts as late."""


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
    """Counts ticks at start + n * 20 ms. A late tick is followed at once by those it held up."""

    def __init__(self, clock: CallClock) -> None:
        self._clock = clock
        self._late: list[float] = []
        self.late = 0.0

    async def ticks(self) -> AsyncIterator[int]:
        """0, 1, 2, ... each yielded at its deadline or, when the loop was held up, as soon as possible."""
        self._clock.start()
        tick = 0
        while True:
            deadline = tick * TICK_SECONDS
            # Even a late pacer yields to the loop once a tick, or the line would starve.
            await asyncio.sleep(max(0.0, deadline - self._clock.now()))
            self.late = self._clock.now() - deadline
            self._late.append(self.late)
            yield tick
            tick += 1

    def lateness(self) -> Lateness:
        """Quantiles of all ticks so far, in seconds (linear interpolation between order statistics)."""
        late = np.maximum(np.asarray(self._late or [0.0]), 0.0)
        p50, p99 = np.quantile(late, [0.5, 0.99])
        return Lateness(
            ticks=len(self._late),
            p50=round(float(p50), 6),
            p99=round(float(p99), 6),
            max=round(float(late.max()), 6),
            late_share=round(float(np.mean(late > LATE)), 6),
        )
