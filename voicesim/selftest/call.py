"""One call of the self-test: the real patient, session and recording; nothing to understand."""

from pathlib import Path

from voicesim.call.clock import CallClock
from voicesim.call.inbox import CallInbox
from voicesim.call.live_call import LiveCall
from voicesim.call.timeline import Timeline
from voicesim.caller.ear import AgentTurn, Ear
from voicesim.caller.mind import Memory, PatientLine
from voicesim.caller.patient import INTERRUPTION, SimulatedPatient
from voicesim.catalog.model import AudioProfile, TurnTaking
from voicesim.channel.channel import Channel
from voicesim.recording.live import LiveRecording
from voicesim.recording.manifest import Manifest, bare_manifest
from voicesim.selftest.sound import even_speech
from voicesim.stt.vad import ready_vad
from voicesim.transports.base import Transport
from voicesim.tts.base import Speech

FLOOR = TurnTaking(
    reply_gap=(0.4, 0.4), end_of_turn=0.8, opening_wait=0.5, barge_in=1.0, barge_in_after=1.0, yields_after=None
)
"""A patient that interrupts whatever lasts over a second, gives way to nobody, and leaves a gap between two lines."""
LINE_SECONDS, STOP_SECONDS = 1.8, 1.2
MAX_DURATION = 600.0


class _Workers:
    """Understands nothing, and voices every line at once."""

    async def hear(self, turn: AgentTurn) -> str:
        return "yes"

    async def speak(self, text: str, pause: float) -> Speech:
        return Speech(even_speech(STOP_SECONDS if text == INTERRUPTION.text else LINE_SECONDS), text, text)


class _Mind:
    """Says a number of lines, and then goodbye."""

    name = "selftest"

    def __init__(self, lines: int) -> None:
        self._left = lines

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        self._left -= 1
        return PatientLine("And then?") if self._left > 0 else PatientLine("Goodbye.", hang_up=True)


async def make_call(transport: Transport, lines: int, folder: Path) -> Manifest:
    """Call over a line that is not open yet; the patient says `lines` lines and a goodbye.

    Raises TransportError when no call came about.
    """
    clock, timeline = CallClock(), Timeline(transport.held)
    inbox = CallInbox(clock, timeline, lambda event: None)
    patient = SimulatedPatient(
        opening=PatientLine("Hello."),
        mind=_Mind(lines),
        turn_taking=FLOOR,
        ear=Ear(ready_vad(), FLOOR.end_of_turn),
        workers=_Workers(),
        seed=0,
        max_turns=lines + 2,
        log=inbox.event,
    )
    session = LiveCall(
        transport=transport,
        channel=Channel(AudioProfile(id="clean", title="Clean"), 0),
        clock=clock,
        timeline=timeline,
        inbox=inbox,
        patient=patient,
        max_duration=MAX_DURATION,
    )
    return await session.run(LiveRecording(folder, bare_manifest(folder.name, "selftest")))
