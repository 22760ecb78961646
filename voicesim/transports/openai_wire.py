"""Events both ways over one open socket of OpenAI's protocols: one task that reads, one that writes."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, TypeAlias

from voicesim.transports.base import ConnectionStats
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.openai_socket import Socket, SocketClosedError

QUEUE_LIMIT = 50
"""Events that may wait to be sent; a peer that takes nothing for a second loses the oldest."""
HANG_UP = (1000, 1005)
"""Close codes of an agent that hangs up: normal, and none. With a reason or an error, the line is lost all the same."""
LAST_WORD = 0.5
"""Seconds that saying it may take."""
Event: TypeAlias = Mapping[str, Any]


class EventWire:
    """What comes goes to `take`, event by event; `over` is awaited when the agent is gone."""

    def __init__(
        self,
        socket: Socket,
        inbox: BoundedInbox,
        take: Callable[[Event], None],
        over: Callable[[SocketClosedError], Awaitable[None]],
    ) -> None:
        self._socket, self._inbox, self._react, self._over = socket, inbox, take, over
        self._outgoing: deque[Event] = deque()
        self._news = asyncio.Event()
        self._taking, self._backlog = True, False
        self._messages = 0
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self, parse: Callable[[bytes], Event | None], early: Iterable[Event]) -> None:
        """Take what came `early`, then read and write until the end."""
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(work) for work in (self._read(parse, list(early)), self._write())]
        for task in self._tasks:
            task.add_done_callback(self._report)

    def put(self, event: Event) -> None:
        """Queue an event. Never blocks."""
        if not self._taking:
            return
        if len(self._outgoing) >= QUEUE_LIMIT:
            self._outgoing.popleft()
            if not self._backlog:
                self._inbox.warn(f"the agent takes nothing; of what waits for it, the latest {QUEUE_LIMIT} are kept")
            self._backlog = True
        self._outgoing.append(event)
        self._news.set()

    async def stats(self, codec: str, rate: int) -> ConnectionStats:
        """What can be told of a wire with this codec and rate (Hz); all but the round trip when the agent is gone."""
        trip = None
        with suppress(SocketClosedError):  # the inbox is told why
            trip = await self._socket.ping()
        return ConnectionStats(codec, rate, trip, self._messages, lost=0)  # TCP loses none

    async def close(self, last: Event | None = None) -> None:
        """Say a last word, if there is one and the agent still reads, and hang up."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if last is not None and self._taking:
            with suppress(SocketClosedError, TimeoutError):
                async with asyncio.timeout(LAST_WORD):
                    await self._socket.send(last)
        await self._socket.close()

    async def _read(self, parse: Callable[[bytes], Event | None], early: list[Event]) -> None:
        self._messages = len(early)
        for event in early:
            await self._take(event)
        try:
            while self._inbox.admit(message := await self._socket.recv()):
                self._messages += 1
                with self._inbox.work.measured():
                    read = parse(message)
                if read is not None:
                    await self._take(read)
        except SocketClosedError as closed:
            self._taking = False
            await self._over(closed)

    async def _take(self, event: Event) -> None:
        with self._inbox.work.measured():
            self._react(event)
        await asyncio.sleep(0)  # however much has come, the call goes on meanwhile

    async def _write(self) -> None:
        try:
            while True:
                while self._outgoing:
                    await self._socket.send(self._outgoing.popleft())
                self._news.clear()
                await self._news.wait()
        except SocketClosedError:
            self._taking = False  # the reader tells why

    def _report(self, task: "asyncio.Task[None]") -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._inbox.broke(error)
