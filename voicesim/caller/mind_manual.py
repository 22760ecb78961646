"""The mind of a person, who reads what the patient understood and types what it says, while the call runs."""

from typing import Protocol

from voicesim.caller.mind import Memory, PatientLine
from voicesim.caller.typed import Keyboard
from voicesim.catalog.model import Case

HANG_UP = "/hangup"
_HELP = (
    "Type what the patient says, or the number of a fact. An empty line says nothing. "
    f"{HANG_UP} hangs up, with last words behind it if you like."
)


class Terminal(Protocol):
    """Where the person sits."""

    def check(self) -> int: ...

    def show(self, text: str) -> None: ...

    async def line(self) -> str | None: ...

    def close(self) -> None: ...


class ManualMind:
    """Says what is typed, as it is typed. It lives where the terminal is, and no guard looks over its shoulder."""

    name = "manual"
    by_hand = True

    def __init__(self, case: Case, terminal: Terminal) -> None:
        self._case, self._terminal = case, terminal
        self._facts = case.patient.reveal_only_if_asked
        self._line: PatientLine | None = None
        self._said = 0
        self._shown = ""

    def warm(self) -> None:
        """Show the person who they are. Raises UsageError when there is nothing to type into."""
        self._terminal.check()
        patient = self._case.patient
        who = ", ".join(filter(None, (f"{patient.name}, {patient.age}", patient.sex, patient.occupation)))
        facts = [f"  {number}  {fact.says}" for number, fact in enumerate(self._facts, 1)]
        presses = [f"  to press for: {says}" for says in patient.insists.says] if patient.insists else []
        self._terminal.show("\n".join([f"You are {who}. You begin: {patient.says_first}", *facts, *presses, _HELP]))

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        """See Mind. A line that was typed and not said yet is given again, when the agent has only gone on."""
        if self._line is not None and len(memory.turns) == self._said:
            return self._line
        self._show(heard, memory)
        typed = await self._terminal.line()
        line = self._read(typed)
        if line.text:
            self._line, self._said = line, len(memory.turns)
        return line

    def close(self) -> None:
        """The call is over."""
        self._terminal.close()

    def _show(self, heard: str, memory: Memory) -> None:
        """What was understood; of a turn that went on, all of it again."""
        shown = heard or ("(nothing understood)" if memory.turns else "")
        if shown and shown != self._shown:
            self._terminal.show(f"agent> {shown}")
        self._shown = shown

    def _read(self, typed: str | None) -> PatientLine:
        if typed is None or typed.split()[:1] == [HANG_UP]:
            return PatientLine((typed or "").strip().removeprefix(HANG_UP).strip(), hang_up=True)
        if typed.isdecimal() and 1 <= int(typed) <= len(self._facts):
            fact = self._facts[int(typed) - 1]
            return PatientLine(fact.says, facts=(fact.id,))
        return PatientLine(typed)


def make(case: Case, _: str) -> ManualMind:
    """The mind of whoever sits at the terminal."""
    return ManualMind(case, Keyboard())
