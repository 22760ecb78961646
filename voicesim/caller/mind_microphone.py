"""The mind of a person who speaks: there is nothing to think for it, and its voice is its own."""

import sys
from collections.abc import Callable

from voicesim.caller.ear import Ear
from voicesim.caller.mind import Memory, PatientLine
from voicesim.caller.speaking_person import SpeakingPerson
from voicesim.caller.typed import Keyboard
from voicesim.caller.understanding import Hear
from voicesim.catalog.model import Case
from voicesim.recording.events import Event


class MicrophoneMind:
    """Stands for the person; `person` is who takes the patient's place in the call."""

    name = "microphone"
    by_hand = True

    def __init__(self) -> None:
        self._lines = Keyboard()

    def warm(self) -> None:
        """Raises UsageError when there is no pipe by which a program could bring the microphone."""
        self._lines.check()

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        """Nothing of its own: the person speaks."""
        return PatientLine("")

    def person(self, ear: Ear, own_ear: Ear, hear: Hear, log: Callable[[Event], None]) -> SpeakingPerson:
        """Whoever speaks in this call."""
        return SpeakingPerson(self._lines, _to_program, ear=ear, own_ear=own_ear, hear=hear, log=log)

    def close(self) -> None:
        """The call is over."""
        self._lines.close()


def make(case: Case, _: str) -> MicrophoneMind:
    """The mind of whoever speaks, whose microphone a program brings over standard input and output."""
    return MicrophoneMind()


def _to_program(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
