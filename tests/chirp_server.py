"""A CHIRP server in place of a Rasa assistant: the full-duplex agent behind the other wire, with its two events."""

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable
from typing import Any

import numpy as np
from aiohttp import WSMsgType, web

from voicesim.audio.resampling import StreamResampler
from voicesim.audio.samples import RATE
from voicesim.reference_agents.duplex.protocol import parse_session
from voicesim.reference_agents.duplex.talker import Shared, Talker
from voicesim.reference_agents.realtime.playout import WIRE_RATE, Pace
from voicesim.reference_agents.realtime.tasks import Tasks
from voicesim.transports.chirp import PATH

CHIRP_RATE = 16_000
LOGIN = "Basic " + base64.b64encode(b"tester:open sesame").decode()


class _Events:
    """Takes the talker's own events, which CHIRP does not have."""

    readyState = "open"  # noqa: N815  (as the outbox asks)

    def send(self, text: str) -> None:
        """Nobody hears of it."""


class ChirpDouble:
    """Takes calls of whoever knows the password."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_get(PATH, self._call)
        return app

    async def _call(self, request: web.Request) -> web.StreamResponse:
        if request.headers.get("Authorization") != LOGIN:
            return web.Response(status=401)
        socket = web.WebSocketResponse()
        await socket.prepare(request)

        async def close() -> None:
            await socket.close()

        tasks = Tasks("chirp", close)
        session = parse_session({"model": "chirp"}, by_events=False)
        talker = Talker("chirp", self._shared, tasks, lambda: tasks.later(0.0, close), session)
        talker.outbox.attach(_Events())
        tasks.spawn(self._speak(talker, socket.send_bytes, socket.send_str))
        tasks.later(0.3, lambda: _now(talker.greet))
        convert = StreamResampler(CHIRP_RATE, RATE)
        async for message in socket:
            if message.type is WSMsgType.BINARY:
                talker.hear(convert.feed(np.frombuffer(message.data, "<i2").astype(np.int16)))
        talker.stop()
        await tasks.end()
        return socket

    async def _speak(
        self, talker: Talker, sound: Callable[[bytes], Awaitable[None]], tell: Callable[[str], Awaitable[None]]
    ) -> None:
        convert, pace, count, speaking = StreamResampler(WIRE_RATE, CHIRP_RATE), Pace(), 0, False
        while True:
            await pace.next()
            waits = talker.playout.waiting > 0
            if waits != speaking:
                speaking, count = waits, count + int(waits)
                kind = "speech.started" if waits else "speech.completed"
                event: dict[str, Any] = {"type": kind, "id": f"e{count}", "ts_ms": 0}
                await tell(json.dumps({**event, "data": {"utterance_id": f"u{count}"}}))
            if waits:
                await sound(convert.feed(talker.playout.take()).astype("<i2").tobytes())


async def _now(work: Callable[[], None]) -> None:
    await asyncio.sleep(0)
    work()
