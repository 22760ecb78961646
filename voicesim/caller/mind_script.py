"""The scripted mind: says the exact lines of a file, each once and on its condition, for regression tests."""

from voicesim.caller import phrases
from voicesim.caller.mind import Memory, PatientLine
from voicesim.catalog.load import load_script
from voicesim.catalog.model import Case
from voicesim.catalog.script import Script
from voicesim.errors import UsageError
from voicesim.language.cues import cue_in


class ScriptMind:
    """Without state of its own: a line that the memory holds was said."""

    exact = True

    def __init__(self, script: Script, name: str, language: str = "en") -> None:
        self.name, self._language = name, language
        self._script = script

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        """The first line that was not said yet and whose cues are in the agent's words. Raises nothing."""
        said = phrases.spoken(memory)
        for line in self._script.lines:
            fits = not line.when or any(cue_in(cue, heard, self._language) for cue in line.when)
            if fits and line.says not in said:
                return PatientLine(line.says, facts=line.facts, hang_up=line.hang_up)
        return PatientLine(self._script.otherwise)


def make(case: Case, target: str) -> ScriptMind:
    """The mind of a script's file. Raises UsageError for a fact that the case does not have, and for a bad file."""
    script = load_script(target)
    known = {fact.id for fact in case.patient.reveal_only_if_asked}
    for line in script.lines:
        if unknown := sorted(set(line.facts) - known):
            raise UsageError(f"{target}: the line {line.says!r} tells {unknown[0]!r}, no fact of the case {case.id}")
    return ScriptMind(script, f"script:{target}", case.language)
