"""An event loop on virtual time: nobody waits, and what runs in workers takes no time at all.

Timers fire in order the moment nothing else is left to do. While work is out in an executor, time stands
still until it comes back, so a call in virtual time depends on its inputs alone, not on the machine.
"""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from voicesim.call.loop import CallLoop

T = TypeVar("T")


class _JumpingSelector(selectors.DefaultSelector):
    """Asked to wait for a timer, it moves the clock instead, unless a worker is still out."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.out = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if self.out:
            return super().select(None if timeout is None or timeout > 0 else 0)
        ready = super().select(0 if timeout is not None else None)
        if not ready and timeout is not None and timeout > 0:
            self.now += timeout
        return ready


class VirtualLoop(CallLoop):
    """A selector loop whose time() starts at 0 and jumps from timer to timer."""

    real_time = False

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now

    def skip(self, seconds: float) -> None:
        """Let time pass as if the running callback had taken that long."""
        self._jumping.now += seconds

    def run_in_executor(self, executor: Any, func: Callable[..., T], *args: Any) -> "asyncio.Future[T]":  # type: ignore[override]
        future = super().run_in_executor(executor, func, *args)
        self._jumping.out += 1
        future.add_done_callback(self._returned)
        return future

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:  # noqa: ASYNC109 (asyncio's name)
        """Waits for the threads themselves: a limit in virtual time would be over at once."""
        self._jumping.out += 1
        try:
            await super().shutdown_default_executor()
        finally:
            self._jumping.out -= 1

    def _returned(self, future: "asyncio.Future[Any]") -> None:
        self._jumping.out -= 1


def run_virtual(main: Coroutine[Any, Any, T]) -> T:
    """Like asyncio.run, on virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)
