"""Whatever an agent's server sends over a real connection: the call goes on, or it ends as the agent's doing."""

import asyncio
import base64
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from aiohttp import web
from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from hypothesis import given
from hypothesis import strategies as st
from inboxes import Heard, tone
from scripted_socket import Agent, scripted_socket, served

from fuzz.odd import CHANGES, FUZZ, PLACES, VALUES, as_json, changed
from voicesim.audio.g711 import encode
from voicesim.catalog.agent_file import AgentFile
from voicesim.errors import TransportError
from voicesim.recording.events import EVENT
from voicesim.transports.base import SendsAhead, Transport
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.chirp import Chirp
from voicesim.transports.openai_live_webrtc import LiveWebRTC
from voicesim.transports.openai_webrtc import OpenAIWebRTC
from voicesim.transports.pcm_format import PcmFormat
from voicesim.transports.pcm_ws import PcmAgentFile, PcmSocket
from voicesim.transports.smallwebrtc import SmallWebRTC
from voicesim.transports.twilio import Twilio
from voicesim.transports.webrtc import Peer

SOUND = base64.b64encode(encode(tone(8_000, 0.1)).tobytes()).decode()
MESSAGES: tuple[dict[str, Any], ...] = (
    {"event": "media", "streamSid": "MZ1", "media": {"payload": SOUND}},
    {"event": "mark", "streamSid": "MZ1", "mark": {"name": "end"}},
    {"event": "clear", "streamSid": "MZ1"},
    {"audio": {"data": SOUND}, "type": "sound"},
    {"type": "clear"},
    {"type": "speech.started", "ts_ms": 5, "data": {"utterance_id": "u1"}},
)
ODD = st.one_of(
    st.binary(max_size=300),
    st.text(max_size=50),
    VALUES.map(as_json),
    st.builds(lambda *change: as_json(changed(*change)), st.sampled_from(MESSAGES), PLACES, CHANGES, VALUES),
)


def pcm(url: str, **form: Any) -> Transport:
    return PcmSocket(url, PcmAgentFile(agent=f"pcm:{url}", pcm=PcmFormat(**form)))


WIRES: dict[str, Callable[[str], Transport]] = {
    "twilio": Twilio,
    "chirp": Chirp,
    "pcm of 16 bits": pcm,
    "pcm of floats": lambda url: pcm(url, sample="float32", channels=2, rate=48_000),
    "pcm in JSON": lambda url: pcm(
        url, sample="mulaw", rate=8_000, encoding="base64", json_path="audio.data", clear_when={"type": "clear"}
    ),
}


def unblamed(inbox: Heard) -> None:
    """Nothing of it was the harness's fault, and what was told can be read back."""
    assert all(by != "harness" for by, _ in inbox.over), inbox.over
    for event in inbox.events:
        assert EVENT.validate_json(event.model_dump_json()).type == event.type


@pytest.mark.parametrize("wire", WIRES)
@FUZZ
@given(messages=st.lists(ODD, max_size=6))
def test_messages_over_a_websocket(wire: str, messages: list[str | bytes]) -> None:
    async def send(agent: Agent) -> None:
        for message in messages:
            if isinstance(message, bytes):
                await agent.socket.send_bytes(message)
            else:
                await agent.socket.send_str(message.encode("utf-8", "replace").decode())
        await agent.socket.close()

    async def call() -> Heard:
        async with scripted_socket(send) as server:
            transport, inbox = WIRES[wire](server.url), Heard()
            await transport.open(BoundedInbox(inbox))
            for _ in range(20):
                transport.send(np.zeros(480, np.int16))
                await asyncio.sleep(0.001)
            assert isinstance(transport, SendsAhead)
            transport.stop()
            await transport.close()
            return inbox

    unblamed(asyncio.run(call()))


LINES = st.one_of(
    st.sampled_from(["", "m=audio 9 UDP/TLS/RTP/SAVPF 111", "a=candidate:1 1 udp 1 0.0.0.0 9 typ host", "a=setup:x"]),
    st.text(max_size=40),
)


