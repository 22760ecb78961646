"""The full-duplex agent: it hears while it speaks, goes on or gives way by what is said, murmurs when it listens."""

import asyncio
import json
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from aiohttp import ClientWebSocketResponse, WSMsgType
from aiohttp.test_utils import TestClient, TestServer
from chirp_server import ChirpDouble
from inboxes import Heard
from openai.types.live import ServerEvent
from pydantic import TypeAdapter
from speechlike import speechlike

from voicesim.audio.samples import RATE, TICK, TICK_SECONDS, Wave, blocks, samples, to_pcm
from voicesim.catalog.find import Catalogue
from voicesim.recording.events import AgentMetric
from voicesim.reference_agents.brain import Reply, ToolUse
from voicesim.reference_agents.duplex import talker
from voicesim.reference_agents.duplex.server import PATH, DuplexServer
from voicesim.reference_agents.duplex.talker import Shared
from voicesim.reference_agents.realtime import socket_call
from voicesim.reference_agents.realtime.dialogue import Parts
from voicesim.reference_agents.realtime.playout import WIRE_RATE
from voicesim.tools.dispatcher import make_dispatcher
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.chirp import Chirp, ChirpAgentFile, ChirpLogin
from voicesim.transports.openai_live_ws import LiveWebSocket
from voicesim.transports.openai_session import AudioType

KEY = {"Authorization": "Bearer anything"}
SENTENCE = 0.5
"""Seconds of each sentence; the greeting has four."""
LONG = "One. Two. Three. Four. Five. Six. Seven."
OWN = ("tool_call", "tool_result", "tool_state")
"""Reports of the agent's own tools, which the protocol does not have."""


class Brain:
    """Greets with four sentences, looks something up, and says goodbye."""

    def __init__(self) -> None:
        self.cut: list[str] = []
        self.heard: list[str] = []
        self.greeting: str | None = "One. Two. Three. Four."

    def greet(self) -> str | None:
        return self.greeting

    async def reply(self, heard: str) -> Reply:
        self.heard.append(heard)
        return Reply("Let me see.", use=ToolUse("list_slots", {"day": "thursday"}))

    async def took(self, result: Mapping[str, Any]) -> Reply:
        assert result["ok"]
        return Reply("Goodbye.", done=True)

    def interrupted(self, spoken: str) -> None:
        self.cut.append(spoken)


class Ear:
    """Understands whatever the test says was said."""

    def __init__(self) -> None:
        self.words = ""

    def __call__(self, _: Wave) -> str:
        return self.words


class Client:
    """A WebSocket client that keeps every event."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self.socket = socket
        self.events: list[dict[str, Any]] = []

    async def start(self, **session: Any) -> None:
        sound = {"format": {"type": "audio/pcm", "rate": 24_000}}
        whole = {"model": "any", "audio": sound, "delegation": {"type": "client"}, **session}
        await self.socket.send_json({"type": "session.start", "session": whole})

    async def hear(self, *waves: Wave) -> None:
        """Send sound as fast as it goes."""
        for block in blocks(to_pcm(np.concatenate(waves))):
            audio = b64encode(block.tobytes()).decode()
            await self.socket.send_json({"type": "session.input_audio.append", "audio": audio})

    async def got(self, kind: str, text: str = "") -> dict[str, Any]:
        """The next event of a kind, with this delta if it matters."""
        async with asyncio.timeout(20):
            while True:
                message = await self.socket.receive()
                assert message.type is WSMsgType.TEXT, f"closed before {kind}; got {self.events}"
                event: dict[str, Any] = json.loads(message.data)
                self.events.append(event)
                if event["type"] == kind and text in str(event.get("delta", "")):
                    return event

    def sound(self) -> float:
        """Seconds of the agent's sound so far."""
        deltas = [event["delta"] for event in self.events if event["type"] == "session.output_audio.delta"]
        return sum(len(b64decode(delta)) for delta in deltas) / 2 / RATE

    def said(self) -> str:
        kind = "session.output_transcript.delta"
        return "".join(event["delta"] for event in self.events if event["type"] == kind).strip()


def quiet(length: float) -> Wave:
    return np.zeros(samples(length), np.float32)


