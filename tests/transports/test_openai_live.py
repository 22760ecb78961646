"""GPT-Live: how a session is asked for, what its events become, who does delegated work, and every way it can end."""

import asyncio
import json
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import pytest
from aiohttp import web
from inboxes import Heard
from left_over import of_voicesim
from model_server import Says, model_server
from scripted_socket import served

from voicesim.audio.samples import TICK, TICK_SECONDS
from voicesim.catalog.find import Catalogue
from voicesim.catalog.resolve import resolve_agent
from voicesim.errors import TransportError, UsageError
from voicesim.recording.events import AgentHeard, AgentSaid, ToolCall, ToolResult, Usage
from voicesim.tools.dispatcher import make_dispatcher
from voicesim.transports import openai_live
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.openai_live import LiveAgentFile, LiveClient
from voicesim.transports.openai_live_webrtc import LiveWebRTC
from voicesim.transports.openai_live_ws import LiveWebSocket, make_transport

KEY = "very-secret-key"
SESSION = {"model", "instructions", "audio", "delegation"}
"""Fields that this server takes; it refuses every other, as OpenAI's does."""
Talk = Callable[["Server"], Awaitable[None]]


class Server:
    """One call: keeps what it is sent, and says what its script says."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self.socket = socket
        self.got: list[dict[str, Any]] = []

    async def emit(self, kind: str, **fields: Any) -> None:
        await self.socket.send_json({"type": kind, "event_id": "e", **fields})

    async def sound(self, value: int, count: int = TICK) -> None:
        pcm = np.full(count, value, "<i2").tobytes()
        await self.emit("session.output_audio.delta", delta=b64encode(pcm).decode())

    async def until(self, kind: str) -> dict[str, Any]:
        """The next client event of a kind."""
        while True:
            event: dict[str, Any] = await self.socket.receive_json(timeout=5)
            self.got.append(event)
            if event["type"] == kind:
                return event

    async def closed(self, reason: str, seconds: float) -> None:
        await self.emit("session.closed", reason=reason, usage={"seconds": seconds}, session={"id": "live_1"})


@asynccontextmanager
async def live_server(talk: Talk) -> AsyncIterator[str]:
    """The base URL of a server that takes a session, if it is asked for rightly, and then talks."""

    async def call(request: web.Request) -> web.StreamResponse:
        if request.headers["Authorization"] != f"Bearer {KEY}" or request.path != "/v1/live/sessions":
            return web.json_response({"error": {"message": f"bad key {request.headers['Authorization']}"}}, status=401)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        server = Server(socket)
        first = await socket.receive_json(timeout=5)
        server.got.append(first)
        session = first["session"] if first["type"] == "session.start" else {}
        if unknown := [f"session.{name}" for name in session if name not in SESSION]:
            error = {"type": "invalid_request_error", "code": "unknown_parameter", "param": unknown[0], "message": "no"}
            await server.emit("error", error=error)
        if session.get("audio", {}).get("output", {}).get("voice") == "mute":
            await asyncio.sleep(10)
        if session.get("model") == "gone":
            problem = {"type": "invalid_request_error", "code": "model_not_found", "message": f"no such model; {KEY}"}
            await server.emit("error", error=problem)
            await socket.close()
            return socket
        await server.emit("session.started", session={**session, "id": "live_1"})
        await talk(server)
        return socket

    async with served(call) as place:
        yield f"http://{place}/v1"


async def nothing(_: Server) -> None:
    await asyncio.sleep(5)


def line(url: str, **options: Any) -> LiveWebSocket:
    return LiveWebSocket("gpt-live-1.1", base_url=url, key=KEY, **options)


async def call_until_over(talk: Talk, **options: Any) -> tuple[Heard, tuple[str, str]]:
    """A call to its end; nothing of it is left."""
    async with live_server(talk) as url:
        before = asyncio.all_tasks()
        transport, inbox = line(url, **options), Heard()
        await transport.open(BoundedInbox(inbox))
        async with asyncio.timeout(10):
            while not inbox.over:
                transport.send(np.full(TICK, 5, np.int16))
                await asyncio.sleep(TICK_SECONDS)
        transport.stop()
        await transport.close()
        await transport.close()
        await asyncio.sleep(0.05)
        assert of_voicesim(asyncio.all_tasks() - before) == []
    return inbox, inbox.over[0]


async def test_a_session_is_asked_for_with_no_field_too_many_and_sound_goes_both_ways() -> None:
    servers: list[Server] = []

    async def talk(server: Server) -> None:
        servers.append(server)
        for _ in range(3):
            await server.until("session.input_audio.append")
        await server.sound(7, 2 * TICK)
        await server.closed("remote_hangup", 12)
        await server.socket.close()

    settings = LiveAgentFile(agent="openai-live+ws:gpt-live-1.1", voice="marin", instructions="Be brief.")
    inbox, over = await call_until_over(talk, settings=settings)
    assert over == ("agent", "the agent hung up")
    start, *sound = servers[0].got
    assert start["session"] == {
        "model": "gpt-live-1.1",
        "instructions": "Be brief.",
        "audio": {"format": {"type": "audio/pcm", "rate": 24_000}, "output": {"voice": "marin"}},
        "delegation": {"type": "client"},
    }
    assert {event["type"] for event in sound} == {"session.input_audio.append"}
    assert inbox.track().tolist() == [7] * 2 * TICK
    assert [event.usage for event in inbox.events if isinstance(event, Usage)] == [{"seconds": 12}]


async def test_g711_is_asked_for_and_another_format_is_refused() -> None:
    servers: list[Server] = []

    async def talk(server: Server) -> None:
        servers.append(server)
        await server.until("session.input_audio.append")
        await server.closed("remote_hangup", 1)

    await call_until_over(talk, audio="audio/pcmu")
    assert servers[0].got[0]["session"]["audio"] == {"format": {"type": "audio/pcmu", "rate": 8_000}}
    assert len(servers[0].got[1]["audio"]) == 216  # 160 bytes in base64
    with pytest.raises(UsageError, match="Did you mean audio=pcm or audio=pcmu"):
        make_transport("m?audio=pcm8")


async def test_transcripts_are_told_in_stretches_and_an_unknown_event_once() -> None:
    async def talk(server: Server) -> None:
        for fragment in ("Hello, ", "this is", " the nurse."):
            await server.emit("session.output_transcript.delta", delta=fragment, start_ms=0, end_ms=1)
        await server.emit("session.input_transcript.delta", delta="I have a cold.", start_ms=0, end_ms=1)
        for _ in range(3):
            await server.emit("session.mood.changed", mood="good")
        await server.emit("session.output_transcript.delta", delta=["no text"])
        await asyncio.sleep(1.3)
        await server.emit("session.output_transcript.delta", delta=" How long?")
        await server.closed("expired", 3600)

    inbox, over = await call_until_over(talk)
    assert over == ("line", "the session was closed: the session reached its time limit")
    assert [event.text for event in inbox.events if isinstance(event, AgentSaid)] == [
        "Hello, this is the nurse.",
        "How long?",
    ]
    assert [event.text for event in inbox.events if isinstance(event, AgentHeard)] == ["I have a cold."]
    assert inbox.warnings() == ["the agent sends an event that voicesim does not know: session.mood.changed"]


@pytest.mark.parametrize(
    ("reason", "by", "told"),
    [
        ("content", "line", "a safety filter ended the session"),
        ("connection_lost", "line", "the server lost the connection"),
        (["odd"], "line", "no reason was given"),
    ],
)
async def test_the_server_says_why_it_closed_the_session(reason: Any, by: str, told: str) -> None:
    async def talk(server: Server) -> None:
        await server.closed(reason, 1)

    _, over = await call_until_over(talk)
    assert over == (by, f"the session was closed: {told}")


async def test_a_line_that_breaks_is_lost_with_the_last_error_and_without_the_key() -> None:
    async def talk(server: Server) -> None:
        await server.emit("error", error={"code": "credit_balance_exhausted", "message": f"nothing left for {KEY}"})
        await server.socket.close(code=1011, message=b"sorry")

    inbox, (by, why) = await call_until_over(talk)
    assert by == "line"
    assert why.startswith("the connection was closed with code 1011: sorry; its last event: error: nothing left for")
    assert "credit_balance_exhausted" in why
    assert KEY not in why + " ".join(inbox.warnings())


async def test_a_closed_connection_without_a_word_is_an_agent_that_hung_up() -> None:
    async def talk(server: Server) -> None:
        await server.sound(7)
        await server.socket.close()

    inbox, over = await call_until_over(talk)
    assert over == ("agent", "the agent closed the connection")
    (usage,) = [event.usage for event in inbox.events if isinstance(event, Usage)]
    assert 0.0 < usage["seconds"] < 10.0  # by our clock, as the server told none


async def test_delegated_work_that_nobody_does_is_refused_at_once_and_told() -> None:
    answers: list[dict[str, Any]] = []

    async def talk(server: Server) -> None:
        for target in ("responses", "client"):
            delegation = {"id": f"item_{target}", "type": "delegation", "target": target}
            await server.emit("session.delegation.created", delegation=delegation, offset_ms=1)
        answers.append(await server.until("session.commentary.append"))
        await server.closed("remote_hangup", 1)

    inbox, _ = await call_until_over(talk)
    assert answers[0]["delegation_id"] == "item_client"
    assert answers[0]["content"].startswith("Nothing can be looked up")
    assert [type(event) for event in inbox.events if isinstance(event, ToolCall | ToolResult)] == [ToolCall, ToolResult]
    assert [set(event.result) for event in inbox.events if isinstance(event, ToolResult)] == [{"told"}]
    assert "nobody does: name a `delegate`" in inbox.warnings()[0]


async def test_a_delegate_reads_the_transcript_uses_the_tools_and_tells_what_came_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers: list[dict[str, Any]] = []

    async def talk(server: Server) -> None:
        await server.emit("session.input_transcript.delta", delta="What is free on thursday?")
        delegation = {"id": "item_1", "type": "delegation", "target": "client"}
        await server.emit("session.delegation.created", delegation=delegation, offset_ms=1)
        answers.append(await server.until("session.commentary.append"))
        await server.closed("remote_hangup", 1)

    with model_server() as fake:
        monkeypatch.setenv("OPENAI_BASE_URL", fake.url)
        monkeypatch.setenv("OPENAI_API_KEY", "any")
        fake.answers = [
            Says(None, calls=(("list_slots", '{"day": "thursday"}'),)),
            Says("One slot is free on Thursday."),
        ]
        settings = LiveAgentFile(agent="openai-live+ws:m", delegate="openai:worker")
        dispatcher = make_dispatcher(Catalogue.here().case("clinic-01-dizzy-booking"))
        inbox, _ = await call_until_over(talk, settings=settings, dispatcher=dispatcher)
    assert answers[0]["content"] == "One slot is free on Thursday."
    calls = [event for event in inbox.events if isinstance(event, ToolCall)]
    assert [(call.name, call.arguments) for call in calls] == [
        ("delegation", {}),
        ("list_slots", {"day": "thursday"}),
    ]
    results = [event.result for event in inbox.events if isinstance(event, ToolResult)]
    assert [slot["slot_id"] for slot in results[0]["slots"]] == ["s-02"]
    assert results[1] == {"ok": True, "told": "One slot is free on Thursday."}
    assert "What is free on thursday?" in json.dumps(fake.requests[0])


async def test_an_agent_that_delegates_without_end_costs_its_user_no_fortune(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every task asks a model that somebody pays for, and sends it what was said so far."""
    monkeypatch.setattr(openai_live, "DELEGATIONS", 6)
    asked: list[int] = []

    class Quick:
        """Does each task at once, and notes what it was shown."""

        class model:
            warm = staticmethod(lambda: None)

        async def work(self, transcript: tuple[str, ...], *_: Any) -> str:
            asked.append(sum(map(len, transcript)))
            await asyncio.sleep(0)
            return "done"

    told: list[Any] = []
    inbox = Heard()
    client = LiveClient(BoundedInbox(inbox), told.append, Quick())  # type: ignore[arg-type]
    client.take({"type": "session.input_transcript.delta", "delta": "x" * 1_000_000})
    for turn in range(3):
        for number in range(10):
            delegation = {"id": f"{turn}.{number}", "type": "delegation", "target": "client"}
            client.take({"type": "session.delegation.created", "delegation": delegation})
        await asyncio.sleep(0.01)
    assert len(asked) == 6
    assert max(asked) < 3_000
    assert [answer["content"] for answer in told].count(openai_live.TOO_MANY) == 24
    assert inbox.warnings() == ["the agent delegates more than 4 tasks at once, or 6 in all"]
    client.stop()


