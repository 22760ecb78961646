"""A WebSocket agent with a script: an aiohttp server on this machine whose every call runs one coroutine."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import WSMsgType, web


@dataclass
class Agent:
    """The agent's side of one call."""

    socket: web.WebSocketResponse
    request: web.Request
    got: list[str | bytes] = field(default_factory=list)

    async def listen(self) -> None:
        """Keep all messages until the caller closes."""
        async for message in self.socket:
            if message.type in {WSMsgType.TEXT, WSMsgType.BINARY}:
                self.got.append(message.data)

    def vanish(self) -> None:
        """Break the connection off, as a killed process does."""
        assert self.request.transport is not None
        self.request.transport.abort()


Script = Callable[[Agent], Awaitable[None]]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Server:
    url: str
    agents: list[Agent] = field(default_factory=list)


@asynccontextmanager
async def scripted_socket(
    script: Script, status: int | None = None, tls: ssl.SSLContext | None = None, words: str = ""
) -> AsyncIterator[Server]:
    """Serve `script` at ws://127.0.0.1:PORT/ws (wss with `tls`); with a status, refuse every call in these words."""

    async def call(request: web.Request) -> web.StreamResponse:
        if status is not None:
            return web.Response(status=status, text=words)
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        agent = Agent(socket, request)
        server.agents.append(agent)
        await script(agent)
        return socket

    app = web.Application()
    app.router.add_get("/ws", call)
    runner = web.AppRunner(app, shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls)
    await site.start()
    server = Server(f"{'wss' if tls else 'ws'}://127.0.0.1:{runner.addresses[0][1]}/ws")
    try:
        yield server
    finally:
        await runner.cleanup()
        await asyncio.sleep(0)


@asynccontextmanager
async def served(handler: Handler) -> AsyncIterator[str]:
    """HOST:PORT of a server on this machine that handles every request in this way."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handler)
    runner = web.AppRunner(app, shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()
