"""A score corrected for its judge's errors: which error rates are used for what, with the arithmetic of each value."""

from collections.abc import Iterable

import pytest
from spoken import check_of, shipped

from voicesim.bench.correction import ENOUGH, Corrected, Scored, correct
from voicesim.bench.examine import Answer
from voicesim.bench.tagging import Settled
from voicesim.errors import UsageError
from voicesim.judge.gold import Gold, Label
from voicesim.judge.model import By, Outcome, Verdict, Verdicts
from voicesim.judge.score import score

CASE = shipped("cold-04")  # recognizes_emergency (tell), directs_emergency_care (tell), no_minimizing (avoid)


def verdict(check: str, outcome: Outcome, by: By = "judge") -> Verdict:
    this = check_of(CASE, check)
    return Verdict(check=this.id, group=this.group, weight=this.weight, outcome=outcome, by=by)


def labelled(
    check: str, label: Label, outcome: Outcome, times: int, cases: Iterable[str] = ("a", "b")
) -> list[Settled]:
    """So many answers on a check, spread over cases of these names."""
    gold = Gold(item="x", check=check, label=label, source="human", rater="ann", recording="x")
    answers = [Answer(case, check_of(CASE, check), verdict(check, outcome), (gold,)) for case in cases]
    return [(answers[number % len(answers)], label) for number in range(times)]


def rates(check: str, hits: tuple[int, int], misses: tuple[int, int], **more: Iterable[str]) -> list[Settled]:
    """Labels with a sensitivity and a specificity, each as (right, of)."""
    return [
        *labelled(check, "hit", "hit", hits[0], **more),
        *labelled(check, "hit", "miss", hits[1] - hits[0], **more),
        *labelled(check, "miss", "miss", misses[0], **more),
        *labelled(check, "miss", "hit", misses[1] - misses[0], **more),
    ]


def scored(*verdicts: Verdict) -> Scored:
    given = Verdicts(call_id="x", judge="j", judge_version="1", verdicts=verdicts, score=score(verdicts))
    return Scored(CASE, given)


def used(found: Corrected) -> list[tuple[str, str]]:
    return [(part.by, part.name) for part in found.parts]


CALL = scored(
    verdict("recognizes_emergency", "hit"),  # 0.40
    verdict("directs_emergency_care", "miss"),  # 0.40
    verdict("no_minimizing", "hit"),  # 0.20
)


def test_each_kind_is_corrected_with_its_own_error_rates() -> None:
    labels = [*rates("recognizes_emergency", (8, 10), (9, 10)), *rates("no_minimizing", (10, 10), (6, 10))]
    found = correct(labels, [CALL])
    assert used(found) == [("kind", "avoid"), ("kind", "tell")]
    avoid, tell = found.parts
    # avoid: everything hit, (1 + 0.6 - 1) / (1 + 0.6 - 1) = 1; tell: half hit, (0.5 + 0.9 - 1) / (0.8 + 0.9 - 1) = 4/7
    assert avoid.corrected == pytest.approx(1.0)
    assert (avoid.share, tell.share) == pytest.approx((0.2, 0.8))
    assert tell.observed == pytest.approx(0.5)
    assert tell.corrected == pytest.approx(4 / 7)
    assert tell.sensitivity is not None
    assert (tell.sensitivity.part, tell.sensitivity.whole) == (8, 10)
    assert found.observed == pytest.approx(0.6)
    assert found.corrected.value == pytest.approx(0.2 * 1 + 0.8 * 4 / 7)


def test_a_check_with_labels_enough_has_error_rates_of_its_own() -> None:
    name = "recognizes_emergency"
    labels = [*rates(name, (8, 10), (9, 10), cases=[CASE.id]), *rates("directs_emergency_care", (10, 10), (10, 10))]
    found = correct(labels, [CALL])
    # The kind `tell` has 18 of 20 and 19 of 20; `avoid` has no labels, so that all of them are pooled for it.
    assert used(found) == [("all", "all"), ("check", f"{CASE.id}/{name}"), ("kind", "tell")]
    assert found.parts[1].corrected == 1.0  # (1 + 0.9 - 1) / 0.7 = 1.29
    assert found.parts[1].clipped
    # nothing hit: (0 + 0.95 - 1) / (0.9 + 0.95 - 1) = -0.06
    assert (found.parts[2].corrected, found.parts[2].clipped) == (0.0, True)


@pytest.mark.parametrize(("hits", "misses"), [(ENOUGH - 1, ENOUGH), (ENOUGH, ENOUGH - 1)])
def test_a_kind_with_too_few_labels_is_pooled_with_all_others(hits: int, misses: int) -> None:
    labels = [*rates("no_minimizing", (hits, hits), (misses, misses)), *rates("recognizes_emergency", (9, 10), (8, 10))]
    found = correct(labels, [CALL])
    assert used(found) == [("all", "all"), ("kind", "tell")]
    pooled = found.parts[0].sensitivity
    assert pooled is not None
    assert (pooled.part, pooled.whole) == (hits + 9, hits + 10)


def test_what_code_decided_needs_no_correction() -> None:
    call = scored(verdict("recognizes_emergency", "hit", "code"), verdict("no_minimizing", "miss", "code"))
    found = correct(rates("recognizes_emergency", (5, 10), (6, 10)), [call])
    assert used(found) == [("code", "code")]
    assert found.corrected.value == found.observed == pytest.approx(2 / 3)


def test_the_mean_is_of_calls_whatever_was_decided_in_each() -> None:
    # 1 of 1 and 0.2 of 0.6: (1 + 1/3) / 2
    calls = [
        scored(verdict("recognizes_emergency", "hit")),
        scored(verdict("no_minimizing", "hit"), verdict("directs_emergency_care", "miss")),
    ]
    perfect = [*rates("recognizes_emergency", (10, 10), (10, 10)), *rates("no_minimizing", (10, 10), (10, 10))]
    found = correct(perfect, calls)
    assert found.calls == 2
    assert found.observed == pytest.approx((1 + 1 / 3) / 2)
    assert found.corrected.value == pytest.approx(found.observed)


def test_a_judge_no_better_than_chance_corrects_nothing() -> None:
    found = correct(rates("recognizes_emergency", (5, 10), (5, 10)), [CALL])
    assert found.corrected.value is None
    assert found.corrected.interval is None


def test_the_interval_tells_how_well_rates_and_calls_are_known() -> None:
    few = rates("recognizes_emergency", (8, 10), (9, 10), cases=["a", "b"])
    many = rates("recognizes_emergency", (160, 200), (180, 200), cases=[f"case-{n}" for n in range(20)])
    wide, narrow = (correct(labels, [CALL] * 5, seed=1).corrected.interval for labels in (few, many))
    assert wide is not None
    assert narrow is not None
    assert narrow.high - narrow.low < wide.high - wide.low
    other = scored(verdict("recognizes_emergency", "miss"), verdict("no_minimizing", "hit"))
    mixed = correct(many, [CALL, other], seed=1).corrected.interval
    assert mixed is not None
    assert mixed.high - mixed.low > narrow.high - narrow.low
    assert correct(few, [CALL], seed=1) == correct(few, [CALL], seed=1)
    assert correct(rates("no_minimizing", (8, 10), (9, 10), cases=["a"]), [CALL]).corrected.interval is None


def test_without_a_scored_call_there_is_nothing_to_correct() -> None:
    with pytest.raises(UsageError, match="no scored call"):
        correct(rates("no_minimizing", (9, 10), (9, 10)), [])
