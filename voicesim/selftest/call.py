"""One call of the self-test: the real patient, session, recording and measures; nothing to understand."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from voicesim.call.clock import CallClock
from voicesim.call.session import Session, Switchboard
from voicesim.call.timeline import Timeline
from voicesim.caller.ear import Ear, Turn
from voicesim.caller.line import Line, Memory
from voicesim.caller.patient import INTERRUPTION, Patient
from voicesim.catalog.model import AudioProfile, Floor
from voicesim.channel.channel import Channel
from voicesim.hearing.model import Hearing
from voicesim.hearing.silero import WINDOW
from voicesim.hearing.vad import StreamingVad
from voicesim.lines.base import Line as Wire
from voicesim.metrics.measure import measure
from voicesim.metrics.model import Metrics
from voicesim.recording.live import LiveRecording
from voicesim.recording.manifest import Validity, bare_manifest
from voicesim.recording.read import open_recording
from voicesim.selftest.agent import Kind
from voicesim.selftest.sound import even_speech
from voicesim.sound import Wave
from voicesim.speech.voice import Speech
from voicesim.transcript.build import build
from voicesim.transcript.model import Transcript

FLOOR = Floor(
    reply_gap=(0.4, 0.4), end_of_turn=0.8, opening_wait=0.5, barge_in=1.0, barge_in_after=1.0, yields_after=None
)
"""A patient that interrupts whatever lasts over a second, gives way to nobody, and leaves a gap between two lines."""
LINE_SECONDS, STOP_SECONDS = 1.8, 1.2
MAX_DURATION = 600.0


@dataclass(frozen=True)
class Figure:
    """What the measures say of an instant, in seconds; None where they found nothing, or were held up and say so."""

    value: float | None
    held_up: bool = False


@dataclass(frozen=True)
class Measured:
    """The figures of a call by kind, in the order of the call; `late` is the 99th percentile of its ticks' lateness."""

    figures: dict[Kind, list[Figure]]
    validity: Validity
    late: float = 0.0


class _Hands:
    """Understands nothing, and voices every line at once."""

    async def hear(self, turn: Turn) -> str:
        return "yes"

    async def speak(self, text: str, pause: float) -> Speech:
        return Speech(even_speech(STOP_SECONDS if text == INTERRUPTION.text else LINE_SECONDS), text, text)


class _Mind:
    """Says a number of lines, and then goodbye."""

    name = "selftest"

    def __init__(self, lines: int) -> None:
        self._left = lines

    async def reply(self, heard: str, memory: Memory) -> Line:
        self._left -= 1
        return Line("And then?") if self._left > 0 else Line("Goodbye.", hang_up=True)


class _Deaf:
    """A transcriber that hears no words: the measures are of sound."""

    model = "none"
    sha256 = ""

    def transcribe(self, wave: Wave, language: str) -> Hearing:
        return Hearing("", (), language)


async def make_call(line: Wire, lines: int, folder: Path) -> Measured:
    """Call over a line that is not open yet; the patient says `lines` lines and a goodbye.

    Raises LineError when no call came about.
    """
    clock, timeline = CallClock(), Timeline(line.held)
    switchboard = Switchboard(clock, timeline, lambda event: None)
    vad = StreamingVad()
    vad.feed(np.zeros(4 * WINDOW, np.int16))  # loads the model now, not in the first tick
    vad.reset()
    patient = Patient(
        opening=Line("Hello."),
        mind=_Mind(lines),
        floor=FLOOR,
        ear=Ear(vad, FLOOR.end_of_turn),
        hands=_Hands(),
        seed=0,
        max_turns=lines + 2,
        log=switchboard.event,
    )
    session = Session(
        line=line,
        channel=Channel(AudioProfile(id="clean", title="Clean"), 0),
        clock=clock,
        timeline=timeline,
        switchboard=switchboard,
        patient=patient,
        max_duration=MAX_DURATION,
    )
    manifest = await session.run(LiveRecording(folder, bare_manifest(folder.name, "selftest")))
    recording = open_recording(folder)
    transcript = build(recording, _Deaf(), "en")
    late = manifest.lateness.p99 if manifest.lateness else 0.0
    figures = read(transcript, measure(recording, transcript))
    return Measured(figures, manifest.validity or Validity(valid=True), late)


def read(transcript: Transcript, metrics: Metrics) -> dict[Kind, list[Figure]]:
    """The figures that the script knows the truth of, in the order of the call."""
    starts = {one.id: one.start for one in transcript.utterances}
    found: dict[Kind, list[Figure]] = {"latency": [], "cut_in": [], "yield": []}
    for turn in metrics.turns:
        held_up = turn.held_up is not None
        if turn.outcome == "cut_in" and turn.agent_start is not None:
            into = None if held_up else turn.agent_start - starts[turn.caller]
            found["cut_in"].append(Figure(into, held_up))
        else:
            found["latency"].append(Figure(turn.latency, held_up))
    found["yield"] = [Figure(one.yield_time, one.held_up is not None) for one in metrics.interruptions]
    return found
