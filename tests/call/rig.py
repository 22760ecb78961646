"""A whole call on virtual time: the real session, patient and recorder; scripted agent, voice and mind.

The agent's voice is a plain tone, so a detector that looks at peaks stands in for Silero and every instant
is known to the sample.
"""

from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from voicesim.audio.samples import TICK, Pcm, samples, seconds
from voicesim.call.clock import CallClock
from voicesim.call.inbox import CallInbox
from voicesim.call.live_call import LiveCall
from voicesim.call.timeline import Timeline
from voicesim.call.virtual import run_virtual
from voicesim.caller.ear import AgentTurn, Ear
from voicesim.caller.mind import Memory, PatientLine
from voicesim.caller.patient import SimulatedPatient
from voicesim.catalog.model import AudioProfile, TurnTaking
from voicesim.channel.channel import Channel
from voicesim.recording.events import Event
from voicesim.recording.live import LiveRecording
from voicesim.recording.manifest import Manifest, bare_manifest
from voicesim.recording.read import Recording, open_recording
from voicesim.transports.base import Transport
from voicesim.transports.inprocess import InProcess
from voicesim.tts.base import Speech

PLAIN = TurnTaking(reply_gap=(0.0, 0.0), end_of_turn=1.0, patience=4.0, opening_wait=1.0)
PER_WORD = 0.3
"""Seconds of tone for one word of the patient."""


@dataclass(frozen=True)
class PeakWindow:
    end: int
    speech: float


class PeakVad:
    """Windows of one tick: speech where the peak is above a hundred."""

    def __init__(self) -> None:
        self._end = 0

    def feed(self, block: Pcm) -> list[PeakWindow]:
        self._end += len(block)
        return [PeakWindow(self._end, float(np.abs(block.astype(np.int32)).max() > 100))]


class ToneWorkers:
    """Voices each word as 0.3 s of tone; understands whatever the script says was said."""

    def __init__(self, heard: Iterable[str]) -> None:
        self.turns: list[AgentTurn] = []
        self._heard = list(heard)

    async def hear(self, turn: AgentTurn) -> str:
        self.turns.append(turn)
        return self._heard[min(len(self.turns), len(self._heard)) - 1] if self._heard else ""

    async def speak(self, text: str, pause: float) -> Speech:
        wave = np.full(samples(PER_WORD * len(text.split())), 0.25, np.float32)
        return Speech(wave, text, text)


class ListMind:
    """Says the given lines in turn, and then goodbye."""

    name = "list"

    def __init__(self, lines: Iterable[PatientLine] = ()) -> None:
        self._lines = list(lines)
        self.asked: list[str] = []

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        self.asked.append(heard)
        return self._lines.pop(0) if self._lines else PatientLine("Goodbye.", hang_up=True)


@dataclass
class ScriptedAgent:
    """Speaks a tone at fixed times: (start, end) in call seconds. Hangs up at `hang_up`."""

    speaks: list[tuple[float, float]] = field(default_factory=list)
    hang_up: float | None = None
    fail_at: float | None = None
    heard: list[Pcm] = field(default_factory=list)

    def tick(self, caller: Pcm) -> Pcm | None:
        now = len(self.heard) * TICK
        self.heard.append(caller)
        if self.fail_at is not None and now >= samples(self.fail_at):
            raise RuntimeError("the agent caught fire")
        if self.hang_up is not None and now >= samples(self.hang_up):
            return None
        track = np.zeros(TICK, np.int16)
        for start, end in self.speaks:
            first, last = samples(start) - now, samples(end) - now
            track[max(first, 0) : max(last, 0)] = 8000
        return track


class AnsweringAgent:
    """Answers `delay` seconds after the caller's last sound, for `length` seconds; never interrupts."""

    def __init__(self, delay: float, length: float = 1.0) -> None:
        self._delay, self._length = samples(delay), samples(length)
        self._now = 0
        self._last_sound: int | None = None

    def tick(self, caller: Pcm) -> Pcm:
        sounding = np.flatnonzero(caller)
        if len(sounding):
            self._last_sound = self._now + int(sounding[-1]) + 1
        track = np.zeros(TICK, np.int16)
        if self._last_sound is not None:
            first = self._last_sound + self._delay - self._now
            track[max(first, 0) : max(first + self._length, 0)] = 8000
        self._now += TICK
        return track


@dataclass(frozen=True)
class Rig:
    """What a call left behind."""

    recording: Recording
    manifest: Manifest
    mind: ListMind
    workers: ToneWorkers

    def lines(self) -> list[tuple[float, str]]:
        """Start and text of every line of the patient."""
        return [(round(event.t, 3), event.text) for event in self.recording.events if event.type == "caller_line"]


def call(
    folder: Path,
    agent: ScriptedAgent | AnsweringAgent | Transport,
    *,
    lines: Iterable[PatientLine] = (),
    heard: Iterable[str] = (),
    turn_taking: TurnTaking = PLAIN,
    opening: str = "I have a cold.",
    profile: AudioProfile | None = None,
    max_turns: int = 30,
    max_duration: float = 120.0,
    workers: ToneWorkers | None = None,
    watch: Callable[[Event], None] = lambda event: None,
    run: Callable[[Coroutine[Any, Any, Manifest]], Manifest] = run_virtual,
) -> Rig:
    """Run one call to its end, on virtual time unless told otherwise, and open its recording."""
    mind, workers = ListMind(lines), workers or ToneWorkers(heard)
    wire: Transport = InProcess(agent) if isinstance(agent, ScriptedAgent | AnsweringAgent) else agent

    manifest = run(
        dial(
            folder,
            wire,
            mind,
            workers,
            turn_taking=turn_taking,
            opening=opening,
            profile=profile,
            max_turns=max_turns,
            max_duration=max_duration,
            watch=watch,
        )
    )
    return Rig(open_recording(folder), manifest, mind, workers)


async def dial(
    folder: Path,
    wire: Transport,
    mind: ListMind,
    workers: ToneWorkers,
    *,
    turn_taking: TurnTaking = PLAIN,
    opening: str = "I have a cold.",
    profile: AudioProfile | None = None,
    max_turns: int = 30,
    max_duration: float = 120.0,
    watch: Callable[[Event], None] = lambda event: None,
) -> Manifest:
    """One call, on the time of the loop that runs it."""
    clock, timeline = CallClock(), Timeline(wire.held)
    inbox = CallInbox(clock, timeline, watch)
    patient = SimulatedPatient(
        opening=PatientLine(opening),
        mind=mind,
        turn_taking=turn_taking,
        ear=Ear(PeakVad(), turn_taking.end_of_turn),
        workers=workers,
        seed=7,
        max_turns=max_turns,
        log=inbox.event,
    )
    session = LiveCall(
        transport=wire,
        channel=Channel(profile or AudioProfile(id="clean", title="clean"), 7),
        clock=clock,
        timeline=timeline,
        inbox=inbox,
        patient=patient,
        max_duration=max_duration,
    )
    return await session.run(LiveRecording(folder, bare_manifest(folder.name, "rig", "virtual")))


def spans(pcm: Pcm) -> list[tuple[float, float]]:
    """Where a track sounds, in seconds."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], pcm != 0, [False]]).astype(np.int8)))
    return [
        (round(seconds(int(a)), 4), round(seconds(int(b)), 4)) for a, b in zip(edges[::2], edges[1::2], strict=True)
    ]
