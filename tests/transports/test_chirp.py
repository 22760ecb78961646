"""CHIRP: what a Rasa server is asked for, what its sound and events become, and what it may send besides."""

import asyncio
import base64
import json

import numpy as np
import pytest
from aiohttp import web
from inboxes import Heard
from scripted_socket import served
from speechlike import speechlike

from voicesim.audio.g711 import encode
from voicesim.audio.samples import RATE, TICK, seconds, to_pcm
from voicesim.catalog.agent_file import AgentFile
from voicesim.catalog.resolve import resolve_agent
from voicesim.errors import TransportError, UsageError
from voicesim.recording.events import AgentMetric
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.chirp import PATH, Chirp, ChirpAgentFile, ChirpLogin

TONE = np.rint(8000 * np.sin(2 * np.pi * 440 * np.arange(16_000) / 16_000)).astype("<i2")


class Rasa:
    """The server: lets in who knows the password, says what it is given, and keeps what it hears."""

    def __init__(self, *says: str | bytes) -> None:
        self.says, self.heard = says, b""
        self.paths: list[str] = []

    async def call(self, request: web.Request) -> web.StreamResponse:
        self.paths.append(request.path)
        if request.headers.get("Authorization") != "Basic " + base64.b64encode(b"tester:open sesame").decode():
            return web.Response(status=401, text=f"refused: {request.headers.get('Authorization')}")
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        for message in self.says:
            await (socket.send_bytes(message) if isinstance(message, bytes) else socket.send_str(message))
        async for received in socket:
            self.heard += received.data
        return socket


def file(place: str, username: str = "tester") -> ChirpAgentFile:
    login = ChirpLogin(username=username, password_env="CHIRP_PASSWORD")
    return ChirpAgentFile(agent=f"chirp:ws://{place}", chirp=login)


async def test_a_call_is_let_in_and_carries_sound_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHIRP_PASSWORD", "open sesame")
    started = {"type": "speech.started", "id": "e1", "ts_ms": 1500, "data": {"utterance_id": "u1"}}
    completed = {"type": "speech.completed", "id": "e2", "ts_ms": "soon", "data": "none"}
    sound = TONE.tobytes()
    # the sound is cut in the middle of a sample
    rasa = Rasa(json.dumps(started), sound[:10_001], sound[10_001:], json.dumps(completed), '{"type": "hello"}', "[1")
    async with served(rasa.call) as place:
        transport, inbox = Chirp(f"ws://{place}", file(place)), Heard()
        await transport.open(BoundedInbox(inbox))
        for _ in range(50):
            transport.send(np.full(TICK, 1000, np.int16))
        await inbox.until(RATE)
        stats = await transport.stats()
        await asyncio.sleep(0.1)
        await transport.close()
    assert rasa.paths == [PATH]
    assert (stats.codec, stats.wire_rate) == ("int16/16000/1", 16_000)
    assert seconds(len(inbox.track())) == 1.0
    middle = inbox.track()[RATE // 4 : RATE // 2].astype(float)
    assert np.abs(np.fft.rfft(middle)).argmax() == 440 / 4  # a quarter of a second has bins of 4 Hz
    assert np.abs(middle).max() == pytest.approx(8000, rel=0.02)
    heard = np.frombuffer(rasa.heard, "<i2")
    assert len(heard) == 16_000
    assert set(heard[1000:]) == {1000}
    metrics = [event for event in inbox.events if isinstance(event, AgentMetric) and event.name != "first_byte"]
    assert [(event.name, event.detail) for event in metrics] == [("speech.started", "u1"), ("speech.completed", "")]
    assert metrics[0].value == 1.5
    assert inbox.warnings()[0] == "the agent sent a message that CHIRP does not have: hello"


async def test_a_refusal_and_a_missing_password_are_told_without_the_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHIRP_PASSWORD", "wrong password")
    rasa = Rasa()
    async with served(rasa.call) as place:
        with pytest.raises(TransportError, match="refused the call: HTTP 401: refused") as told:
            await Chirp(f"ws://{place}", file(place)).open(BoundedInbox(Heard()))
        assert base64.b64encode(b"tester:wrong password").decode() not in str(told.value)
        with pytest.raises(TransportError, match="refused: None"):
            await Chirp(f"ws://{place}").open(BoundedInbox(Heard()))
    monkeypatch.delenv("CHIRP_PASSWORD")
    with pytest.raises(UsageError, match="the password of the chirp agent needs the environment variable CHIRP_PASSW"):
        Chirp("ws://localhost:1", file("localhost:1"))


async def test_what_is_no_sound_of_the_agreed_form_ends_the_line() -> None:
    roar = encode(to_pcm(speechlike(8.0))).tobytes()  # mu-law

    async def call(request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_bytes(roar)
        await asyncio.sleep(5)
        return socket

    async with served(call) as place:
        transport, inbox = Chirp(f"ws://{place}/own/path"), Heard()
        await transport.open(BoundedInbox(inbox))
        by, why = await inbox.ended_within(5.0)
        await transport.close()
    assert by == "line"
    assert why.startswith("the agent's sound is not what was declared")


def test_the_agent_string_alone_is_enough() -> None:
    settings = resolve_agent("chirp:wss://rasa.example.org").settings
    assert isinstance(settings, ChirpAgentFile)
    assert isinstance(settings, AgentFile)
    assert Chirp("wss://rasa.example.org").name == f"chirp:wss://rasa.example.org{PATH}"
    assert Chirp("wss://rasa.example.org/own").name == "chirp:wss://rasa.example.org/own"
