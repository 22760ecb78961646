"""A mind whose model is on a server: it thinks beside the call, over connections that stay open until the call ends.

It mostly waits, so it needs no process of its own; a thread with an event loop lets a reply that nobody wants any more
be given up at once, request and all. In the voice's process it would keep the next thought, and every voice, waiting.
"""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Thread
from typing import Any, TypeVar

from voicesim.caller.mind import Memory, PatientLine
from voicesim.caller.minds import GuardedMind

T = TypeVar("T")
LEAVES = 2.0
"""Seconds for its connections to be closed."""
AT_ONCE = 8
"""Thoughts that may be under way, those included that are being given up."""


class ServerMind:
    """Thinks in a thread; see `caller.mind.Mind`."""

    by_hand = exact = False
    thinks_ahead = True
    """Whether thinking takes so long that it begins before the agent has ended."""

    def __init__(self, made: GuardedMind, *, hurried: bool) -> None:
        """`hurried`: somebody waits on the phone; on virtual time nobody does."""
        self.name, self.server, self._mind = made.name, made.server, made
        self._hurried = hurried
        if not hurried:
            made.take_time()
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="mind", daemon=True)
        self._waiting = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="mind waits")

    async def warm(self) -> None:
        """Load what the first thought needs, before the call."""
        self._thread.start()
        await self._over_there(self._prepare())

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        """See caller.mind.Mind. Cancelled, it takes its request back."""
        return await self._over_there(self._mind.reply(heard, _as_it_is(memory)))

    async def begin(self, heard: str, memory: Memory, started: Callable[[PatientLine], None]) -> PatientLine:
        """See caller.mind.Begins; `started` is called on the loop of the call.

        Where nobody waits, a line comes whole: how it is cut would hang on the machine.
        """
        if not self._hurried:
            return await self.reply(heard, memory)
        here = asyncio.get_running_loop()

        def told(line: PatientLine) -> None:
            here.call_soon_threadsafe(started, line)

        return await self._over_there(self._mind.begin(heard, _as_it_is(memory), told))

    def close(self) -> None:
        """Close the connections, and end the thread."""
        self._waiting.shutdown(wait=False, cancel_futures=True)
        if self._thread.is_alive():
            asyncio.run_coroutine_threadsafe(self._leave(), self._loop)
            self._thread.join(LEAVES)
        if not self._thread.is_alive():
            self._loop.close()

    async def _over_there(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something in the thread. It counts as work in an executor, for which virtual time stands still."""
        running = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._waiting, running.result)
        except asyncio.CancelledError:
            running.cancel()
            raise

    async def _prepare(self) -> None:
        self._mind.warm()
        await self._mind.open()

    async def _leave(self) -> None:
        running = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self._mind.aclose()
        self._loop.stop()


def _as_it_is(memory: Memory) -> Memory:
    """A copy, which does not change while somebody reads it elsewhere."""
    return replace(memory, turns=list(memory.turns), released=set(memory.released))
