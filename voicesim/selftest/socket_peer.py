"""The scripted agent behind OpenAI's Realtime protocol over WebSocket.

It sends as such agents do: a whole reply as fast as it can, when it begins; and when it is interrupted, the message on
which the client drops what it has not played.
"""

import asyncio
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from voicesim.selftest.agent import ScriptedAgent
from voicesim.sound import RATE, TICK, Pcm, samples

if TYPE_CHECKING:
    from aiohttp import web

CHUNK = samples(0.1)
"""Samples in one message."""


class _Conversation:
    """One call, tick by tick."""

    def __init__(self, agent: ScriptedAgent, socket: "web.WebSocketResponse") -> None:
        self._agent, self._socket = agent, socket
        self._now = 0
        self._reply = 0
        self._sent_to = 0
        self._stopping: set[asyncio.Task[None]] = set()

    async def take(self, event: dict[str, Any]) -> None:
        """One event of the client."""
        match event.get("type"):
            case "session.update":
                await self._send({"type": "session.updated", "session": event["session"]})
            case "input_audio_buffer.append":
                await self._tick(np.frombuffer(b64decode(event["audio"]), "<i2").astype(np.int16))

    async def _tick(self, caller: Any) -> None:
        self._agent.tick(caller)
        last = self._now + TICK
        if (speech := self._agent.speech) is not None:
            start, end = speech
            if self._now <= start < last:
                self._reply, self._sent_to = self._reply + 1, end
                await self._speak(self._agent.said(self._now, end))
            elif self._now <= end < last and end < self._sent_to:
                self._sent_to = end
                stop = asyncio.get_running_loop().create_task(self._stop((end - self._now) / RATE))
                self._stopping.add(stop)
        self._now = last

    async def _speak(self, pcm: Pcm) -> None:
        """A whole reply, far faster than it is heard."""
        for first in range(0, len(pcm), CHUNK):
            data = b64encode(pcm[first : first + CHUNK].astype("<i2").tobytes()).decode("ascii")
            await self._send(self._named("response.output_audio.delta") | {"delta": data})
            await asyncio.sleep(0)  # the caller lives on the same loop, and a server would not hold it up
        await self._send(self._named("response.output_audio.done"))

    async def _stop(self, wait: float) -> None:
        await asyncio.sleep(wait)
        await self._send({"type": "input_audio_buffer.speech_started", "item_id": "caller", "audio_start_ms": 0})

    def _named(self, kind: str) -> dict[str, Any]:
        name = str(self._reply)
        return {"type": kind, "response_id": f"r{name}", "item_id": f"i{name}", "output_index": 0, "content_index": 0}

    async def _send(self, event: dict[str, Any]) -> None:
        if not self._socket.closed:
            await self._socket.send_json(event)


@asynccontextmanager
async def served(agent: ScriptedAgent) -> AsyncIterator[str]:
    """The base URL (ending in /v1) of a server whose only call the agent takes, on a free port of this machine."""
    from aiohttp import web

    async def realtime(request: "web.Request") -> "web.StreamResponse":
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        conversation = _Conversation(agent, socket)
        await socket.send_json({"type": "session.created", "session": {}})
        async for message in socket:
            await conversation.take(message.json())
        return socket

    app = web.Application()
    app.router.add_get("/v1/realtime", realtime)
    runner = web.AppRunner(app, shutdown_timeout=1.0)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0][:2]
        yield f"http://{host}:{port}/v1"
    finally:
        await runner.cleanup()
