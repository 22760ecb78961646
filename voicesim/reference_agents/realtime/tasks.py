"""The tasks of one call: they end with it, and the call ends when one of them fails."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any


class Tasks:
    """Runs what belongs to a call."""

    def __init__(self, call: str, close: Callable[[], Awaitable[None]]) -> None:
        """`close` is awaited when a task has failed; `call` names the call in the log."""
        self._call, self._close = call, close
        self._running: set[asyncio.Task[None]] = set()
        self._ending = False

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._finished)
        return task

    def later(self, delay: float, work: Callable[[], Awaitable[None]]) -> None:
        """Runs `work` after so many seconds."""

        async def wait() -> None:
            await asyncio.sleep(delay)
            await work()

        self.spawn(wait())

    async def end(self) -> None:
        """Cancels all but the task that asks for it."""
        self._ending = True
        rest = [task for task in self._running if task is not asyncio.current_task()]
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logging.getLogger(__name__).error("call %s failed", self._call, exc_info=error)
            if not self._ending:
                self.spawn(self._ended())

    async def _ended(self) -> None:
        await self._close()
