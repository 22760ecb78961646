"""Servers that redirect, drip, or answer without end: nothing of ours follows, and nothing waits for them."""

import asyncio
import gzip
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from aiohttp import web
from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from inboxes import Heard
from scripted_socket import Handler, served

from voicesim.catalog.agent_file import AgentFile, Header, Limits
from voicesim.errors import TransportError
from voicesim.transports.base import Transport
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.chirp import Chirp, ChirpAgentFile, ChirpLogin
from voicesim.transports.openai_live import LiveAgentFile
from voicesim.transports.openai_live_webrtc import LiveWebRTC
from voicesim.transports.openai_live_ws import LiveWebSocket
from voicesim.transports.openai_webrtc import OpenAIWebRTC
from voicesim.transports.openai_ws import OpenAIWebSocket
from voicesim.transports.pcm_ws import PcmSocket
from voicesim.transports.smallwebrtc import SmallWebRTC
from voicesim.transports.twilio import Twilio

HEADERS = {"X-Token": Header(value="for-this-address")}
LIMITS = Limits(connect=1.0)


MAKERS: dict[str, Callable[[str], Transport]] = {
    "smallwebrtc": lambda place: SmallWebRTC(
        f"http://{place}", AgentFile(agent=f"smallwebrtc:http://{place}", headers=HEADERS, limits=LIMITS)
    ),
    "openai": lambda place: OpenAIWebRTC(
        "m",
        base_url=f"http://{place}/v1",
        key="very-secret-key",
        settings=AgentFile(agent="openai:m", headers=HEADERS, limits=LIMITS),
    ),
    "openai+ws": lambda place: OpenAIWebSocket(
        "m",
        base_url=f"http://{place}/v1",
        key="very-secret-key",
        settings=AgentFile(agent="openai+ws:m", headers=HEADERS, limits=LIMITS),
    ),
    "openai-live": lambda place: LiveWebRTC(
        "m",
        base_url=f"http://{place}/v1",
        key="very-secret-key",
        settings=LiveAgentFile(agent="openai-live:m", headers=HEADERS, limits=LIMITS),
    ),
    "openai-live+ws": lambda place: LiveWebSocket(
        "m",
        base_url=f"http://{place}/v1",
        key="very-secret-key",
        settings=LiveAgentFile(agent="openai-live+ws:m", headers=HEADERS, limits=LIMITS),
    ),
    "twilio": lambda place: Twilio(
        f"ws://{place}/ws", AgentFile(agent=f"twilio:ws://{place}/ws", headers=HEADERS, limits=LIMITS)
    ),
    "pcm": lambda place: PcmSocket(
        f"ws://{place}/ws", AgentFile(agent=f"pcm:ws://{place}/ws", headers=HEADERS, limits=LIMITS)
    ),
    "chirp": lambda place: Chirp(
        f"ws://{place}",
        ChirpAgentFile(
            agent=f"chirp:ws://{place}", headers=HEADERS, limits=LIMITS, chirp=ChirpLogin(username="tester")
        ),
    ),
}
OVER_HTTP = ("smallwebrtc", "openai", "openai-live")


async def refusal(transport: Transport) -> str:
    with pytest.raises(TransportError) as told:
        await transport.open(BoundedInbox(Heard()))
    await transport.close()
    return str(told.value)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("name", MAKERS)
async def test_no_redirect_is_followed_with_headers_keys_or_an_offer(name: str, status: int) -> None:
    reached: list[str] = []

    async def other(request: web.Request) -> web.StreamResponse:
        reached.append(str(request.headers))
        return web.Response(status=200)

    async with served(other) as elsewhere:

        async def redirect(request: web.Request) -> web.StreamResponse:
            return web.Response(status=status, headers={"Location": f"http://{elsewhere}{request.path}"})

        async with served(redirect) as place:
            assert "redirects" in await refusal(MAKERS[name](place))
    assert reached == []


async def endless(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    while True:
        await response.write(b"v=0\r\n" * 10_000)


async def dripping(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    while True:
        await response.write(b"v")
        await asyncio.sleep(0.1)


BOMB = gzip.compress(b"v" * 20_000_000, 9)


async def bomb(_: web.Request) -> web.StreamResponse:
    return web.Response(body=BOMB, headers={"Content-Encoding": "gzip"})


async def never(_: web.Request) -> web.StreamResponse:
    await asyncio.sleep(60)
    return web.Response()


@pytest.mark.parametrize(
    ("handler", "told"),
    [
        (endless, "answered more than 1,000,000 bytes"),
        (dripping, "did not answer within 1 s"),
        (bomb, "answered more than 1,000,000 bytes, packed into less"),
        (never, "did not answer within 1 s"),
    ],
)
@pytest.mark.parametrize("name", OVER_HTTP)
async def test_an_answer_is_bounded_in_time_size_and_unpacked_size(name: str, handler: Handler, told: str) -> None:
    async with served(handler) as place:
        begun = time.monotonic()
        assert told in await refusal(MAKERS[name](place))
        assert time.monotonic() - begun < 10.0


@pytest.mark.parametrize("name", ["openai+ws", "openai-live+ws", "twilio", "pcm", "chirp"])
async def test_a_handshake_that_is_never_answered_ends_in_time(name: str) -> None:
    async with served(never) as place:
        begun = time.monotonic()
        await refusal(MAKERS[name](place))
        assert time.monotonic() - begun < 10.0


async def answers_and_never_comes(request: web.Request) -> web.StreamResponse:
    peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    await peer.setRemoteDescription(RTCSessionDescription((await request.json())["sdp"], "offer"))
    await peer.setLocalDescription(await peer.createAnswer())
    sdp = peer.localDescription.sdp
    await peer.close()
    return web.json_response({"sdp": sdp, "type": "answer"})


async def refuses(_: web.Request) -> web.StreamResponse:
    return web.Response(status=400)


@pytest.mark.parametrize("handler", [answers_and_never_comes, refuses])
async def test_offers_that_come_to_nothing_leave_no_file_open(handler: Handler) -> None:
    def opened() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    async with served(handler) as place:
        await refusal(MAKERS["smallwebrtc"](place))
        before = opened()
        await asyncio.gather(*(refusal(MAKERS["smallwebrtc"](place)) for _ in range(20)))
        await asyncio.sleep(0.1)
        assert opened() <= before
