"""Code first: it can fail a check, it never rescues one, and where it decides nobody is asked."""

from dataclasses import dataclass, field

import pytest
from spoken import shipped, transcript
from tool_events import tool

from voicesim.catalog.model import Check
from voicesim.judge.base import Call, Finding
from voicesim.judge.code.tool_forbidden import ToolForbidden
from voicesim.judge.fitness import Fitness
from voicesim.judge.model import Outcome
from voicesim.judge.run import judge_call
from voicesim.recording.events import Event

WHOLE = Fitness("", True)
SCRIPT = "A: Hello.\nP: I feel dizzy.\nA: Do you have any chest pain?"
USED = tool(1.0, "cancel", {"ok": True})
OTHER = tool(1.0, "book", {"ok": True})
RULE = ToolForbidden(tools=("cancel",))


@dataclass
class Asked:
    """A judge with one opinion that remembers what it was asked about."""

    outcome: Outcome
    name: str = "asked"
    version: str = "1"
    checks: list[str] = field(default_factory=list)

    def find(self, check: Check, call: Call) -> Finding:
        self.checks.append(check.id)
        return Finding(self.outcome)


def decided(kind: str, says: Outcome, events: tuple[Event, ...], fit: Fitness = WHOLE) -> tuple[str, str, list[str]]:
    """What a check with RULE comes to, by whom, and whether the judge was asked about it."""
    check = Check.model_validate(
        {"id": "x", "group": "close", "kind": kind, "weight": 1.0, "expect": "Asks about chest pain.", "rule": RULE}
    )
    case = shipped("clinic-01").model_copy(update={"rubric": (check,)})
    judge = Asked(says)
    (verdict,) = judge_call(judge, case, transcript(SCRIPT), fit, events).verdicts
    return verdict.outcome, verdict.by, judge.checks


@pytest.mark.parametrize(
    ("events", "outcome"), [(USED, "miss"), (OTHER, "hit"), ((), "cannot_assess")], ids=["used", "not used", "no log"]
)
@pytest.mark.parametrize("says", ["hit", "miss"])
def test_a_code_check_is_decided_by_code_and_nobody_is_asked(
    events: tuple[Event, ...], outcome: str, says: Outcome
) -> None:
    assert decided("code", says, events) == (outcome, "code", [])


@pytest.mark.parametrize(
    ("events", "says", "expected"),
    [
        (USED, "hit", ("miss", "code", [])),
        (OTHER, "hit", ("hit", "judge", ["x"])),
        (OTHER, "miss", ("miss", "judge", ["x"])),
        (OTHER, "cannot_assess", ("cannot_assess", "judge", ["x"])),
        ((), "hit", ("cannot_assess", "judge", ["x"])),
        ((), "miss", ("miss", "judge", ["x"])),
    ],
)
def test_on_another_check_a_rule_can_fail_and_never_rescue(
    events: tuple[Event, ...], says: Outcome, expected: tuple[str, str, list[str]]
) -> None:
    assert decided("ask", says, events) == expected
