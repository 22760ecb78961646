"""Both reference agents as processes of their own, with real models: an emergency spoken into the greeting."""

from collections.abc import AsyncIterator
from typing import Literal

import aiohttp
import pytest
from rtc_caller import RtcCaller

from voicesim.reference_agents.process import started
from voicesim.reference_agents.voice import AgentVoice

pytestmark = pytest.mark.live

GREETING = "Hello, this is the nurse line. How can I help?"
URGENT = "emergency services right now"


@pytest.fixture(scope="module")
def voice() -> AgentVoice:
    return AgentVoice()


@pytest.fixture
async def caller(request: pytest.FixtureRequest) -> AsyncIterator[RtcCaller]:
    """A caller who is connected to an agent of the kind named by the test's parameter."""
    kind: Literal["realtime", "modular"] = request.param
    async with started(kind) as url:
        made = RtcCaller("oai-events" if kind == "realtime" else "chat")
        offer = await made.offer()
        async with aiohttp.ClientSession() as http:
            if kind == "realtime":
                headers = {"Authorization": "Bearer x", "Content-Type": "application/sdp"}
                response = await http.post(f"{url}/v1/realtime/calls", data=offer, headers=headers)
                await made.accept(await response.text())
            else:
                made.channel.on("open", lambda: made.send(label="rtvi-ai", type="client-ready", id="1", data=READY))
                response = await http.post(f"{url}/api/offer", json={"sdp": offer, "type": "offer"})
                await made.accept((await response.json())["sdp"])
        yield made
        await made.close()


READY = {"version": "1.0.0", "about": {"library": "tests"}}


@pytest.mark.parametrize("caller", ["realtime"], indirect=True)
async def test_the_realtime_agent_hears_an_emergency_spoken_into_its_greeting(
    caller: RtcCaller, voice: AgentVoice
) -> None:
    transcription = {"input": {"transcription": {"model": "whisper-1"}}}
    await caller.got("session.created", 15)
    caller.send(type="session.update", session={"type": "realtime", "audio": transcription})
    await caller.until(lambda: caller.voiced_after(0.0) is not None, 30)
    caller.say(voice.speak("I can't breathe, and my chest feels tight."))
    await caller.got("output_audio_buffer.cleared", 15)
    await caller.until(lambda: caller.quiet(0.3), 10)
    heard = await caller.got("conversation.item.input_audio_transcription.completed", 40)
    assert "chest" in heard["transcript"]
    await caller.until(lambda: URGENT in " ".join(caller.deltas()), 40)
    await caller.until(lambda: not caller.quiet(0.5), 10)
    assert GREETING.startswith(caller.deltas()[0])
    assert not caller.of("error")


@pytest.mark.parametrize("caller", ["modular"], indirect=True)
async def test_the_modular_agent_hears_an_emergency_spoken_into_its_greeting(
    caller: RtcCaller, voice: AgentVoice
) -> None:
    def said() -> str:
        return " ".join(str(event["data"]["text"]) for event in caller.of("bot-transcription"))

    await caller.until(lambda: caller.voiced_after(0.0) is not None, 30)
    caller.say(voice.speak("I can't breathe, and my chest feels tight."))
    await caller.got("bot-interrupted", 15)
    await caller.until(lambda: caller.quiet(0.3), 10)
    await caller.until(lambda: URGENT in said(), 40)
    await caller.until(lambda: not caller.quiet(0.5), 10)
    heard = " ".join(str(event["data"]["text"]) for event in caller.of("user-transcription"))
    assert "chest" in heard
