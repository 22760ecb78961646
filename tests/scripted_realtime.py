"""A Realtime server with a script, in place of the WebSocket: no network, exact times on a virtual loop.

The script is a coroutine that gets the server; `at` counts from the caller's first sound, which is the call clock.
"""

import asyncio
import json
from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from voicesim.audio.samples import TICK, Pcm, samples, seconds
from voicesim.transports.openai_socket import Address, SocketClosedError
from voicesim.transports.openai_ws import OpenAIWebSocket

LOUD = 8000


def tone(seconds: float) -> Pcm:
    """A level that is not silence, so that edges are known to the sample."""
    return np.full(samples(seconds), LOUD, np.int16)


class ScriptedServer:
    """Both ends of one connection: what the line sends is kept, what the script emits is received."""

    def __init__(self, script: "Script", *, confirms: bool = True) -> None:
        self._script, self._confirms = script, confirms
        self._out: asyncio.Queue[bytes | SocketClosedError] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self._first_sound = asyncio.Event()
        self._start = 0.0
        self._news = asyncio.Event()
        self.events: list[tuple[float, Mapping[str, Any]]] = []
        self._heard = self._loud_to = 0
        self._buffered = 0
        self.commits: list[tuple[float, float]] = []
        """Call second of every commit, and the seconds of sound in the buffer then."""
        self.reading = True
        self.closed = False

    def line(self, **options: Any) -> OpenAIWebSocket:
        """The line that reaches this server."""
        return OpenAIWebSocket("m", key="very-secret", connect=self._connect, **options)

    # -- for the script

    async def at(self, second: float) -> None:
        """Wait for a call second."""
        await self._first_sound.wait()
        await asyncio.sleep(max(0.0, self._start + second - asyncio.get_running_loop().time()))

    def emit(self, kind: str, **fields: Any) -> None:
        self._out.put_nowait(json.dumps({"type": kind, **fields}).encode())

    def delta(self, pcm: Pcm, item: str = "i1", response: str = "r1") -> None:
        data = b64encode(pcm.astype("<i2").tobytes()).decode()
        self.emit("response.output_audio.delta", item_id=item, response_id=response, content_index=0, delta=data)

    def said(self, text: str, item: str = "i1", response: str = "r1") -> None:
        self.emit("response.output_audio_transcript.done", item_id=item, response_id=response, transcript=text)

    def done(self, response: str = "r1", status: str = "completed") -> None:
        self.emit("response.done", response={"id": response, "status": status})

    def close_now(self, code: int, why: str = "") -> None:
        self._out.put_nowait(SocketClosedError(code, why))

    async def speech_end(self) -> float:
        """Wait until the caller has spoken and fallen silent; the call second of its last sample."""
        while self._loud_to == 0 or self._loud_to + TICK > self._heard:
            self._news.clear()
            await self._news.wait()
        ended, self._loud_to = seconds(self._loud_to), 0
        return ended

    async def sent(self, kind: str, count: int = 1) -> float:
        """Wait until so many client events of a kind have come; the call second of the last of them."""
        while len(times := self.times(kind)) < count:
            self._news.clear()
            await self._news.wait()
        return times[count - 1]

    def times(self, kind: str) -> list[float]:
        """Call seconds of the client events of a kind."""
        return [at for at, event in self.events if event["type"] == kind]

    # -- what the line sees

    async def send(self, event: Mapping[str, Any]) -> None:
        if not self.reading:
            await asyncio.Event().wait()
        now = asyncio.get_running_loop().time()
        if event["type"] == "input_audio_buffer.append":
            self._hear(b64decode(event["audio"]), now)
            return
        self.events.append((round(now - self._start, 6), event))
        if event["type"] == "input_audio_buffer.commit":
            self.commits.append((round(now - self._start, 6), seconds(self._buffered)))
        if event["type"] in ("input_audio_buffer.clear", "input_audio_buffer.commit"):
            self._buffered = 0
        self._news.set()
        if event["type"] == "session.update" and self._confirms:
            self.emit("session.updated", session=event["session"])

    async def recv(self) -> bytes:
        message = await self._out.get()
        if isinstance(message, SocketClosedError):
            raise message
        return message

    async def ping(self) -> float:
        return 0.0

    async def close(self) -> None:
        self.closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def truncations(self) -> list[tuple[float, str, int]]:
        """Call second, item and `audio_end_ms` of every truncation."""
        return [
            (at, event["item_id"], event["audio_end_ms"])
            for at, event in self.events
            if event["type"] == "conversation.item.truncate"
        ]

    async def _connect(self, _: Address) -> "ScriptedServer":
        self.emit("session.created", session={})
        self._task = asyncio.get_running_loop().create_task(self._play())
        return self

    async def _play(self) -> None:
        await self._script(self)

    def _hear(self, data: bytes, now: float) -> None:
        if not self._first_sound.is_set():
            self._start = now
            self._first_sound.set()
        loud = np.flatnonzero(np.frombuffer(data, "<i2"))
        if len(loud):
            self._loud_to = self._heard + int(loud[-1]) + 1
        self._heard += len(data) // 2
        self._buffered += len(data) // 2
        self._news.set()


Script: TypeAlias = Callable[[ScriptedServer], Awaitable[None]]
