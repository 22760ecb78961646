"""Whole calls over real WebRTC into agents of this process, with quick voices: greeting, answer, end, two at once."""

import asyncio
import warnings
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any

import aiohttp
import numpy as np
import pytest
from aiohttp import web
from rtc_caller import RtcCaller
from speechlike import speechlike

from voicesim.audio.samples import Wave
from voicesim.catalog.find import Catalogue
from voicesim.reference_agents.brain import Reply, ToolUse
from voicesim.reference_agents.realtime import call as realtime_call
from voicesim.reference_agents.realtime.dialogue import Parts
from voicesim.reference_agents.realtime.playout import to_wire
from voicesim.reference_agents.realtime.server import RealtimeServer
from voicesim.tools.dispatcher import make_dispatcher
from voicesim.transports.smallwebrtc import CLIENT_READY

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from voicesim.reference_agents.modular import call as modular_call
    from voicesim.reference_agents.modular.server import ModularServer

pytestmark = pytest.mark.live


class Brain:
    """Answers with a goodbye."""

    def __init__(self) -> None:
        self.replies = [Reply("Goodbye.", done=True)]

    def greet(self) -> str | None:
        return "Hello."

    async def reply(self, heard: str) -> Reply:
        assert heard == "some words"
        return self.replies.pop(0)

    def interrupted(self, spoken: str) -> None:
        raise AssertionError(f"nobody interrupts, but it was cut after {spoken!r}")


class LookingUp(Brain):
    """Uses a tool before its goodbye."""

    async def reply(self, heard: str) -> Reply:
        return Reply("", use=ToolUse("list_slots", {"day": "thursday"}))

    async def took(self, result: Mapping[str, Any]) -> Reply:
        assert result["ok"]
        return self.replies.pop(0)


def speak(_: str) -> Wave:
    return speechlike(0.5)


@asynccontextmanager
async def realtime() -> AsyncIterator[Callable[[], Any]]:
    """A realtime agent; yields what makes a connected caller."""
    with ThreadPoolExecutor(2) as workers:
        parts = Parts(Brain, lambda _: "some words", lambda text: to_wire(speak(text)), workers, workers)
        server = RealtimeServer(parts)
        runner = web.AppRunner(server.app())
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1/realtime/calls"

        async def connect() -> RtcCaller:
            caller = RtcCaller("oai-events")
            headers = {"Authorization": "Bearer x", "Content-Type": "application/sdp"}
            offer = await caller.offer()
            async with aiohttp.ClientSession() as http, http.post(url, data=offer, headers=headers) as response:
                answer = await response.text()
            await caller.accept(answer)
            return caller

        try:
            yield connect
        finally:
            await server.close()
            await runner.cleanup()


@asynccontextmanager
async def modular() -> AsyncIterator[Callable[[], Any]]:
    """A Pipecat agent behind its own request handler; yields what makes a connected caller."""
    segment = SimpleNamespace(text="some words", no_speech_prob=0.0)
    whisper = SimpleNamespace(transcribe=lambda _, **__: ([segment], None), supported_languages=["en"])
    with ThreadPoolExecutor(2) as workers:
        voice: Any = SimpleNamespace(speak=speak)
        case = Catalogue.here().case("clinic-01-dizzy-booking")
        parts = modular_call.Parts(LookingUp, partial(make_dispatcher, case), whisper, "base", voice, workers)  # type: ignore[arg-type]
        server = ModularServer(parts)

        async def connect() -> RtcCaller:
            from pipecat.transports.smallwebrtc.request_handler import SmallWebRTCRequest

            caller = RtcCaller("chat")
            caller.channel.on("open", lambda: caller.send(**CLIENT_READY))
            request = SmallWebRTCRequest(sdp=await caller.offer(), type="offer")
            answer = await server._handler.handle_web_request(request, server._accept)
            assert answer is not None
            await caller.accept(answer["sdp"])
            return caller

        try:
            yield connect
        finally:
            await server.close()


AGENTS = {"realtime": realtime, "modular": modular}


@pytest.fixture(autouse=True)
def short_linger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(realtime_call, "LINGER", 0.3)
    monkeypatch.setattr(modular_call, "LINGER", 0.3)


async def talk(caller: RtcCaller) -> None:
    """Is greeted, says something, is answered with sound; after the goodbye the agent hangs up."""
    await caller.until(lambda: caller.voiced_after(0.0) is not None, 30)
    await caller.until(lambda: caller.quiet(0.5), 30)
    caller.say(speechlike(1.0))
    await caller.until(lambda: not len(caller.mouth.sound), 5)
    ended = asyncio.get_running_loop().time()
    await caller.until(lambda: caller.voiced_after(ended + 0.1) is not None, 30)
    await caller.until(lambda: caller.peer.connectionState == "closed", 30)


def told_of_tools(caller: RtcCaller) -> list[tuple[str, Any, list[str]]]:
    """The tools that a Pipecat agent tells of by RTVI: name, arguments, and the slots that it was given."""
    begun, ended = caller.of("llm-function-call-in-progress"), caller.of("llm-function-call-stopped")
    return [
        (
            one["data"]["function_name"],
            one["data"]["arguments"],
            [slot["slot_id"] for slot in two["data"]["result"]["slots"]],
        )
        for one, two in zip(begun, ended, strict=True)
    ]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("kind", AGENTS)
async def test_two_calls_at_once_are_greeted_answered_and_ended(kind: str) -> None:
    before = asyncio.all_tasks()
    async with AGENTS[kind]() as connect:
        callers = [await connect(), await connect()]
        await asyncio.gather(*(talk(caller) for caller in callers))
        for caller in callers:
            # Received media time is gapless: every frame of 20 ms is 960 samples after the one before.
            assert set(np.diff(caller.pts)) == {960}
            if kind == "modular":
                (told,) = caller.of("server-message")
                assert told["data"]["type"] == "tool_state"
                assert {slot["id"] for slot in told["data"]["state"]["slots"]} >= {"s-02"}
                assert told_of_tools(caller) == [("list_slots", {"day": "thursday"}, ["s-02"])]
            await caller.close()
    await asyncio.sleep(0.1)
    assert asyncio.all_tasks() - before == set()


async def test_a_caller_who_vanishes_leaves_nothing_behind() -> None:
    before = asyncio.all_tasks()
    async with realtime() as connect:
        caller = await connect()
        await caller.until(lambda: caller.voiced_after(0.0) is not None, 30)
        await caller.close()
        await asyncio.sleep(0.3)
    await asyncio.sleep(0.1)
    assert asyncio.all_tasks() - before == set()
