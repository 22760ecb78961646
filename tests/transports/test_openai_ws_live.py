"""A real WebSocket on this machine: what is sent to open a session, and how each way of failing is told."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import pytest
from aiohttp import web

from voicesim.audio.samples import TICK, Pcm
from voicesim.catalog.agent_file import AgentFile, Header, Limits
from voicesim.catalog.find import Catalogue
from voicesim.errors import TransportError
from voicesim.recording.events import Event
from voicesim.tools.dispatcher import make_dispatcher
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.openai_events import MESSAGE_LIMIT
from voicesim.transports.openai_ws import OpenAIWebSocket

KEY = "very-secret-key"
FLAT = {"modalities", "voice", "input_audio_format", "output_audio_format", "turn_detection", "temperature"}
Talk = Callable[[web.WebSocketResponse], Awaitable[None]]


class Box:
    """Keeps what comes."""

    def __init__(self) -> None:
        self.sound: list[Pcm] = []
        self.over: list[tuple[str, str]] = []
        self.events: list[Event] = []
        self._is_over = asyncio.Event()

    def now(self) -> float:
        return 0.0

    def audio(self, pcm: Pcm, media: float | None = None) -> float | None:
        self.sound.append(pcm)
        return 0.0

    def flush(self) -> None:
        raise AssertionError("nobody interrupts")

    def event(self, event: Event) -> None:
        self.events.append(event)

    def ended(self, by: str, detail: str) -> None:
        self.over.append((by, detail))
        self._is_over.set()

    async def until_over(self) -> tuple[str, str]:
        async with asyncio.timeout(10):
            await self._is_over.wait()
        return self.over[0]


async def confirm(socket: web.WebSocketResponse) -> dict[str, Any]:
    """Take a session.update, as strictly as the GA server does, and confirm it."""
    await socket.send_json({"type": "session.created", "session": {}})
    update: dict[str, Any] = await socket.receive_json()
    session = update["session"]
    if FLAT & set(session) or session.get("type") != "realtime":
        await socket.send_json(
            {"type": "error", "error": {"message": "Unknown parameter", "code": "unknown_parameter"}}
        )
    else:
        await socket.send_json({"type": "session.updated", "session": session})
    return update


@asynccontextmanager
async def strict_server(talk: Talk) -> AsyncIterator[str]:
    """Serve `/v1/realtime`; a request with the retired beta header gets no upgrade."""
    requests: list[web.Request] = []

    async def realtime(request: web.Request) -> web.StreamResponse:
        requests.append(request)
        if "OpenAI-Beta" in request.headers:
            return web.json_response({"error": {"message": "the beta is gone"}}, status=400)
        if request.query["model"] == "forbidden":
            message = f"Incorrect API key provided: {request.headers['Authorization']}"
            return web.json_response({"error": {"message": message}}, status=401)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await talk(socket)
        return socket

    app = web.Application()
    app.router.add_get("/v1/realtime", realtime)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    finally:
        await runner.cleanup()


def line(url: str, model: str = "m") -> OpenAIWebSocket:
    return OpenAIWebSocket(model, base_url=url, key=KEY)


def hasty(url: str) -> OpenAIWebSocket:
    """A line whose agent file gives the agent a second to answer."""
    settings = AgentFile(agent="openai+ws:m", limits=Limits(connect=1))
    return OpenAIWebSocket("m", base_url=url, key=KEY, settings=settings)


async def test_a_strict_ga_server_opens_the_session_and_hears_the_caller() -> None:
    heard: list[dict[str, Any]] = []

    async def talk(socket: web.WebSocketResponse) -> None:
        heard.append(await confirm(socket))
        for _ in range(3):
            heard.append(await socket.receive_json())
        await socket.send_json(
            {"type": "response.output_audio.delta", "item_id": "i", "response_id": "r", "delta": heard[-1]["audio"]}
        )
        await socket.close()

    async with strict_server(talk) as url:
        box, one = Box(), line(url)
        await one.open(BoundedInbox(box))
        for value in (1, 2, 3):
            one.send(np.full(TICK, value, np.int16))
        by, _ = await box.until_over()
        await one.close()
        await one.close()  # hanging up twice is fine
    assert by == "agent"
    assert [event["type"] for event in heard] == ["session.update"] + ["input_audio_buffer.append"] * 3
    assert heard[0]["session"]["audio"]["output"]["format"] == {"type": "audio/pcm", "rate": 24_000}
    assert [pcm.tolist() for pcm in box.sound] == [[3] * TICK]


async def test_an_agent_file_sets_the_session_and_a_tool_call_is_answered_on_the_wire(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MY_TOKEN", "abc")
    heard: list[dict[str, Any]] = []

    async def talk(socket: web.WebSocketResponse) -> None:
        heard.append(await confirm(socket))
        call = {"type": "function_call", "call_id": "c1", "name": "list_slots", "arguments": '{"day": "friday"}'}
        await socket.send_json({"type": "response.output_item.done", "response_id": "r", "item": call})
        await socket.send_json({"type": "response.done", "response": {"id": "r", "status": "completed"}})
        heard.append(await socket.receive_json())
        heard.append(await socket.receive_json())
        await socket.close()

    case = Catalogue.here().case("clinic-01-dizzy-booking")
    headers = {"X-Team": Header(env="MY_TOKEN", prefix="Team ")}
    async with strict_server(talk) as url:
        settings = AgentFile(agent="openai+ws:m", instructions="Book.", base_url=url, headers=headers)
        box, one = Box(), OpenAIWebSocket("m", key=KEY, settings=settings, dispatcher=make_dispatcher(case))
        await one.open(BoundedInbox(box))
        await box.until_over()
        await one.close()
    assert one._address.headers == {"X-Team": "Team abc"}
    assert heard[0]["session"]["instructions"] == "Book."
    assert [event["type"] for event in heard[1:]] == ["conversation.item.create", "response.create"]
    assert [event.type for event in box.events if event.type != "usage"] == ["tool_call", "tool_result"]


async def test_a_refused_key_is_told_without_the_key() -> None:
    async with strict_server(lambda socket: asyncio.sleep(0)) as url:
        with pytest.raises(TransportError, match=r"HTTP 401: Incorrect API key provided: Bearer \[removed\]"):
            await line(url, "forbidden").open(BoundedInbox(Box()))


async def test_nobody_at_the_address_is_told() -> None:
    with pytest.raises(TransportError, match=r"no agent answers at http://127\.0\.0\.1:9/v1:"):
        await line("http://127.0.0.1:9/v1").open(BoundedInbox(Box()))


async def test_a_refused_session_and_one_that_is_never_confirmed_are_told() -> None:
    async def refuse(socket: web.WebSocketResponse) -> None:
        await socket.send_json({"type": "error", "error": {"message": f"no such model for {KEY}"}})
        await socket.receive()

    async def say_nothing(socket: web.WebSocketResponse) -> None:
        await socket.receive()
        await socket.receive()

    async def hang_up(socket: web.WebSocketResponse) -> None:
        await socket.close(code=4000, message=b"busy")

    async def speak_otherwise(socket: web.WebSocketResponse) -> None:
        session = {"audio": {"output": {"format": {"type": "audio/pcma"}}}}
        await socket.send_json({"type": "session.updated", "session": session})
        await socket.receive()

    told = {
        refuse: r"refused the session: no such model for \[removed\]",
        say_nothing: "did not confirm the session within 1 s",
        hang_up: "ended the call before it began: closed with code 4000: busy",
        speak_otherwise: "speaks audio/pcma, not audio/pcm",
    }
    for talk, message in told.items():
        async with strict_server(talk) as url:
            with pytest.raises(TransportError, match=message):
                await hasty(url).open(BoundedInbox(Box()))


async def test_a_server_that_takes_no_call_is_left_in_time() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    with pytest.raises(TransportError, match="did not take the call within 1 s"):
        await hasty(url).open(BoundedInbox(Box()))
    await asyncio.sleep(0.05)
    server.close()
    await server.wait_closed()


async def test_the_wire_can_be_asked_while_it_is_open() -> None:
    async def talk(socket: web.WebSocketResponse) -> None:
        await confirm(socket)
        await socket.receive()

    async with strict_server(talk) as url:
        one = line(url)
        with pytest.raises(TransportError, match="is not connected"):
            await one.stats()
        await one.open(BoundedInbox(Box()))
        facts = await one.stats()
        await one.close()
    # The two messages are session.created and session.updated.
    assert (facts.codec, facts.wire_rate, facts.packets) == ("PCM, 16 bits", 24_000, 2)
    assert facts.round_trip is not None
    assert 0.0 < facts.round_trip < 5.0


@pytest.mark.live
async def test_a_peer_that_vanishes_and_one_that_sends_too_much_at_once_lose_the_line() -> None:
    async def vanish(socket: web.WebSocketResponse) -> None:
        await confirm(socket)
        assert socket._req is not None
        assert socket._req.transport is not None
        socket._req.transport.abort()

    async def shout(socket: web.WebSocketResponse) -> None:
        await confirm(socket)
        await socket.send_json({"type": "response.output_audio.delta", "delta": "A" * MESSAGE_LIMIT})
        await socket.receive()

    for talk, told in ((vanish, "code 1006"), (shout, "code 1009")):
        async with strict_server(talk) as url:
            box, one = Box(), line(url)
            await one.open(BoundedInbox(box))
            by, detail = await box.until_over()
            await one.close()
        assert by == "line"
        assert told in detail


@pytest.mark.live
async def test_a_peer_that_reads_nothing_more_is_cut_off_in_time() -> None:
    over = asyncio.Event()

    async def freeze(socket: web.WebSocketResponse) -> None:
        await confirm(socket)
        assert socket._req is not None
        assert isinstance(socket._req.transport, asyncio.Transport)
        socket._req.transport.pause_reading()
        await over.wait()

    async with strict_server(freeze) as url:
        before = asyncio.all_tasks()
        box, one = Box(), line(url)
        await one.open(BoundedInbox(box))
        for tick in range(20_000):
            one.send(np.zeros(TICK, np.int16))
            if tick % 20 == 0:
                await asyncio.sleep(0)
        async with asyncio.timeout(4):
            await one.close()
        over.set()
        await asyncio.sleep(0.1)
        assert not {task for task in asyncio.all_tasks() - before if "websocket" in repr(task).lower()}
    assert [event.type for event in box.events] == ["warning"]