@FUZZ
@given(place=PLACES, change=st.sampled_from(["replace", "drop", "twice", "cut", "all"]), line=LINES, word=PLACES)
def test_an_sdp_answer_with_one_line_changed(place: int, change: str, line: str, word: int) -> None:
    async def call() -> Heard:
        inbox = Heard()
        peer = Peer([], connect_limit=0.05)
        peer.connection.createDataChannel("chat")
        sdp = await answered(await peer.offer(BoundedInbox(inbox)))
        try:
            with pytest.raises(TransportError):  # nobody is there who could connect
                await peer.answer(spoiled(sdp, place, change, line, word), BoundedInbox(inbox))
        finally:
            await peer.close()
        return inbox

    unblamed(asyncio.run(call()))


async def answered(offer: str) -> str:
    peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    await peer.setRemoteDescription(RTCSessionDescription(offer, "offer"))
    await peer.setLocalDescription(await peer.createAnswer())
    sdp = str(peer.localDescription.sdp)
    await peer.close()
    return sdp


def spoiled(sdp: str, place: int, change: str, line: str, word: int) -> str:
    lines = sdp.splitlines()
    at = place % len(lines)
    words = lines[at].split(" ")
    words[word % len(words)] = line
    put = {
        "replace": [" ".join(words)],
        "drop": [],
        "twice": [lines[at]] * 2,
        "cut": [lines[at][: word % (len(lines[at]) + 1)]],
        "all": [line],
    }
    return "\r\n".join([*lines[:at], *put[change], *lines[at + 1 :], ""])


BOT = AgentFile(agent="smallwebrtc:http://h")
SIGNALLING: dict[str, Callable[[str], Transport]] = {
    "offer": lambda url: SmallWebRTC(url, BOT),
    "start": lambda url: SmallWebRTC(f"{url}/start", BOT),
    "openai-live": lambda url: LiveWebRTC("m", base_url=f"{url}/v1", key="any"),
    "openai": lambda url: OpenAIWebRTC("m", base_url=f"{url}/v1", key="any", settings=AgentFile(agent="openai:m")),
}
ANSWERS: tuple[dict[str, Any], ...] = (
    {"sdp": "v=0", "type": "answer", "pc_id": "1"},
    {"sessionId": "a/../b", "iceConfig": {"iceServers": []}},
    {"session": {"id": "s"}, "transport": {"type": "webrtc", "sdp": "v=0"}},
    {"error": {"message": "no", "code": "x", "param": "y"}},
)
BODIES = st.one_of(
    st.binary(max_size=100),
    VALUES.map(lambda value: as_json(value).encode("utf-8", "replace")),
    st.builds(
        lambda *change: as_json(changed(*change)).encode("utf-8", "replace"),
        st.sampled_from(ANSWERS),
        PLACES,
        CHANGES,
        VALUES,
    ),
)
STATUSES = st.sampled_from([200, 201, 204, 400, 401, 404, 429, 500, 503])


@pytest.mark.parametrize("kind", SIGNALLING)
@FUZZ
@given(status=STATUSES, body=BODIES, coding=st.sampled_from(["", "identity", "gzip", "klingon"]))
def test_an_answer_over_http(kind: str, status: int, body: bytes, coding: str) -> None:
    async def answer(_: web.Request) -> web.StreamResponse:
        return web.Response(status=status, body=body, headers={"Content-Encoding": coding} if coding else {})

    async def call() -> None:
        async with served(answer) as place:
            transport = SIGNALLING[kind](f"http://{place}")
            with pytest.raises(TransportError):
                await transport.open(BoundedInbox(Heard()))
            await transport.close()

    asyncio.run(call())


def test_what_is_changed_is_right_before() -> None:
    """Otherwise nothing would be tried but the first check."""

    async def answers() -> None:
        offer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        offer.addTransceiver("audio")
        offer.createDataChannel("chat")
        await offer.setLocalDescription(await offer.createOffer())
        await offer.setRemoteDescription(
            RTCSessionDescription(spoiled(await answered(offer.localDescription.sdp), 0, "replace", "v=0", 0), "answer")
        )
        await offer.close()

    asyncio.run(answers())
    assert json.loads(as_json(MESSAGES[0]))["media"]["payload"] == SOUND
