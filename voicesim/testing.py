"""Exact parts for tests: scripted agents, a tone for a voice, and whole calls on virtual time.

Agent and patient speak plain tones and a peak detector stands in for Silero, so every instant of a call is known to
the sample, and a call of two minutes takes about a second. voicesim's own tests are written with these.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from voicesim.audio.samples import TICK, Pcm, samples
from voicesim.call.assembly import build_call
from voicesim.call.virtual import run_virtual
from voicesim.caller.delivery import join
from voicesim.caller.ear import AgentTurn, Stretch, Vad
from voicesim.caller.mind import Memory, Mind, Part, PatientLine
from voicesim.caller.understanding import Understood
from voicesim.caller.voicing import Manner
from voicesim.caller.workers import Workers
from voicesim.catalog.model import AudioProfile, ReplyGap, TurnTaking
from voicesim.catalog.scene import Scene
from voicesim.recording.events import Event
from voicesim.recording.live import LiveRecording
from voicesim.recording.manifest import Manifest, bare_manifest
from voicesim.recording.read import Recording, open_recording
from voicesim.transports.base import Transport
from voicesim.transports.inprocess import InProcess, InProcessAgent
from voicesim.tts.base import Speech

__all__ = [
    "PLAIN",
    "AnsweringAgent",
    "FinishedCall",
    "PeakVad",
    "PeakWindow",
    "ScriptedAgent",
    "ScriptedMind",
    "ToneWorkers",
    "make_call",
    "run_call",
    "run_virtual",
]

PLAIN = TurnTaking(reply_gap=ReplyGap(between=(0.0, 0.0)), end_of_turn=1.0, patience=4.0, opening_wait=1.0)
"""Turn-taking without chance: the patient answers the moment the agent's turn is over."""
PER_WORD = 0.3
"""Seconds of tone for one word of the patient."""
TONE = 8000
"""Level (int16) of an agent's tone."""


@dataclass(frozen=True)
class PeakWindow:
    """A judged tick: the sample it ends before, and 1.0 for sound or 0.0 for silence."""

    end: int
    speech: float


class PeakVad:
    """Voice activity by peaks: a tick with a sample above 100 (int16) is speech."""

    def __init__(self) -> None:
        self._end = 0

    def feed(self, block: Pcm) -> list[PeakWindow]:
        """See `voicesim.caller.ear.Vad`."""
        self._end += len(block)
        return [PeakWindow(self._end, float(np.abs(block.astype(np.int32)).max() > 100))]


class ToneWorkers:
    """Voices each word as 0.3 s of tone, and understands whatever the test says was said."""

    def __init__(self, heard: Iterable[str] = ()) -> None:
        """`heard` are the words of each stretch of the agent's speech in order; the last serves for all further ones.

        A stretch ends in every pause of 0.2 s and more.
        """
        self.stretches: list[Stretch] = []
        self._heard = list(heard)

    async def hear(self, turn: AgentTurn, stretch: Stretch, before: str) -> Understood:
        """The next scripted words; the stretch is kept in `stretches`."""
        self.stretches.append(stretch)
        return Understood(self._heard[min(len(self.stretches), len(self._heard)) - 1] if self._heard else "")

    async def speak(self, line: PatientLine) -> Speech:
        """A tone for each part of the line, as long as it has words; sounds are as they are."""
        parts = line.parts or (Part(line.text),)
        return join(parts, [_tone(part.text) for part in parts if not part.sound], seed=0)


def _tone(text: str) -> Speech:
    return Speech(np.full(samples(PER_WORD * len(text.split())), 0.25, np.float32), text, text)


class ScriptedMind:
    """Says the given lines in turn, and then goodbye; what it was asked is kept in `asked`."""

    name = "scripted"

    def __init__(self, lines: Iterable[PatientLine] = ()) -> None:
        self._lines = list(lines)
        self._said = 0
        self._line: PatientLine | None = None
        self.asked: list[str] = []

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        """See `voicesim.caller.mind.Mind`. A line that was not said is given again."""
        self.asked.append(heard)
        if self._line is None or len(memory.turns) > self._said:
            self._line = self._lines.pop(0) if self._lines else PatientLine("Goodbye.", hang_up=True)
        self._said = len(memory.turns)
        return self._line


