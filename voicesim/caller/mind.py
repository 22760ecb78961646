"""What passes between the parts of the patient."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from voicesim.recording.events import Intent, LineKind

Speaker = Literal["patient", "other"]
"""The patient, or somebody who is with the patient."""


@dataclass(frozen=True)
class Part:
    """A stretch of a line: words, or a sound that is none; `pause` seconds of silence come before it."""

    text: str = ""
    sound: str = ""
    """The name of a sound (`caller/sounds.py`)."""
    pause: float = 0.0
    speaker: Speaker = "patient"
    aside: bool = False
    """Said away from the phone."""


@dataclass(frozen=True)
class Mismatch:
    """Why a recorded line does not go with the agent's words, and what the replay does: see events.Divergence."""

    kind: Literal["never_answered", "does_not_fit", "no_more_lines"]
    detail: str
    line: str = ""
    action: Literal["stop", "go_on", "hand_over"] = "go_on"


@dataclass(frozen=True)
class PatientLine:
    """One thing the patient says.

    `facts` are the ids released with it; `hang_up` ends the call after it. `parts` say how the line sounds where its
    text alone does not. An interruption that is `final` says all that the patient has to say for now. A line without
    text says nothing: the patient leaves the agent's words unanswered.
    """

    text: str
    intent: Intent = "respond"
    facts: tuple[str, ...] = ()
    hang_up: bool = False
    kind: LineKind = "line"
    parts: tuple[Part, ...] = ()
    final: bool = False
    diverged: Mismatch | None = None
    """In a replay, why the recorded line did not go with what the agent said."""


@dataclass(frozen=True)
class Said:
    """A finished turn of the conversation, as the patient knows it: its own line, or what it heard."""

    side: Literal["agent", "caller"]
    text: str


@dataclass
class Memory:
    """The conversation so far, from the patient's side, and which facts were already given.

    `unsure`: the ear doubts the words that are to be answered now.
    """

    turns: list[Said] = field(default_factory=list)
    released: set[str] = field(default_factory=set)
    unsure: bool = False


class Mind(Protocol):
    """Decides what the patient says. First decide which facts are asked for, then word the reply."""

    name: str

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        """The patient's answer to what it heard of the agent's last turn.

        Raises MindError when no acceptable line can be had; the call is then invalid with its reason.
        """
        ...


@runtime_checkable
class Begins(Protocol):
    """A mind that knows the beginning of its line before the rest."""

    async def begin(self, heard: str, memory: Memory, started: Callable[[PatientLine], None]) -> PatientLine:
        """As `Mind.reply`; `started` is given, at most once, what may be said already: the line's first sentence.

        The whole line then begins with it.
        """
        ...


class MindError(Exception):
    """The mind could not give a line that may be spoken. `reason` is the validity reason of the call."""

    def __init__(self, reason: str, detail: str) -> None:
        self.reason, self.detail = reason, detail
        super().__init__(reason, detail)  # as given, so that it survives the way from another process

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}"
