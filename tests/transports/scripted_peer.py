"""A WebRTC agent with a script: an aiohttp server and one aiortc peer a call, no model and no voice.

It answers `delay` seconds of its own media time after the caller's tone ends, with a tone of one second.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from aiohttp import web
from aiortc import MediaStreamTrack, RTCDataChannel, RTCPeerConnection, RTCSessionDescription
from av import AudioFrame

FRAME = 960


class ScriptedTrack(MediaStreamTrack):
    """Silence and, when asked, a tone; paced by absolute deadlines, times step by frames."""

    kind = "audio"

    def __init__(self) -> None:
        super().__init__()
        self._frame = 0
        self._start = 0.0
        self.tone_from: int | None = None

    async def recv(self) -> Any:
        if not self._frame:
            self._start = time.monotonic()
        await asyncio.sleep(max(0.0, self._start + self._frame * 0.02 - time.monotonic()))
        n = np.arange(self._frame * FRAME, (self._frame + 1) * FRAME)
        pcm = np.zeros(FRAME, np.int16)
        if self.tone_from is not None:
            inside = (n >= self.tone_from) & (n < self.tone_from + 48_000)
            pcm[inside] = np.rint(8000 * np.sin(2 * np.pi * 440 * n[inside] / 48_000)).astype(np.int16)
        frame = AudioFrame.from_ndarray(np.repeat(pcm, 2).reshape(1, -1), format="s16", layout="stereo")
        frame.sample_rate, frame.time_base, frame.pts = 48_000, Fraction(1, 48_000), self._frame * FRAME
        self._frame += 1
        return frame

    def speak_in(self, delay: float) -> None:
        self.tone_from = self._frame * FRAME + round(delay * 48_000)


@dataclass
class Peer:
    """What the server did in its only call."""

    base_url: str
    delay: float
    hang_up_after: float | None
    tracks: int = 1
    messages: tuple[str, ...] = ()
    track: MediaStreamTrack | None = None
    requests: list[dict[str, str]] = field(default_factory=list)
    connections: list[RTCPeerConnection] = field(default_factory=list)
    tasks: set["asyncio.Task[None]"] = field(default_factory=set)

    async def answer(self, sdp: str) -> str:
        connection = RTCPeerConnection()
        self.connections.append(connection)
        out, *others = (ScriptedTrack() for _ in range(self.tracks))
        for track in (self.track or out, *others):
            connection.addTrack(track)

        @connection.on("datachannel")
        def opened(channel: RTCDataChannel) -> None:
            for message in self.messages:
                channel.send(message)

        @connection.on("track")
        def heard(track: MediaStreamTrack) -> None:
            self._spawn(self._listen(track, out))

        await connection.setRemoteDescription(RTCSessionDescription(sdp, "offer"))
        await connection.setLocalDescription(await connection.createAnswer())
        if self.hang_up_after is not None:
            self._spawn(self._hang_up(connection, self.hang_up_after))
        return str(connection.localDescription.sdp)

    async def _listen(self, track: MediaStreamTrack, out: ScriptedTrack) -> None:
        loud = False
        while True:
            frame: Any = await track.recv()
            now_loud = int(np.abs(frame.to_ndarray()).max()) > 1000
            if loud and not now_loud:
                out.speak_in(self.delay)
            loud = now_loud

    async def _hang_up(self, connection: RTCPeerConnection, after: float) -> None:
        await asyncio.sleep(after)
        await connection.close()

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)


@asynccontextmanager
async def scripted_peer(
    *,
    delay: float = 0.5,
    status: int = 201,
    hang_up_after: float | None = None,
    answer: str | None = None,
    tracks: int = 1,
    messages: tuple[str, ...] = (),
    track: MediaStreamTrack | None = None,
) -> AsyncIterator[Peer]:
    """Serve `/v1/realtime/calls` and `/api/offer` on a free port of this machine."""
    peer = Peer("", delay, hang_up_after, tracks, messages, track)

    async def realtime(request: web.Request) -> web.Response:
        if request.content_type == "application/sdp":
            form = {"sdp": await request.text()}
        else:
            # The parts carry content types of their own, so aiohttp hands them over as bytes.
            form = {name: bytes(part).decode() for name, part in (await request.post()).items()}  # type: ignore[arg-type]
        peer.requests.append(form | {"key": request.headers["Authorization"]})
        if status >= 400:
            return web.json_response({"error": {"message": "no"}}, status=status)
        sdp = answer if answer is not None else await peer.answer(form["sdp"])
        return web.Response(text=sdp, status=status, content_type="application/sdp")

    async def offer(request: web.Request) -> web.Response:
        body = await request.json()
        if status >= 400:
            return web.json_response({"detail": "no"}, status=status)
        return web.json_response({"sdp": await peer.answer(body["sdp"]), "type": "answer"})

    app = web.Application()
    app.router.add_post("/v1/realtime/calls", realtime)
    app.router.add_post("/api/offer", offer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    peer.base_url = f"http://127.0.0.1:{port}"
    try:
        yield peer
    finally:
        for task in peer.tasks:
            task.cancel()
        await asyncio.gather(*peer.tasks, return_exceptions=True)
        await asyncio.gather(*(connection.close() for connection in peer.connections))
        await runner.cleanup()


class BlocksTrack(MediaStreamTrack):
    """A tone in blocks (begin, end in seconds), and nothing at all between them.

    Times of the frames count what was sent, or go on with the clock when `jumping`.
    """

    kind = "audio"

    def __init__(self, blocks: tuple[tuple[float, float], ...], *, jumping: bool) -> None:
        super().__init__()
        self._due = [frame for begin, end in blocks for frame in range(round(begin * 50), round(end * 50))]
        self._sent = 0
        self._start = 0.0
        self._jumping = jumping

    async def recv(self) -> Any:
        if not self._sent:
            self._start = time.monotonic()
        if self._sent == len(self._due):
            await asyncio.Event().wait()
        due = self._due[self._sent]
        await asyncio.sleep(max(0.0, self._start + due * 0.02 - time.monotonic()))
        count = due if self._jumping else self._sent
        n = np.arange(count * FRAME, (count + 1) * FRAME)
        pcm = np.rint(8000 * np.sin(2 * np.pi * 440 * n / 48_000)).astype(np.int16)
        frame = AudioFrame.from_ndarray(np.repeat(pcm, 2).reshape(1, -1), format="s16", layout="stereo")
        frame.sample_rate, frame.time_base, frame.pts = 48_000, Fraction(1, 48_000), count * FRAME
        self._sent += 1
        return frame
