"""Names of minds, and the guard that stands between any mind and the voice."""

from dataclasses import replace
from typing import Protocol, runtime_checkable

from voicesim.caller.cleaning import first_line, speakable
from voicesim.caller.guard import LineProblem, problem
from voicesim.caller.mind import Memory, Mind, MindError, PatientLine
from voicesim.caller.opening import check_opening
from voicesim.catalog.model import Case
from voicesim.errors import UsageError, near

MINDS = ("cues", "openai:MODEL")


@runtime_checkable
class Rewords(Protocol):
    """A mind that can word a line anew when it is told what was wrong with it."""

    async def again(self, heard: str, memory: Memory, line: PatientLine, why: str) -> PatientLine: ...


class GuardedMind:
    """Checks every line of a mind before it is spoken; asks once more, then gives up on the call."""

    def __init__(self, mind: Mind, case: Case) -> None:
        self.name = mind.name
        self._mind, self._case = mind, case

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        """See Mind. Raises MindError with the reason of the guard when the second line is no better."""
        line = self._cleaned(await self._mind.reply(heard, memory))
        found = self._problem(line, heard, memory)
        if found is None:
            return line
        if isinstance(self._mind, Rewords):
            line = self._cleaned(await self._mind.again(heard, memory, line, found.detail))
        else:
            line = self._cleaned(await self._mind.reply(heard, memory))
        found = self._problem(line, heard, memory)
        if found is not None:
            raise MindError(found.reason, f"{found.detail} (line: {line.text!r})")
        return line

    def _cleaned(self, line: PatientLine) -> PatientLine:
        return replace(line, text=speakable(first_line(line.text), self._case.patient.name))

    def _problem(self, line: PatientLine, heard: str, memory: Memory) -> LineProblem | None:
        return problem(line.text, self._case, memory, heard, line.facts)


def make_mind(spec: str, case: Case) -> Mind:
    """The guarded mind that `--mind` names: `cues`, or `openai:MODEL`.

    Raises UsageError for another name or a missing key, and CatalogueError when the case's opening line gives
    away what is only told when asked.
    """
    check_opening(case)
    kind, _, model = spec.partition(":")
    if spec == "cues":
        from voicesim.caller.mind_cues import CuesMind

        return GuardedMind(CuesMind(case), case)
    if kind == "openai" and model.strip():
        from voicesim.caller.mind_openai import OpenAIMind

        return GuardedMind(OpenAIMind(case, model.strip()), case)
    if kind == "openai":
        raise UsageError(f"mind {spec!r} names no model: write openai:MODEL, such as openai:gpt-4o-mini")
    raise UsageError(f"unknown mind {spec!r}.{near(kind, MINDS)}")
