"""An event loop on real time whose timers fire when they are due.

Linux's epoll waits in whole milliseconds, rounded up, so asyncio wakes a call up to 1 ms late, tick for tick.
"""

import asyncio
import select
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

from voicesim.call.loop import CallLoop

T = TypeVar("T")

_LARGEST = 1024
"""File descriptors from which on select() cannot wait for one."""


def run_real(main: Coroutine[Any, Any, T]) -> T:
    """Like asyncio.run, with timers that are not rounded where the system rounds them."""
    if not hasattr(selectors, "EpollSelector"):
        with asyncio.Runner(loop_factory=CallLoop) as runner:
            return runner.run(main)

    class PromptSelector(selectors.EpollSelector):
        """Waits for its own epoll with select(), which counts in microseconds, and only then asks it."""

        def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
            if timeout is not None and timeout > 0 and self.fileno() < _LARGEST:
                select.select([self.fileno()], (), (), timeout)
                timeout = 0
            return super().select(timeout)

    with asyncio.Runner(loop_factory=lambda: CallLoop(PromptSelector())) as runner:
        return runner.run(main)
