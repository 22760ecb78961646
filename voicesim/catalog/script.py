"""The lines of a scripted patient: exact words, each said once, when the agent's words hold its cues."""

from pydantic import Field

from voicesim.catalog.entry import Cues, Entry, Words


class ScriptLine(Entry):
    """One line. Without `when` it is said as soon as it is its turn; `facts` are the ids it tells."""

    says: str = Field(min_length=1)
    when: Cues = ()
    facts: Words = ()
    hang_up: bool = False


class Script(Entry):
    """Lines in order. `otherwise` is said when none of those that are left fits."""

    lines: tuple[ScriptLine, ...] = Field(min_length=1)
    otherwise: str = Field(default="Sorry, could you say that again?", min_length=1)
