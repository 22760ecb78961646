"""A scripted patient says exact lines on their conditions."""

from pathlib import Path

import pytest
from patients import begun, shipped

from voicesim.caller.mind import Memory, PatientLine, Said
from voicesim.caller.minds import make_mind
from voicesim.catalog.problems import ProblemsError
from voicesim.errors import UsageError

SCRIPT = """\
lines:
  - {says: No allergies., when: [allerg], facts: [allergies]}
  - {says: Let me think.}
  - {says: Thank you. Goodbye., when: [goodbye, bye], hang_up: true}
otherwise: Sorry?
"""


def script(folder: Path, text: str = SCRIPT) -> str:
    path = folder / "lines.yaml"
    path.write_text(text)
    return f"script:{path}"


async def test_each_line_is_said_once_on_its_condition(tmp_path: Path) -> None:
    case = shipped("cold-01")
    mind, memory = make_mind(script(tmp_path), case), begun(case)
    said = []
    for heard in ("How are you?", "Any allergies?", "Any allergies?", "Goodbye."):
        line = await mind.reply(heard, memory)
        memory.turns += [Said("agent", heard), Said("caller", line.text)]
        said.append(line)
    assert said == [
        PatientLine("Let me think."),
        PatientLine("No allergies.", facts=("allergies",)),
        PatientLine("Sorry?"),
        PatientLine("Thank you. Goodbye.", hang_up=True),
    ]
    assert isinstance(memory, Memory)


def test_a_script_that_does_not_fit_its_case_is_refused(tmp_path: Path) -> None:
    wrong = SCRIPT.replace("[allergies]", "[allergy]")
    with pytest.raises(UsageError, match="'allergy', no fact of the case cold-01"):
        make_mind(script(tmp_path, wrong), shipped("cold-01"))


def test_a_typo_in_a_script_is_told_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(ProblemsError, match=r"lines\.yaml:3"):
        make_mind(script(tmp_path, SCRIPT.replace("{says: Let", "{say: Let")), shipped("cold-01"))


def test_a_script_needs_a_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="script:FILE"):
        make_mind("script", shipped("cold-01"))
