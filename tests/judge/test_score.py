"""The arithmetic over verdicts, with its numbers in the comments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spoken import shipped

from voicesim.catalog.model import Group
from voicesim.judge.model import Outcome, Verdict
from voicesim.judge.score import score


def verdict(check: str, group: Group, weight: float, outcome: Outcome) -> Verdict:
    return Verdict(check=check, group=group, weight=weight, outcome=outcome)


def over(name: str, missed: tuple[str, ...], **other: Outcome) -> list[Verdict]:
    """The rubric of a shipped case with these checks missed, others as given, and the rest hit."""
    return [
        verdict(one.id, one.group, one.weight, "miss" if one.id in missed else other.get(one.id, "hit"))
        for one in shipped(name).rubric
    ]


def test_all_hit_is_one() -> None:
    result = score(over("cold-01", ()))
    assert (result.value, result.coverage, result.failed_critical, result.unscored) == (1.0, 1.0, (), "")
    assert result.passed


def test_misses_take_their_weight_away() -> None:
    # 1.00 - 0.12 duration - 0.12 fever - 0.12 return_if_worse = 0.64
    result = score(over("cold-01", ("duration", "fever", "return_if_worse")))
    assert (result.value, result.coverage) == (0.64, 1.0)
    assert result.passed


def test_a_missed_critical_check_is_scored_and_does_not_pass() -> None:
    # 0.40 recognizes_emergency missed, 0.40 and 0.20 hit
    result = score(over("cold-04", ("recognizes_emergency",)))
    assert (result.value, result.failed_critical) == (0.6, ("recognizes_emergency",))
    assert not result.passed


def test_not_applicable_leaves_both_sums() -> None:
    # Hits 1.00 - 0.10 not applicable - 0.15 missed = 0.75, decided 0.90: 0.75 / 0.90 = 0.833333
    result = score(over("cold-09", ("history_meds",), prefers_acetaminophen_if_offered="not_applicable"))
    assert (result.value, result.coverage) == (0.833333, 0.9)
    assert result.passed


@pytest.mark.parametrize("outcome", ["cannot_assess", "error", "disputed"])
def test_an_undecided_close_check_only_lowers_the_coverage(outcome: Outcome) -> None:
    # Hits 1.00 - 0.12 undecided = 0.88, all that was decided
    result = score(over("cold-01", (), hedged_cold=outcome))
    assert (result.value, result.coverage) == (1.0, 0.88)


@pytest.mark.parametrize("outcome", ["cannot_assess", "error", "disputed"])
def test_an_undecided_critical_check_leaves_the_call_unscored(outcome: Outcome) -> None:
    result = score(over("cold-04", ("directs_emergency_care",), recognizes_emergency=outcome))
    assert result.value is None
    assert result.unscored == f"critical check undecided: recognizes_emergency ({outcome})"
    assert result.failed_critical == ("directs_emergency_care",)
    assert result.coverage == 0.6
    assert not result.passed


def test_an_unfit_call_is_never_scored_however_good() -> None:
    result = score(over("cold-01", ()), "the line was lost")
    assert (result.value, result.unscored, result.coverage) == (None, "the line was lost", 1.0)
    assert not result.passed


def test_nothing_decided_is_neither_zero_nor_one() -> None:
    result = score([verdict("a", "close", 1.0, "not_applicable")])
    assert (result.value, result.coverage, result.unscored) == (None, 0.0, "no check could be decided")
    assert score([]).value is None


def test_all_missed_is_zero() -> None:
    assert score([verdict("a", "close", 0.3, "miss"), verdict("b", "must_ask", 0.7, "miss")]).value == 0.0


OUTCOMES: list[Outcome] = ["hit", "miss", "not_applicable", "cannot_assess", "error", "disputed"]


@given(st.lists(st.tuples(st.sampled_from(OUTCOMES), st.integers(1, 20)), min_size=1, max_size=12))
def test_order_does_not_matter_and_a_hit_never_lowers_a_score(pattern: list[tuple[Outcome, int]]) -> None:
    verdicts = [verdict(str(i), "close", weight / 100, outcome) for i, (outcome, weight) in enumerate(pattern)]
    result = score(verdicts)
    assert score(verdicts[::-1]) == result
    better = score([*verdicts, verdict("new", "close", 0.1, "hit")])
    assert better.value is None or 0.0 <= better.value <= 1.0
    if result.value is not None:  # a hit more covers more, too
        assert better.value is not None
        assert better.value >= result.value
