"""Lines as language models write them, and farewells that are none: inputs/*.yaml, walked."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from patients import begun, shipped

from voicesim.caller.mind import Memory, MindError, PatientLine
from voicesim.caller.mind_cues import CuesMind
from voicesim.caller.minds import GuardedMind
from voicesim.language.farewells import says_goodbye

INPUTS = Path(__file__).parent / "inputs"
FORM = {"caller_markup", "caller_role_flip", "caller_repeats", "caller_silent", "caller_too_long"}
"""Reasons that are about a line's form; what a line tells is another matter, and these lines belong to no case."""
LINES = yaml.safe_load((INPUTS / "patient_lines.yaml").read_text())["entries"]
TURNS = yaml.safe_load((INPUTS / "goodbyes.yaml").read_text())["entries"]


class Writes:
    """A mind that always writes the same."""

    name = "writes"

    def __init__(self, text: str) -> None:
        self._text = text

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        return PatientLine(self._text)


async def spoken(entry: dict[str, Any]) -> str | None:
    """What of a line reaches the voice; None when it was refused for its form, twice."""
    case = shipped("cold-01")
    everything = tuple(fact.id for fact in case.patient.reveal_only_if_asked)
    try:
        line = await GuardedMind(Writes(entry["line"]), case).reply(entry["heard"], begun(case, released=everything))
    except MindError as error:
        if error.reason in FORM:
            return None
        said = re.search(r"\(line: (['\"])(.*)\1\)$", error.detail)
        assert said is not None
        return said.group(2)
    return line.text


def bare(text: str) -> str:
    return " ".join(re.sub(r"[^\w@' ]|(?<!\w)'|'(?!\w)", " ", text.lower()).split())


@pytest.mark.parametrize("entry", LINES, ids=lambda entry: entry["line"][:50])
async def test_a_models_line_is_spoken_without_what_is_no_speech_or_not_at_all(entry: dict[str, Any]) -> None:
    said = await spoken(entry)
    if said is None:
        assert not entry["allowed"] or entry.get("or_asked_again")
        return
    assert entry["allowed"]
    if "@" in entry["line"]:
        assert said == entry["line"]
        return
    wanted = entry.get("spoken", bare(entry["line"]))
    assert bare(said) in ([wanted] if isinstance(wanted, str) else [*wanted, bare(entry["line"])])


@pytest.mark.parametrize("entry", TURNS, ids=lambda entry: entry["agent"][:50])
async def test_only_a_farewell_that_is_meant_ends_the_call(entry: dict[str, Any]) -> None:
    case = shipped("cold-01")
    line = await CuesMind(case).reply(entry["agent"], begun(case))
    assert says_goodbye(entry["agent"]) == entry["ends_call"]
    assert line.hang_up == entry["ends_call"]