@pytest.fixture
async def brain() -> Brain:
    return Brain()


@pytest.fixture
async def ear() -> Ear:
    return Ear()


@pytest.fixture
async def shared(brain: Brain, ear: Ear, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Shared]:
    """Quick voices: every sentence is half a second of one level."""
    monkeypatch.setattr(socket_call, "GREET_AFTER", 0.0)
    monkeypatch.setattr(talker, "LINGER", 0.1)
    case = Catalogue.here().case("clinic-01-dizzy-booking")
    with ThreadPoolExecutor(2) as workers:
        sentence = np.full(round(SENTENCE * WIRE_RATE), 1000, np.int16)
        parts = Parts(lambda: brain, ear, lambda _: sentence, workers, workers)
        yield Shared(parts, lambda: make_dispatcher(case))


@pytest.fixture
async def http(shared: Shared) -> AsyncIterator[TestClient[Any, Any]]:
    server = DuplexServer(shared)
    async with TestClient(TestServer(server.app())) as client:
        yield client
    await server.close()


@pytest.fixture
async def client(http: TestClient[Any, Any]) -> AsyncIterator[Client]:
    async with http.ws_connect(PATH, headers=KEY) as socket:
        yield Client(socket)


async def test_the_agent_talks_on_when_the_caller_only_shows_that_it_listens(
    client: Client, brain: Brain, ear: Ear
) -> None:
    ear.words, brain.greeting = "Mm-hmm, okay.", LONG
    await client.start()
    await client.got("session.output_transcript.delta", "One.")
    await client.hear(speechlike(0.8), quiet(1.0))
    await client.got("session.input_transcript.delta", "Mm-hmm")
    while client.sound() < 7 * SENTENCE - 0.01:
        await client.got("session.output_audio.delta")
    assert (brain.cut, brain.heard, client.said()) == ([], [], LONG)


async def test_an_interruption_is_known_by_its_words_and_answered_with_tools_of_the_agents_own(
    client: Client, brain: Brain, ear: Ear
) -> None:
    ear.words = "Wait, I can't breathe."
    await client.start()
    while client.sound() < SENTENCE:
        await client.got("session.output_audio.delta")
    await client.hear(speechlike(0.9))
    await asyncio.sleep(0.3)
    assert len(brain.cut) == 1  # the caller has not ended yet
    assert "One. Two. Three. Four.".startswith(brain.cut[0])
    await client.hear(quiet(1.0))
    told = [await client.got("tool_call"), await client.got("tool_result")]
    assert brain.heard == ["Wait, I can't breathe."]
    assert (told[0]["name"], told[0]["arguments"]) == ("list_slots", {"day": "thursday"})
    assert [slot["slot_id"] for slot in told[1]["result"]["slots"]] == ["s-02"]
    closed = await client.got("session.closed")
    assert client.said().endswith("Let me see. Goodbye.")
    assert client.sound() < 6 * SENTENCE - 0.3  # of the greeting's two seconds not all was said
    assert closed["reason"] == "remote_hangup"
    adapter: TypeAdapter[Any] = TypeAdapter(ServerEvent)
    for event in client.events:
        if event["type"] not in OWN:
            adapter.validate_python(event)  # every event is one that the openai package knows


async def test_a_caller_who_goes_on_gets_the_floor_whatever_the_words_are(
    client: Client, brain: Brain, ear: Ear
) -> None:
    ear.words, brain.greeting = "Yeah, yeah.", LONG
    await client.start()
    await client.got("session.output_transcript.delta", "One.")
    await client.hear(speechlike(2.0))
    await asyncio.sleep(0.3)
    assert brain.cut == []
    await client.hear(speechlike(1.0))
    await asyncio.sleep(0.3)
    assert len(brain.cut) == 1


async def test_the_agent_murmurs_as_a_long_turn_goes_on_and_answers_at_its_end(
    client: Client, brain: Brain, ear: Ear
) -> None:
    brain.greeting, ear.words = None, "It began on monday"
    await client.start()
    await client.got("session.started")
    await asyncio.sleep(0.2)  # its murmurs are made when the session begins
    await client.hear(speechlike(2.0), quiet(0.4), speechlike(2.0), quiet(0.4))
    await asyncio.sleep(0.2)
    await client.hear(speechlike(0.3))
    await client.got("session.output_transcript.delta", "I see.")
    assert (brain.heard, client.said()) == ([], "I see.")
    await client.hear(speechlike(1.0), quiet(1.0))
    await client.got("session.output_transcript.delta", "Let me see.")
    assert brain.cut == []


