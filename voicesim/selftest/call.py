"""One call of the self-test: the real patient, session and recording; nothing to understand."""

from pathlib import Path

from voicesim.call.clock import CallClock
from voicesim.call.session import Session
from voicesim.call.switchboard import Switchboard
from voicesim.call.timeline import Timeline
from voicesim.caller.ear import Ear, Turn
from voicesim.caller.line import Line, Memory
from voicesim.caller.patient import INTERRUPTION, Patient
from voicesim.catalog.model import AudioProfile, Floor
from voicesim.channel.channel import Channel
from voicesim.hearing.vad import ready_vad
from voicesim.lines.base import Line as Wire
from voicesim.recording.live import LiveRecording
from voicesim.recording.manifest import Manifest, bare_manifest
from voicesim.selftest.sound import even_speech
from voicesim.speech.voice import Speech

FLOOR = Floor(
    reply_gap=(0.4, 0.4), end_of_turn=0.8, opening_wait=0.5, barge_in=1.0, barge_in_after=1.0, yields_after=None
)
"""A patient that interrupts whatever lasts over a second, gives way to nobody, and leaves a gap between two lines."""
LINE_SECONDS, STOP_SECONDS = 1.8, 1.2
MAX_DURATION = 600.0


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


async def make_call(line: Wire, lines: int, folder: Path) -> Manifest:
    """Call over a line that is not open yet; the patient says `lines` lines and a goodbye.

    Raises LineError when no call came about.
    """
    clock, timeline = CallClock(), Timeline(line.held)
    switchboard = Switchboard(clock, timeline, lambda event: None)
    patient = Patient(
        opening=Line("Hello."),
        mind=_Mind(lines),
        floor=FLOOR,
        ear=Ear(ready_vad(), FLOOR.end_of_turn),
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
    return await session.run(LiveRecording(folder, bare_manifest(folder.name, "selftest")))