@dataclass
class ScriptedAgent:
    """An in-process agent that sounds a tone at fixed times: `speaks` are (start, end) in call seconds.

    It hangs up at `hang_up` seconds, and raises at `fail_at`. What it hears is kept in `heard`, tick by tick.
    """

    speaks: list[tuple[float, float]] = field(default_factory=list)
    hang_up: float | None = None
    fail_at: float | None = None
    heard: list[Pcm] = field(default_factory=list)

    def tick(self, caller: Pcm) -> Pcm | None:
        """See `voicesim.transports.inprocess.InProcessAgent`."""
        now = len(self.heard) * TICK
        self.heard.append(caller)
        if self.fail_at is not None and now >= samples(self.fail_at):
            raise RuntimeError("the agent caught fire")
        if self.hang_up is not None and now >= samples(self.hang_up):
            return None
        block = np.zeros(TICK, np.int16)
        for start, end in self.speaks:
            first, last = samples(start) - now, samples(end) - now
            block[max(first, 0) : max(last, 0)] = TONE
        return block


class AnsweringAgent:
    """An in-process agent that answers `delay` seconds after the caller's last sound, for `length` seconds."""

    def __init__(self, delay: float, length: float = 1.0) -> None:
        self._delay, self._length = samples(delay), samples(length)
        self._now = 0
        self._last_sound: int | None = None

    def tick(self, caller: Pcm) -> Pcm:
        """See `voicesim.transports.inprocess.InProcessAgent`."""
        sounding = np.flatnonzero(caller)
        if len(sounding):
            self._last_sound = self._now + int(sounding[-1]) + 1
        block = np.zeros(TICK, np.int16)
        if self._last_sound is not None:
            first = self._last_sound + self._delay - self._now
            block[max(first, 0) : max(first + self._length, 0)] = TONE
        self._now += TICK
        return block


@dataclass(frozen=True)
class FinishedCall:
    """What a call left behind: its recording, opened, and its manifest."""

    recording: Recording
    manifest: Manifest

    def lines(self) -> list[tuple[float, str]]:
        """Start (seconds) and text of every line of the patient."""
        return [(round(event.t, 3), event.text) for event in self.recording.events if event.type == "caller_line"]


async def make_call(
    folder: Path,
    agent: InProcessAgent | Transport,
    *,
    mind: Mind | None = None,
    workers: Workers | None = None,
    turn_taking: TurnTaking = PLAIN,
    scenes: tuple[Scene, ...] = (),
    language: str = "en",
    opening: str = "I have a cold.",
    profile: AudioProfile | None = None,
    vad: Vad | None = None,
    seed: int = 7,
    max_turns: int = 30,
    max_duration: float = 120.0,
    watch: Callable[[Event], None] = lambda event: None,
) -> Manifest:
    """Make one call into `folder`, on the time of the loop that runs it; every part can be replaced.

    Raises TransportError when no call came about.
    """
    transport = InProcess(agent) if isinstance(agent, InProcessAgent) else agent
    call = build_call(
        transport,
        mind=mind or ScriptedMind(),
        workers=lambda timeline: workers or ToneWorkers(),
        opening=opening,
        manner=Manner(turn_taking, language, scenes),
        profile=profile or AudioProfile(id="clean", title="Clean"),
        seed=seed,
        vad=vad or PeakVad(),
        max_turns=max_turns,
        max_duration=max_duration,
        watch=watch,
    )
    return await call.run(LiveRecording(folder, bare_manifest(folder.name, "testing", "virtual")))


def run_call(
    folder: Path,
    agent: InProcessAgent | Transport,
    *,
    mind: Mind | None = None,
    workers: Workers | None = None,
    turn_taking: TurnTaking = PLAIN,
    opening: str = "I have a cold.",
    profile: AudioProfile | None = None,
    max_duration: float = 120.0,
) -> FinishedCall:
    """Make one call on virtual time and open its recording. Parameters as of `make_call`."""
    manifest = run_virtual(
        make_call(
            folder,
            agent,
            mind=mind,
            workers=workers,
            turn_taking=turn_taking,
            opening=opening,
            profile=profile,
            max_duration=max_duration,
        )
    )
    return FinishedCall(open_recording(folder), manifest)