@pytest.mark.parametrize(
    ("model", "voice", "told"),
    [("gone", "", "refused the session: no such model"), ("m", "mute", "did not start the session within 1 s")],
)
async def test_a_session_that_cannot_be_had_says_why(model: str, voice: str, told: str) -> None:
    settings = LiveAgentFile.model_validate({"agent": "openai-live+ws:m", "voice": voice, "limits": {"connect": 1}})
    async with live_server(nothing) as url:
        with pytest.raises(TransportError, match=told) as error:
            await LiveWebSocket(model, base_url=url, key=KEY, settings=settings).open(BoundedInbox(Heard()))
        assert KEY not in str(error.value)
        with pytest.raises(TransportError, match="refused the call: HTTP 401: bad key"):
            await LiveWebSocket(model, base_url=url, key="another", settings=settings).open(BoundedInbox(Heard()))


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"error": {"message": f"no session for {KEY}", "code": "model_not_found"}}, "HTTP 400: no session for"),
        ({"transport": {"type": "webrtc"}}, "answered without an SDP answer"),
        ({"transport": {"type": "webrtc", "sdp": "v=0"}}, "SDP answer cannot be used"),
        (["odd"], "answered without an SDP answer"),
    ],
)
async def test_the_offer_goes_as_json_and_a_useless_answer_is_told(answer: Any, told: str) -> None:
    asked: list[dict[str, Any]] = []

    async def call(request: web.Request) -> web.StreamResponse:
        asked.append(await request.json())
        refused = isinstance(answer, dict) and "error" in answer
        return web.json_response(answer, status=400 if refused else 201)

    async with served(call) as place:
        transport = LiveWebRTC("gpt-live-1.1", base_url=f"http://{place}/v1", key=KEY)
        with pytest.raises(TransportError, match=told) as error:
            await transport.open(BoundedInbox(Heard()))
        await transport.close()
    assert KEY not in str(error.value)
    assert set(asked[0]) == {"session", "transport"}
    assert set(asked[0]["session"]) == {"model", "instructions", "delegation"}  # WebRTC agrees on the sound itself
    assert asked[0]["transport"]["type"] == "webrtc"
    assert "m=audio" in asked[0]["transport"]["sdp"]


def test_the_shipped_prices_of_a_session_come_with_the_agent_string() -> None:
    prices = resolve_agent("openai-live:gpt-live-1.1").settings.prices
    assert prices is not None
    assert (prices.minute_active, prices.minute_standby) == (0.05, 0.02)
