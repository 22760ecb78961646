"""Single wordings: the offline judge's rates on them are documented; here stands what must never happen."""

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from voicesim.bench.evaluation import evaluate
from voicesim.bench.exam.wordings import wordings
from voicesim.bench.examine import Answer, answers, calls
from voicesim.bench.scripted import transcript_of
from voicesim.catalog.find import Catalogue
from voicesim.cli.app import build
from voicesim.judge.base import Call
from voicesim.judge.offline.cues import CuesJudge

ROOT = Path(__file__).parents[2]
DECIDED = ("hit", "miss", "not_applicable")


@cache
def answered() -> tuple[Answer, ...]:
    """The offline judge on every item."""
    catalogue = Catalogue((ROOT,))
    return tuple(answer for call in calls(wordings(), ROOT, catalogue.case) for answer in answers(CuesJudge(), call))


def wrong(part: str, style: str) -> int:
    """How many critical checks are decided wrongly; which ones is not told, so that nobody tunes a rule to them."""
    critical = [answer for answer in answered() if answer.check.group == "critical"]
    wanted = [answer for answer in critical if (answer.labels[0].part, answer.labels[0].style) == (part, style)]
    return sum(
        answer.verdict.outcome in DECIDED and answer.verdict.outcome != answer.labels[0].label for answer in wanted
    )


@pytest.mark.parametrize("part", ["tuned", "held_out"])
def test_no_critical_check_is_decided_wrongly_among_plain_wordings(part: str) -> None:
    assert wrong(part, "plain") == 0


@pytest.mark.parametrize("style", ["natural", "hard"])
def test_no_critical_check_is_decided_wrongly_that_the_rules_were_made_with(style: str) -> None:
    assert wrong("tuned", style) == 0


def test_what_an_excerpt_without_the_patient_says_is_never_called_missing() -> None:
    """Its first line may be the very thing that is told; who has not spoken cannot have been answered."""
    catalogue, judge = Catalogue((ROOT,)), CuesJudge()
    case = catalogue.case("cold-01-andi")
    checks = {check.id: check for check in case.rubric}
    for check, line in (
        ("hedged_cold", "A: This is most likely a common cold."),
        ("return_if_worse", "A: If you become short of breath, go to the emergency department immediately."),
    ):
        assert judge.find(checks[check], Call(case, transcript_of([line], "x"))).outcome not in DECIDED


def test_both_parts_hold_every_style_and_case() -> None:
    counts = Counter((gold.part, gold.style) for gold in wordings())
    assert len(counts) == 6
    assert min(counts.values()) >= 60
    for part in ("tuned", "held_out"):
        assert len({gold.case for gold in wordings() if gold.part == part}) == 11


def test_the_tables_by_style_add_up() -> None:
    tables = [table for table in evaluate("cues", "x", answered()).tables if table.by == "style"]
    plain = next(table for table in tables if table.name == "plain, tuned")
    counts = [(label, outcome, count) for label, row in plain.confusion.items() for outcome, count in row.items()]
    right = sum(count for label, outcome, count in counts if label == outcome)
    assert right + plain.undecided.part + plain.wrong.part == plain.items
    assert sum(table.items for table in tables if "critical" not in table.name) == len(wordings())


def test_the_command_shows_the_styles() -> None:
    told = CliRunner().invoke(build(), ["judge-eval", "wordings", "--judge", "cues"])
    assert told.exit_code == 0, told.output
    assert "plain, held out, critical" in told.output
