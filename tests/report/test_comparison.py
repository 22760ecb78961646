"""Two sides before the same patients: who is paired with whom, what may be compared, and what the figures are."""

from dataclasses import replace
from typing import Any

import pytest
from many_rows import made_up, published, row_of

from voicesim.errors import UsageError
from voicesim.report.many.comparison import Comparison, Difference, compare
from voicesim.report.many.comparison_page import changed, closing, comparison_json
from voicesim.report.many.row import Row, Setting, Timing
from voicesim.report.many.sides import Side, doubts, pairs, sides


def call(case: str, agent: str, seed: int = 0, missed: tuple[str, ...] = (), **changes: Any) -> Row:
    setting = Setting(case, "shipped", "clean", agent, judge="cues", seed=seed, **changes)
    return row_of(f"{case}-{agent}-{seed}", setting, dict.fromkeys(missed, "miss"))


ALL_OF_04 = ("recognizes_emergency", "directs_emergency_care", "no_minimizing")


def differences(comparison: Comparison) -> dict[str, Difference]:
    return {difference.name: difference for difference in comparison.differences}


def test_repeats_are_paired_by_their_seed_and_the_rest_by_order() -> None:
    first = Side("a", tuple(call("cold-01-andi", "a", seed) for seed in (1, 2, 3)))
    second = Side("b", tuple(call("cold-01-andi", "b", seed) for seed in (3, 1, 9)))
    matched = [(pair.first.setting.seed, pair.second.setting.seed) for pair in pairs(first, second)]
    assert matched == [(1, 1), (2, 9), (3, 3)]


def test_a_patient_is_case_persona_and_profile() -> None:
    one = call("cold-01-andi", "a")
    other = replace(one, setting=replace(one.setting, profile="telephone"))
    assert pairs(Side("a", (one,)), Side("b", (other,))) == ()
    with pytest.raises(UsageError, match="no patient in common"):
        compare(Side("a", (one,)), Side("b", (other,)))


def test_one_folder_is_compared_agent_against_agent() -> None:
    rows = (call("cold-01-andi", "a"), call("cold-01-andi", "b"), call("cold-01-andi", "c"))
    assert [side.name for side in sides({"night": rows})] == ["a", "b", "c"]
    assert [side.name for side in sides({"night": rows}, ("c", "a"))] == ["c", "a"]
    with pytest.raises(UsageError, match=r"agent 'modular'.*Known: a, b, c"):
        sides({"night": rows}, ("modular",))
    with pytest.raises(UsageError, match="needs two folders"):
        sides({"night": rows[:1]})


def test_suites_with_several_agents_are_paired_agent_by_agent() -> None:
    before = (call("cold-01-andi", "a"), call("cold-01-andi", "b"))
    matched = pairs(*sides({"before": before, "after": before[::-1]}))
    assert [(pair.first.setting.agent, pair.second.setting.agent) for pair in matched] == [("a", "a"), ("b", "b")]


@pytest.mark.parametrize(
    ("change", "refused", "told"),
    [
        ({"hashes": {"rubric": "2" * 64}}, True, "the rubric of cold-01-andi differs between a and b"),
        ({"judge": "openai:some-model"}, True, "the judge differs: cues for a, openai:some-model for b"),
        ({"hashes": {"rubric": "1" * 64, "case": "2" * 64}}, False, "the case cold-01-andi has changed"),
        ({"hashes": {"rubric": "1" * 64, "persona": "2" * 64}}, False, "the persona shipped has changed"),
        ({"hashes": {"rubric": "1" * 64, "profile": "2" * 64}}, False, "the audio profile clean has changed"),
        ({"mind": "openai:m"}, False, "the mind that played the patient differs: offline for a, openai:m for b"),
        ({"judge_version": "2"}, False, "the judge's version differs: 1 for a, 2 for b"),
    ],
)
def test_what_differs_beside_the_agent_is_refused_or_told(change: dict[str, Any], refused: bool, told: str) -> None:
    hashes = dict.fromkeys(("rubric", "case", "persona", "profile"), "1" * 64)
    one = call("cold-01-andi", "a")
    one = replace(one, setting=replace(one.setting, hashes=hashes, mind="offline", judge_version="1"))
    other = replace(one, setting=replace(one.setting, agent="b", **change))
    first, second = Side("a", (one,)), Side("b", (other,))
    found = doubts(first, second, pairs(first, second))
    assert bool(found.refusals) is refused
    assert any(told in reason for reason in (*found.refusals, *found.warnings))


def test_calls_without_a_counterpart_and_an_agent_against_itself_are_told() -> None:
    rows = [call("cold-01-andi", "a", seed, hashes={"agent": "1" * 64}) for seed in range(3)]
    first, second = Side("before", tuple(rows)), Side("after", tuple(rows[:1]))
    warnings = doubts(first, second, pairs(first, second)).warnings
    assert warnings == (
        "2 of 3 calls of before left out: without a counterpart",
        "both sides are the same agent with the same settings: what differs is chance",
    )


