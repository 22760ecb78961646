"""One call over WebSocket: the caller's sound comes in events, the agent's goes out in events."""

import asyncio
import uuid
from typing import TYPE_CHECKING

from voicesim.reference_agents.realtime.call import GREET_AFTER, MakeTalk
from voicesim.reference_agents.realtime.tasks import Tasks

if TYPE_CHECKING:
    from aiohttp import web

UNSENT = 2_000
"""Events that may wait for a client that does not read; with more, the call ends."""


class SocketCall:
    """Lives from the upgrade until the client or the brain ends the call."""

    def __init__(self, make: MakeTalk, socket: "web.WebSocketResponse") -> None:
        """`socket` is an open aiohttp WebSocket."""
        short = uuid.uuid4().hex[:12]
        self.id = f"ws_{short}"
        self._socket = socket
        self._unsent: asyncio.Queue[str] = asyncio.Queue(UNSENT)
        self._tasks = Tasks(self.id, self.close)
        self._talk = make(short, self._tasks, self.close)

    async def run(self) -> None:
        """Talks until the call is over."""
        from aiohttp import WSMsgType

        self._talk.outbox.attach(self)
        self._tasks.spawn(self._write())
        self._tasks.later(GREET_AFTER, self._greet)
        try:
            async for message in self._socket:
                self._talk.message(message.data if message.type is WSMsgType.TEXT else None)
        finally:
            await self.close()

    async def close(self) -> None:
        """Hangs up and ends everything that runs for this call."""
        self._talk.stop()
        await self._socket.close()
        await self._tasks.end()

    @property
    def readyState(self) -> str:  # noqa: N802  (the outbox asks as it asks a data channel)
        return "closed" if self._socket.closed else "open"

    def send(self, text: str) -> None:
        """Queues one server event."""
        try:
            self._unsent.put_nowait(text)
        except asyncio.QueueFull:
            self._tasks.spawn(self.close())

    async def _write(self) -> None:
        while True:
            text = await self._unsent.get()
            try:
                await self._socket.send_str(text)
            except ConnectionError:
                return  # the reader meets the end, too

    async def _greet(self) -> None:
        self._talk.greet()
