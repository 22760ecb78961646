"""A short call that is thrown away: does the agent answer, over what wire, and what does it tell of itself?"""

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from voicesim.audio.samples import RATE, TICK, TICK_SECONDS, Pcm, seconds, to_wave
from voicesim.call.assembly import build_call
from voicesim.caller.ear import AgentTurn, Stretch
from voicesim.caller.mind import Memory, PatientLine
from voicesim.caller.understanding import Understood
from voicesim.caller.voicing import Manner
from voicesim.catalog.agent_file import AgentFile
from voicesim.catalog.model import AudioProfile, TurnTaking
from voicesim.errors import TransportError
from voicesim.recording.events import (
    FIRST_BYTE,
    AgentHeard,
    AgentMetric,
    AgentSaid,
    Event,
    ToolCall,
    ToolResult,
    ToolState,
    Unheard,
    Usage,
    Warning_,
)
from voicesim.recording.live import LiveRecording
from voicesim.recording.manifest import bare_manifest
from voicesim.recording.read import Recording, open_recording
from voicesim.transports.base import ConnectionStats, HasStats, Transport
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.tts.base import Speech

LINE = "Hello, can you hear me? I need some help."
SPOKEN = 2.0
"""Seconds of sound that are sent: the line above, cut or filled up with silence."""
TURN_TAKING = TurnTaking(reply_gap=(0.0, 0.0), end_of_turn=1.0, opening_wait=5.0, patience=12.0, yields_after=None)
"""A greeting is waited for 5 s, an answer 12 s, and a second of silence ends either."""
LONGEST = 40.0
"""Seconds after which the call ends in any case."""
AUDIBLE = 300
"""Peak (int16) from which sound is heard."""
OF_THE_AGENT = (AgentHeard, AgentMetric, AgentSaid, ToolCall, ToolResult, ToolState, Unheard, Usage, Warning_)
"""What comes from the agent or its wire; all else in a recording is the patient's side."""


