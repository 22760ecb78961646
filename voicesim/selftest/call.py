"""One call of the self-test: the real patient, session and recording; nothing to understand."""

from pathlib import Path

from voicesim.call.assembly import build_call
from voicesim.caller.ear import AgentTurn, Stretch
from voicesim.caller.mind import Memory, PatientLine
from voicesim.caller.understanding import Understood
from voicesim.caller.voicing import Manner
from voicesim.catalog.model import AudioProfile, ReplyGap, TurnTaking
from voicesim.recording.live import LiveRecording
from voicesim.recording.manifest import Manifest, bare_manifest
from voicesim.selftest.sound import even_speech
from voicesim.transports.base import Transport
from voicesim.tts.base import Speech

TURN_TAKING = TurnTaking(
    reply_gap=ReplyGap(between=(1.2, 1.2)),
    end_of_turn=0.8,
    opening_wait=0.5,
    barge_in=1.0,
    barge_in_after=1.0,
    yields_after=None,
)
"""A patient that interrupts whatever lasts over a second, gives way to nobody, and leaves a gap between two lines."""
LINE_SECONDS, STOP_SECONDS = 1.8, 1.2
MAX_DURATION = 600.0


class _Workers:
    """Understands nothing, and voices every line at once."""

    async def hear(self, turn: AgentTurn, stretch: Stretch, before: str) -> Understood:
        return Understood("yes")

    async def speak(self, line: PatientLine) -> Speech:
        length = STOP_SECONDS if line.kind == "interruption" else LINE_SECONDS
        return Speech(even_speech(length), line.text, line.text)


class _Mind:
    """Says a number of lines, and then goodbye."""

    name = "selftest"

    def __init__(self, lines: int) -> None:
        self._lines = lines

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        # The opening is none of the lines; the last one is the goodbye.
        said = sum(turn.side == "caller" for turn in memory.turns)
        return PatientLine("And then?") if said < self._lines else PatientLine("Goodbye.", hang_up=True)


async def make_call(transport: Transport, lines: int, folder: Path) -> Manifest:
    """Call over a transport that is not open yet; the patient says `lines` lines and a goodbye.

    Raises TransportError when no call came about.
    """
    call = build_call(
        transport,
        mind=_Mind(lines),
        workers=lambda timeline: _Workers(),
        opening="Hello.",
        manner=Manner(TURN_TAKING),
        profile=AudioProfile(id="clean", title="Clean"),
        max_turns=lines + 2,
        max_duration=MAX_DURATION,
    )
    return await call.run(LiveRecording(folder, bare_manifest(folder.name, "selftest")))
