"""Published scores of fourteen calls over the shipped cases, reproduced from patterns of hits and misses."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from pattern_search import GROUPS, Known, search
from spoken import shipped

from voicesim.catalog.model import Group
from voicesim.judge.model import Verdict
from voicesim.judge.score import score

CALLS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "published_scores.json").read_text())
CASES = ["01", "04", "10", "09", "09", "08", "07", "06", "05", "05", "03", "03", "02", "01"]
SCORES = [0.64, 0.80, 0.61, 0.35, 0.50, 0.70, 0.63, 0.65, 0.85, 0.70, 0.65, 0.68, 0.47, 0.60]
CRITICAL_MISSED = {6: ("no_otc_combo_under4",), 11: ("flags_secondary_infection",), 13: ("breathing_now",)}
# Weight of hits, weight of all, hits, checks.
SUMS: dict[Group, tuple[float, float, int, int]] = {
    "critical": (3.42, 4.00, 14, 17),
    "must_ask": (2.40, 4.63, 19, 36),
    "close": (3.01, 5.37, 17, 31),
}


def verdicts(call: dict[str, Any]) -> list[Verdict]:
    return [
        Verdict(
            check=one.id,
            group=one.group,
            weight=one.weight,
            outcome="miss" if one.id in call["missed"] else "hit",
        )
        for one in shipped(call["case"]).rubric
    ]


def test_the_calls_are_those_that_were_published() -> None:
    assert [call["case"][5:7] for call in CALLS] == CASES
    assert [call["score"] for call in CALLS] == SCORES


@pytest.mark.parametrize("number", range(14))
def test_each_score_and_critical_miss_comes_out(number: int) -> None:
    result = score(verdicts(CALLS[number]))
    assert (result.value, result.coverage) == (SCORES[number], 1.0)
    assert result.failed_critical == CRITICAL_MISSED.get(number, ())


@pytest.mark.parametrize("group", GROUPS)
def test_the_sums_by_group_come_out(group: Group) -> None:
    checks = [one for call in CALLS for one in verdicts(call) if one.group == group]
    hits = [one for one in checks if one.outcome == "hit"]
    sums = (math.fsum(one.weight for one in hits), math.fsum(one.weight for one in checks))
    assert (round(sums[0], 6), round(sums[1], 6), len(hits), len(checks)) == SUMS[group]


def test_the_patterns_are_what_the_search_finds() -> None:
    known = [
        Known(shipped(f"cold-{case}"), round(100 * value), number in CRITICAL_MISSED)
        for number, (case, value) in enumerate(zip(CASES, SCORES, strict=True))
    ]
    wanted = tuple(number for group in GROUPS for number in (round(100 * SUMS[group][0]), SUMS[group][2]))
    assert search(known, wanted) == tuple(tuple(call["missed"]) for call in CALLS)


def test_no_pattern_gives_sums_that_contradict_the_scores() -> None:
    # 1.00 of weight hit in one call that scored 0.80
    assert search([Known(shipped("cold-04"), 80, False)], (80, 2, 0, 0, 20, 1)) is None