async def test_what_the_protocol_does_not_have_is_refused_by_the_name_of_its_field(client: Client) -> None:
    for event, param, code in (
        ({"type": "session.input_audio.append", "audio": ""}, "type", "session_not_started"),
        ({"type": "session.start", "session": {"model": "m", "voice": "x"}}, "session.voice", "unknown_parameter"),
        ({"type": "session.start", "session": {}}, "session.model", "missing_required_parameter"),
        ({"type": "session.input_audio.commit"}, "type", "invalid_value"),
    ):
        await client.socket.send_json(event)
        error = (await client.got("error"))["error"]
        assert (error["param"], error["code"]) == (param, code)
    await client.socket.send_str("[1")
    assert (await client.got("error"))["error"]["code"] == "invalid_json"


async def test_without_a_key_or_a_proper_offer_there_is_no_call(http: TestClient[Any, Any]) -> None:
    assert (await http.get(PATH)).status == 401
    for body in ({}, {"session": {"model": "m"}, "transport": {"type": "sip"}}, [1], "x"):
        assert (await http.post(PATH, headers=KEY, json=body)).status == 400
    session = {"model": "m", "audio": {"format": {"type": "audio/pcm", "rate": 24000}}}
    offer = {"session": session, "transport": {"type": "webrtc", "sdp": "v=0"}}
    refused = await http.post(PATH, headers=KEY, json=offer)
    assert (await refused.json())["error"]["param"] == "session.audio.format"


def chirp(place: str) -> Chirp:
    login = ChirpLogin(username="tester", password_env="CHIRP_PASSWORD")
    return Chirp(f"ws://{place}", ChirpAgentFile(agent=f"chirp:ws://{place}", chirp=login))


def live(place: str, audio: AudioType) -> LiveWebSocket:
    return LiveWebSocket("reference", base_url=f"http://{place}/v1", key="any", audio=audio)


WIRES: dict[str, Callable[[str], LiveWebSocket | Chirp]] = {
    "pcm": lambda place: live(place, "audio/pcm"),
    "pcmu": lambda place: live(place, "audio/pcmu"),
    "chirp": chirp,
}


@pytest.mark.parametrize("wire", WIRES)
async def test_our_own_transports_hear_it_to_its_goodbye(
    shared: Shared, ear: Ear, wire: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHIRP_PASSWORD", "open sesame")
    ear.words = "Is there anything on thursday?"
    server, inbox = (ChirpDouble if wire == "chirp" else DuplexServer)(shared), Heard()
    async with TestServer(server.app()) as served:
        transport = WIRES[wire](f"127.0.0.1:{served.port}")
        await transport.open(BoundedInbox(inbox))
        await inbox.until(samples(4 * SENTENCE - 0.1))
        said = iter(blocks(to_pcm(speechlike(0.8)), TICK))
        async with asyncio.timeout(20):
            while not inbox.over:
                transport.send(next(said, np.zeros(TICK, np.int16)))
                await asyncio.sleep(TICK_SECONDS)
        transport.stop()
        await transport.close()
        if isinstance(server, DuplexServer):
            await server.close()
    assert inbox.over[0][0] == "agent"
    # All of the greeting, or as much as was said when the caller spoke, and both sentences of the answer.
    assert samples(5 * SENTENCE) < len(inbox.track()) < samples(6 * SENTENCE + 0.3)
    assert inbox.warnings() == []
    if wire == "chirp":
        told = [(event.name, event.detail) for event in inbox.events if isinstance(event, AgentMetric)]
        assert [name for name, _ in told if name != "first_byte"][:2] == ["speech.started", "speech.completed"]
        assert ("speech.started", "u1") in told
    else:
        tools = [event.type for event in inbox.events if event.type.startswith("tool")]
        assert tools == ["tool_state", "tool_call", "tool_result"]
