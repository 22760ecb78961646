"""The scripted agent behind a WebSocket, whatever protocol is spoken on it.

It sends as such agents do: a whole reply as fast as it can, when it begins; and when it is interrupted, the message on
which the client drops what it has not played.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Protocol

from voicesim.audio.samples import RATE, TICK, Pcm
from voicesim.selftest.agent import ScriptedAgent

if TYPE_CHECKING:
    from aiohttp import web

Message = str | bytes


class Dialect(Protocol):
    """A protocol, as the agent speaks it in one call."""

    path: str
    """Where on the server it is spoken."""

    def hello(self) -> Iterable[Message]:
        """What is sent as soon as somebody calls."""
        ...

    def hear(self, message: Message) -> Pcm:
        """The caller's sound in a message: 480 samples (int16, 24,000 Hz), or none."""
        ...

    def say(self, pcm: Pcm) -> Iterator[Message]:
        """A whole reply."""
        ...

    def stop(self) -> Message:
        """What of the reply has not been played, is not to be."""
        ...


class _Conversation:
    """One call, tick by tick."""

    def __init__(self, agent: ScriptedAgent, dialect: Dialect, socket: "web.WebSocketResponse") -> None:
        self._agent, self._dialect, self._socket = agent, dialect, socket
        self._now = 0
        self._sent_to = 0
        self._stopping: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Until the caller hangs up."""
        for message in self._dialect.hello():
            await self._send(message)
        async for received in self._socket:
            if len(pcm := self._dialect.hear(received.data)):
                await self._tick(pcm)

    async def _tick(self, caller: Pcm) -> None:
        self._agent.tick(caller)
        last = self._now + TICK
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
        """A whole reply, far faster than it is heard."""
        for message in self._dialect.say(pcm):
            await self._send(message)
            await asyncio.sleep(0)  # the caller lives on the same loop, and a server would not hold it up

    async def _stop(self, wait: float) -> None:
        await asyncio.sleep(wait)
        await self._send(self._dialect.stop())

    async def _send(self, message: Message) -> None:
        if self._socket.closed:
            return
        if isinstance(message, bytes):
            await self._socket.send_bytes(message)
        else:
            await self._socket.send_str(message)


@asynccontextmanager
async def served(agent: ScriptedAgent, dialect: Dialect) -> AsyncIterator[str]:
    """The address (`127.0.0.1:PORT`) of a server whose only call the agent takes, on a free port of this machine."""
    from aiohttp import web

    async def call(request: "web.Request") -> "web.StreamResponse":
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        await _Conversation(agent, dialect, socket).run()
        return socket

    app = web.Application()
    app.router.add_get(dialect.path, call)
    runner = web.AppRunner(app, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        yield f"{host}:{port}"
    finally:
        await runner.cleanup()
