"""The timed agent behind WebRTC: one aiortc peer a call, served where Pipecat's bots and OpenAI take offers.

Each 20 ms that arrive are given to the agent, and what it says meanwhile leaves as the next 20 ms. So the
n-th sample out belongs to the n-th sample in, and the delay of the whole way is constant.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from voicesim.audio.resampling import StreamResampler
from voicesim.audio.samples import RATE, TICK, Pcm
from voicesim.selftest.agent import TimedAgent
from voicesim.transports.webrtc_audio import WIRE_RATE, Frames, samples_of, track_of

if TYPE_CHECKING:
    from aiohttp import web
    from aiortc import MediaStreamTrack


class _Peer:
    """One call."""

    def __init__(self, agent: TimedAgent) -> None:
        from aiortc import RTCConfiguration, RTCPeerConnection

        self._agent, self._said, self._frames = agent, asyncio.Queue[Pcm](), Frames()
        self._connection: RTCPeerConnection = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        self._listening: set[asyncio.Task[None]] = set()

    async def answer(self, sdp: str) -> str:
        from aiortc import RTCSessionDescription

        self._connection.addTrack(track_of(self._next_frame))
        self._connection.on("track", self._heard)
        await self._connection.setRemoteDescription(RTCSessionDescription(sdp=sdp, type="offer"))
        await self._connection.setLocalDescription(await self._connection.createAnswer())
        return str(self._connection.localDescription.sdp)

    async def close(self) -> None:
        await self._connection.close()
        for task in self._listening:
            task.cancel()
        await asyncio.gather(*self._listening, return_exceptions=True)

    async def _next_frame(self) -> Any:
        """What the agent says leaves at the pace at which the caller's sound comes."""
        return self._frames.next(await self._said.get())

    def _heard(self, track: "MediaStreamTrack") -> None:
        self._listening.add(asyncio.get_running_loop().create_task(self._listen(track)))

    async def _listen(self, track: "MediaStreamTrack") -> None:
        from aiortc.mediastreams import MediaStreamError

        convert, waiting = StreamResampler(WIRE_RATE, RATE), np.zeros(0, np.int16)
        with contextlib.suppress(MediaStreamError):
            while True:
                frame: Any = await track.recv()
                waiting = np.concatenate([waiting, convert.feed(samples_of(frame))])
                while len(waiting) >= TICK:
                    self._said.put_nowait(self._agent.tick(waiting[:TICK]))
                    waiting = waiting[TICK:]


@asynccontextmanager
async def served_over_webrtc(agent: TimedAgent) -> AsyncIterator[str]:
    """The address (`127.0.0.1:PORT`) of a server whose only call the agent takes, on a free port of this machine."""
    from aiohttp import web

    peer = _Peer(agent)

    async def as_json(request: "web.Request") -> "web.Response":
        answer = await peer.answer(str((await request.json())["sdp"]))
        return web.json_response({"sdp": answer, "type": "answer", "pc_id": "selftest"})

    async def as_form(request: "web.Request") -> "web.Response":
        answer = await peer.answer(_text((await request.post())["sdp"]))
        return web.Response(status=201, text=answer, content_type="application/sdp")

    async def as_session(request: "web.Request") -> "web.Response":
        answer = await peer.answer(str((await request.json())["transport"]["sdp"]))
        transport = {"type": "webrtc", "sdp": answer}
        return web.json_response({"session": {"id": "live_selftest"}, "transport": transport}, status=201)

    app = web.Application()
    app.router.add_post("/api/offer", as_json)
    app.router.add_post("/v1/live/sessions", as_session)
    app.router.add_post("/v1/realtime/calls", as_form)
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        yield f"{host}:{port}"
    finally:
        await peer.close()
        await runner.cleanup()


def _text(field: Any) -> str:
    """A field of a form; a part with a content type of its own comes as bytes."""
    return field.decode() if isinstance(field, bytes | bytearray) else str(field)
