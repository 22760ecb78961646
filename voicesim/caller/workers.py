"""What the patient has done elsewhere, because it takes longer than a tick."""

from typing import Protocol

from voicesim.caller.ear import AgentTurn, Stretch
from voicesim.caller.mind import PatientLine
from voicesim.caller.understanding import Understood
from voicesim.tts.base import Speech


class Workers(Protocol):
    """The slow work of a patient."""

    async def hear(self, turn: AgentTurn, stretch: Stretch, before: str) -> Understood:
        """The words of a stretch of an agent turn, and whether the agent seems to have finished with it.

        `before` are the words of the turn before this stretch.
        """
        ...

    async def speak(self, line: PatientLine) -> Speech:
        """A line as sound: its parts if it has some, its text otherwise."""
        ...