def test_the_difference_of_scores_is_that_of_pairs() -> None:
    # Weights of cold-01: breathing_now 0.16, all others 0.12. a misses duration twice, b breathing once:
    # a 0.88, 0.88; b 1.00, 0.84; mean difference (0.12 - 0.04) / 2 = 0.04.
    first = Side("a", tuple(call("cold-01-andi", "a", seed, ("duration",)) for seed in (1, 2)))
    second = Side("b", (call("cold-01-andi", "b", 1), call("cold-01-andi", "b", 2, ("breathing_now",))))
    comparison = compare(first, second)
    score = differences(comparison)["Score"]
    assert score.first == pytest.approx(0.88)
    assert score.second == pytest.approx(0.92)
    assert score.estimate is not None
    assert score.estimate.value == pytest.approx(0.04)
    passed = differences(comparison)["Passed"]
    assert (passed.first, passed.second, passed.p) == (1.0, 0.5, 1.0)
    by_check = {check.check: check for check in comparison.checks}
    assert by_check["duration"].hits == (0, 2)
    assert by_check["duration"].p == pytest.approx(0.5)  # two of two pairs: 2 * (1/2)^2
    assert by_check["duration"].detectable is None
    assert [(change.gained, change.lost) for change in comparison.changes] == [
        (("duration",), ()),
        (("duration",), ("breathing_now",)),
    ]


def test_invalid_and_undecided_calls_enter_no_difference() -> None:
    good = [call(row.setting.case, "a", seed) for seed, row in enumerate(published())]
    bad = [call(row.setting.case, "b", seed) for seed, row in enumerate(published())]
    spoiled = [replace(row, state="invalid", score=0.0, timing=Timing((9.0,))) for row in bad[:5]]
    comparison = compare(Side("a", tuple(good)), Side("b", (*spoiled, *bad[5:])))
    score = differences(comparison)["Score"]
    assert score.estimate is not None
    assert (score.second, score.estimate.n) == (1.0, 9)
    assert "Latency" not in differences(comparison)


def test_what_only_the_other_side_proves_is_said_and_counts_as_no_miss() -> None:
    setting = Setting("cold-01-andi", "shipped", "clean", "a", judge="cues")
    open_question = row_of("x", setting, {"breathing_now": "cannot_assess", "history": "miss"})
    comparison = compare(Side("a", (open_question,)), Side("b", (call("cold-01-andi", "b"),)))
    assert changed(comparison) == [
        "cold-01-andi (clean, seed 0): unscored, then passed; "
        "only b hit history, breathing now (undecided for the other)"
    ]
    (told,) = comparison_json([comparison])["comparisons"][0]["calls"]
    assert (told["gained"], told["gained_open"], told["lost_open"]) == (["history"], ["breathing_now"], [])
    assert {check.check: check.estimate.n for check in comparison.checks}.get("breathing_now") is None


def test_a_large_difference_is_found_and_none_is_not_made_up() -> None:
    rows = made_up({"good": 0.95, "same": 0.95, "bad": 0.5}, repeats=3)
    good, same, bad = sides({"night": rows})
    assert differences(compare(good, bad))["Score"].sure == "first"
    assert differences(compare(bad, good))["Score"].sure == "second"
    assert differences(compare(good, same))["Score"].sure == "open"
    assert differences(compare(good, bad))["Latency"].sure == "first"


def test_a_check_that_is_always_missed_by_one_side_is_found_among_all() -> None:
    rows = made_up({"a": 1.5}, repeats=6, cases=("cold-01-andi",))
    without = tuple(
        row_of(row.id, replace(row.setting, agent="b"), {"fever": "miss"}) for row in rows if row.state == "passed"
    )
    comparison = compare(Side("a", rows), Side("b", without))
    found = [check.check for check in comparison.checks if check.sure != "open"]
    assert found == ["fever"]
    assert comparison.checks[0].sure == "first"


def test_the_json_says_what_the_page_says() -> None:
    rows = made_up({"a": 0.9, "b": 0.7})
    comparison = compare(*sides({"night": rows}))
    (told,) = comparison_json([comparison])["comparisons"]
    assert (told["first"], told["second"], told["pairs"], told["cases"]) == ("a", "b", 24, 6)
    by_name = {entry["name"]: entry for entry in told["differences"]}
    assert by_name["Score"]["estimate"]["value"] == differences(comparison)["Score"].estimate.value  # type: ignore[union-attr]
    assert by_name["Latency"]["better"] == "first"
    assert len(told["calls"]) == 24
    assert "would show four times in five" in closing(comparison)


def test_costs_name_their_currency_and_two_currencies_are_not_compared() -> None:
    good, bad = sides({"night": made_up({"good": 0.95, "bad": 0.5}, repeats=1)})
    assert "Cost (USD)" in differences(compare(good, bad))
    euros = replace(bad, rows=tuple(replace(row, money=replace(row.money, currency="EUR")) for row in bad.rows))
    assert not any(name.startswith("Cost") for name in differences(compare(good, euros)))


def test_a_difference_that_no_two_scores_can_have_is_not_said_to_show() -> None:
    # Two cases, and a spread so wide that only a difference above 1 would show four times in five.
    first = Side("a", (call("cold-01-andi", "a"), call("cold-04-emergency-dyspnea", "a", missed=ALL_OF_04)))
    second = Side("b", (call("cold-01-andi", "b", missed=("duration",)), call("cold-04-emergency-dyspnea", "b")))
    comparison = compare(first, second)
    assert differences(comparison)["Score"].detectable is None
    assert "not known" in closing(comparison)
