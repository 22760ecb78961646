"""What passes between the parts of the patient."""

from dataclasses import dataclass, field
from typing import Literal, Protocol

from voicesim.recording.events import Intent


@dataclass(frozen=True)
class PatientLine:
    """One thing the patient says. `facts` are the ids released with it; `hang_up` ends the call after it."""

    text: str
    intent: Intent = "respond"
    facts: tuple[str, ...] = ()
    hang_up: bool = False


@dataclass(frozen=True)
class Said:
    """A finished turn of the conversation, as the patient knows it: its own line, or what it heard."""

    side: Literal["agent", "caller"]
    text: str


@dataclass
class Memory:
    """The conversation so far, from the patient's side, and which facts were already given."""

    turns: list[Said] = field(default_factory=list)
    released: set[str] = field(default_factory=set)


class Mind(Protocol):
    """Decides what the patient says. First decide which facts are asked for, then word the reply."""

    name: str

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        """The patient's answer to what it heard of the agent's last turn.

        Raises MindError when no acceptable line can be had; the call is then invalid with its reason.
        """
        ...


class MindError(Exception):
    """The mind could not give a line that may be spoken. `reason` is the validity reason of the call."""

    def __init__(self, reason: str, detail: str) -> None:
        self.reason, self.detail = reason, detail
        super().__init__(reason, detail)  # as given, so that it survives the way from another process

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}"
