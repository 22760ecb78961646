"""The timed agent behind a WebSocket, whatever protocol is spoken on it.

It sends as such agents do: a whole reply as fast as it can, when it begins; and when it is interrupted, the message on
which the client drops what it has not played. Where a protocol has no such message, it sends its sound as it
says it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from voicesim.audio.samples import RATE, TICK, Pcm
from voicesim.selftest.agent import TimedAgent
from voicesim.transports.spec import ServerProtocol

if TYPE_CHECKING:
    from aiohttp import web


class _Conversation:
    """One call, tick by tick."""

    def __init__(self, agent: TimedAgent, protocol: ServerProtocol, socket: "web.WebSocketResponse") -> None:
        self._agent, self._protocol, self._socket = agent, protocol, socket
        self._now = 0
        self._sent_to = 0
        self._paced = protocol.clear() is None
        self._stopping: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Until the caller hangs up."""
        for message in self._protocol.greeting():
            await self._send(message)
        async for received in self._socket:
            if len(pcm := self._protocol.decode(received.data)):
                await self._tick(pcm)

    async def _tick(self, caller: Pcm) -> None:
        said = self._agent.tick(caller)
        last = self._now + TICK
        if self._paced:
            self._now = last
            await self._speak(said)
            return
        if (speech := self._agent.speech) is not None:
            start, end = speech
            if self._now <= start < last:
                self._sent_to = end
                await self._speak(self._agent.said(self._now, end))
            elif self._now <= end < last and end < self._sent_to:
                self._sent_to = end
                stop = asyncio.get_running_loop().create_task(self._stop((end - self._now) / RATE))
                self._stopping.add(stop)
        self._now = last

    async def _speak(self, pcm: Pcm) -> None:
        """A whole reply, far faster than it is heard; or 20 ms of one."""
        for message in self._protocol.encode(pcm):
            await self._send(message)
            await asyncio.sleep(0)  # the caller lives on the same loop, and a server would not hold it up

    async def _stop(self, wait: float) -> None:
        await asyncio.sleep(wait)
        if (clear := self._protocol.clear()) is not None:
            await self._send(clear)

    async def _send(self, message: str | bytes) -> None:
        if self._socket.closed:
            return
        if isinstance(message, bytes):
            await self._socket.send_bytes(message)
        else:
            await self._socket.send_str(message)


@asynccontextmanager
async def served_over_websocket(agent: TimedAgent, protocol: ServerProtocol) -> AsyncIterator[str]:
    """The address (`127.0.0.1:PORT`) of a server whose only call the agent takes, on a free port of this machine."""
    from aiohttp import web

    async def call(request: "web.Request") -> "web.StreamResponse":
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        await _Conversation(agent, protocol, socket).run()
        return socket

    app = web.Application()
    app.router.add_get(protocol.path, call)
    runner = web.AppRunner(app, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        yield f"{host}:{port}"
    finally:
        await runner.cleanup()