@dataclass(frozen=True)
class Examination:
    """What came out. Times in seconds: `first_sound` from the connection, `answer` from the end of our line."""

    agent: str
    problem: str = ""
    setup: float | None = None
    stats: ConnectionStats | None = None
    first_sound: float | None = None
    answer: float | None = None
    received: float = 0.0
    events: dict[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def well(self) -> bool:
        """The agent could be reached and was heard."""
        return not self.problem


@dataclass(frozen=True)
class _Window:
    end: int
    speech: float


class _AnySound:
    """Takes every audible tick for speech: whether it is speech is not what the doctor asks."""

    def __init__(self) -> None:
        self._end = 0

    def feed(self, block: Pcm) -> list[_Window]:
        self._end += len(block)
        return [_Window(self._end, float(np.abs(block.astype(np.int32)).max() > AUDIBLE))]


class _OneLine:
    """Says one line and nothing more: the patient's slow work and its mind in one."""

    name = "doctor"

    def __init__(self, speech: Pcm) -> None:
        self._speech = Speech(to_wave(speech), LINE, LINE)

    async def hear(self, turn: AgentTurn, stretch: Stretch, before: str) -> Understood:
        return Understood("yes")

    async def speak(self, line: PatientLine) -> Speech:
        return self._speech

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        return PatientLine(LINE)


class _Asked:
    """A transport that is asked for its stats before it is closed."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.name, self.receive_delay = transport.name, transport.receive_delay
        self.stats: ConnectionStats | None = None

    async def open(self, inbox: BoundedInbox) -> None:
        await self._transport.open(inbox)

    def send(self, pcm: Pcm) -> None:
        self._transport.send(pcm)

    async def close(self) -> None:
        try:
            if isinstance(self._transport, HasStats) and self.stats is None:
                self.stats = await self._transport.stats()
        except TransportError:
            pass  # the wire is gone; why, stands in the end of the call
        finally:
            await self._transport.close()


async def examine(name: str, transport: Transport, settings: AgentFile, speech: Pcm) -> Examination:
    """Call an agent over a transport that is not open yet, and say `speech` (int16, 24,000 Hz) once.

    A transport that cannot be opened is a result, not an error. Raises UsageError as the transport does.
    """
    asked, patient = _Asked(transport), _OneLine(speech)
    call = build_call(
        asked,
        mind=patient,
        workers=lambda timeline: patient,
        opening=LINE,
        manner=Manner(TURN_TAKING),
        profile=AudioProfile(id="clean", title="Clean"),
        vad=_AnySound(),
        max_turns=1,
        max_duration=LONGEST,
    )
    with tempfile.TemporaryDirectory(prefix="voicesim-") as scratch:
        try:
            manifest = await call.run(LiveRecording(Path(scratch) / "call", bare_manifest("call", "doctor")))
        except TransportError as error:
            return Examination(name, problem=str(error))
        return _summary(name, settings, manifest.setup_seconds, asked.stats, open_recording(Path(scratch) / "call"))


def _summary(
    name: str, settings: AgentFile, setup: float | None, stats: ConnectionStats | None, recording: Recording
) -> Examination:
    heard = np.flatnonzero(np.abs(recording.agent.astype(np.int32)) > AUDIBLE)
    said = np.flatnonzero(recording.caller)
    answers = heard[heard > said[-1]] if len(said) else heard[:0]
    events = [event for event in recording.events if _of_the_agent(event)]
    counts: Counter[str] = Counter(event.type for event in events)
    answer = round(seconds(int(answers[0] - said[-1] - 1)), 3) if len(answers) else None
    return Examination(
        agent=name,
        problem=_problem(recording, heard=bool(len(heard)), answered=answer is not None),
        setup=setup,
        stats=stats,
        first_sound=round(seconds(int(heard[0])), 3) if len(heard) else None,
        answer=answer,
        received=round(len(np.unique(heard // TICK)) * TICK_SECONDS, 2),
        events=dict(sorted(counts.items())),
        warnings=tuple(dict.fromkeys(event.message for event in events if isinstance(event, Warning_))),
        missing=tuple(_missing(counts, settings, answer)),
    )


def _of_the_agent(event: Event) -> bool:
    """Whether the agent told it; that its sound began to arrive is a note of the wire's own."""
    return isinstance(event, OF_THE_AGENT) and not (isinstance(event, AgentMetric) and event.name == FIRST_BYTE)


def _problem(recording: Recording, *, heard: bool, answered: bool) -> str:
    manifest = recording.manifest
    early = manifest.end_reason not in ("max_turns", "max_duration", "agent_silent")
    why = manifest.end_detail or (manifest.end_reason or "").replace("_", " ")
    if not heard:
        return f"the agent was not heard{f': {why}' if early else ''}"
    return f"the call ended early: {why}" if early and not answered else ""


def _missing(counts: Counter[str], settings: AgentFile, answer: float | None) -> Iterator[str]:
    if answer is None:
        yield "an answer to what was said"
    if not counts["agent_said"]:
        yield "the agent's own transcript: a scorecard shows only what Whisper heard"
    if not counts["usage"]:
        yield "usage: the cost will be unknown"
    elif settings.prices is None:
        yield "prices in an agent file: the cost will be unknown"
    if not counts["tool_call"]:
        yield "tool calls: none were needed here, or they are not reported (docs/agents.md)"


def probe() -> Pcm:
    """What the doctor says, two seconds of it. Raises SpeechError or UsageError without a voice."""
    from voicesim.audio.samples import to_pcm
    from voicesim.catalog.model import Persona
    from voicesim.tts.synthesize import synthesize

    pcm = to_pcm(synthesize(LINE, Persona(id="doctor", title="doctor"), 0).wave)
    length = round(SPOKEN * RATE)
    return np.pad(pcm[:length], (0, max(0, length - len(pcm))))
