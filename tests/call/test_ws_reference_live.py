"""One short case over a real WebSocket with the reference agent, in real time: greeting, answer, goodbye."""

import asyncio
import itertools
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from aiohttp import web
from rig import PLAIN, ToneWorkers, call
from speechlike import speechlike

from voicesim.audio.samples import Pcm, blocks
from voicesim.caller.mind import PatientLine
from voicesim.recording.events import AgentHeard, AgentSaid
from voicesim.reference_agents.brain import Reply
from voicesim.reference_agents.realtime.dialogue import Parts
from voicesim.reference_agents.realtime.playout import to_wire
from voicesim.reference_agents.realtime.server import RealtimeServer
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.openai_session import AudioType
from voicesim.transports.openai_ws import OpenAIWebSocket
from voicesim.tts.base import Speech

pytestmark = pytest.mark.live


class Brain:
    """Asks once, then says goodbye."""

    def __init__(self) -> None:
        self._replies = [Reply("Go on."), Reply("Goodbye.", done=True)]

    def greet(self) -> str | None:
        return "Hello."

    async def reply(self, heard: str) -> Reply:
        return self._replies.pop(0) if self._replies else Reply("", done=True)

    def interrupted(self, spoken: str) -> None:
        """Nobody interrupts in this case."""


class ServedLine:
    """The line, and the agent it reaches, which runs for as long as the call."""

    name = "served"
    receive_delay = 0.0

    def __init__(self, audio: AudioType) -> None:
        self._audio = audio
        self._workers = ThreadPoolExecutor(2)
        parts = Parts(Brain, lambda _: "some words", lambda _: to_wire(speechlike(0.8)), self._workers, self._workers)
        self._server = RealtimeServer(parts)

    async def open(self, inbox: BoundedInbox) -> None:
        self._runner = web.AppRunner(self._server.app(), shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        base_url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/v1"
        self._line = OpenAIWebSocket("reference", audio=self._audio, base_url=base_url, key="local")
        await self._line.open(inbox)

    def send(self, pcm: Pcm) -> None:
        self._line.send(pcm)

    async def close(self) -> None:
        await self._line.close()
        await self._server.close()
        await self._runner.cleanup()
        self._workers.shutdown()


class SpeakingWorkers(ToneWorkers):
    """Voices every line as a second of sound that a voice detector takes for speech."""

    async def speak(self, line: PatientLine) -> Speech:
        return Speech(speechlike(1.0), line.text, line.text)


@pytest.mark.parametrize("audio", ["audio/pcm", "audio/pcmu"])
def test_a_case_over_websocket_is_greeted_answered_and_ended(tmp_path: Path, audio: AudioType) -> None:
    rig = call(
        tmp_path / "c",
        ServedLine(audio),
        lines=[PatientLine("It is a cold.")],
        heard=["Hello.", "Go on.", "Goodbye."],
        workers=SpeakingWorkers(["Hello.", "Go on.", "Goodbye."]),
        turn_taking=PLAIN,
        max_duration=30.0,
        run=asyncio.run,
    )
    assert rig.manifest.end_reason in {"completed", "agent_hung_up"}
    events = rig.recording.events
    said = [event.text for event in events if isinstance(event, AgentSaid)]
    assert said[:3] == ["Hello.", "Go on.", "Goodbye."]
    assert [event.text for event in events if isinstance(event, AgentHeard)][:2] == ["some words"] * 2
    assert [event for event in events if event.type == "warning"] == []
    # Every reply is one stretch of sound, looked at in pieces of 100 ms; the last may be cut by the end of the call.
    loud = [bool(np.abs(block.astype(np.int32)).max() > 300) for block in blocks(rig.recording.agent, 2_400)]
    assert sum(now and not before for before, now in itertools.pairwise([False, *loud])) in {len(said), len(said) - 1}
