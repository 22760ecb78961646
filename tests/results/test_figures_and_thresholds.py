"""Figures of an agent over its calls, and whether it keeps the thresholds that are set."""

from pathlib import Path

import pytest
from suite_on_disk import LATE, Made, make_suite

from voicesim.catalog.threshold_file import Threshold, threshold_set, threshold_sets
from voicesim.errors import UsageError
from voicesim.registry import FIGURES
from voicesim.results.summary import summarized
from voicesim.results.thresholds import checked, figure, wanted

P95 = Threshold(figure="response_latency_p95", at_most=0.8)


def test_only_valid_calls_count_and_a_missing_value_is_never_0(tmp_path: Path) -> None:
    calls = make_suite(
        tmp_path / "s",
        Made(case="a", score=0.5, latencies=(0.4, 0.6)),
        Made(case="b", score=1.0, latencies=(0.5, 0.7, 0.9)),
        Made(case="c", score=0.0, latencies=(9.0,), validity=LATE),
        Made(case="d", score=None),
        Made(case="e", lost="nobody at home"),
    ).calls
    score = figure("score_mean", calls)
    assert score is not None
    assert (score.value, score.n) == (0.75, 2)
    # 0.4, 0.5, 0.6, 0.7, 0.9: the 95th percentile lies 0.8 of the way from the fourth to the fifth.
    p95 = figure("response_latency_p95", calls)
    assert p95 is not None
    assert p95.value == pytest.approx(0.86)
    assert p95.n == 5
    passed = figure("pass_rate", calls)
    assert passed is not None
    assert passed.value == pytest.approx(2 / 3)
    assert passed.n == 3
    assert figure("yield_rate", calls) is None  # nobody was interrupted
    assert figure("cost_per_call", calls) is None


def test_a_tail_is_not_told_of_four_answers(tmp_path: Path) -> None:
    calls = make_suite(tmp_path / "s", Made(latencies=(0.1, 0.2, 0.3, 0.4))).calls
    assert figure("response_latency_p95", calls) is None
    assert figure("response_latency_median", calls) is not None


def test_passing_every_time_is_told_of_as_many_repeats_as_every_call_has(tmp_path: Path) -> None:
    suite = make_suite(
        tmp_path / "s",
        *(Made(case="a", seed=seed) for seed in range(3)),
        *(Made(case="b", seed=seed, critical=("c",) if seed == 1 else ()) for seed in range(2)),
    )
    # k = 2: of case a both pass in 3 of 3 pairs, of case b in 0 of 1.
    estimate = figure("pass_every_time", suite.calls)
    assert estimate is not None
    assert estimate.value == 0.5


def test_every_figure_can_be_computed_of_no_call_and_of_any(tmp_path: Path) -> None:
    calls = make_suite(tmp_path / "s", Made(latencies=(0.5,))).calls
    for name in FIGURES:
        assert figure(name, []) is None, name
        figure(name, calls)


def test_each_agent_is_held_to_the_thresholds(tmp_path: Path) -> None:
    fast, slow = [0.5] * 6, [1.2] * 6
    suite = make_suite(
        tmp_path / "s",
        Made(agent="fast", latencies=fast),
        Made(agent="slow", latencies=slow),
        Made(agent="dumb", latencies=()),
    )
    outcomes = {each.agent: each.outcome for each in checked(suite, wanted([P95]))}
    assert outcomes == {"fast": "kept", "slow": "passed_by", "dumb": "unknown"}


def test_published_sets_contradict_each_other_and_each_says_whose_it_is(tmp_path: Path) -> None:
    suite = make_suite(tmp_path / "s", Made(latencies=[1.2] * 6))
    sets = ("conversational", "attentive", "production-p90")
    assert [each.outcome for each in checked(suite, wanted(sets=sets))] == ["passed_by", "kept", "kept"]
    assert all(each.source for each in threshold_sets())
    with pytest.raises(UsageError, match="Did you mean conversational"):
        threshold_set("conversationel")


def code(suite_calls: tuple[Made, ...], folder: Path, *thresholds: Threshold) -> int:
    return summarized(make_suite(folder, *suite_calls), wanted(thresholds)).exit_code


def test_an_invalid_call_is_never_a_failure(tmp_path: Path) -> None:
    good, late = Made(latencies=[0.5] * 6), Made(seed=1, latencies=[3.0] * 6, validity=LATE)
    assert code((good, late), tmp_path / "a", P95) == 0
    assert code((late,), tmp_path / "b", P95) == 3
    assert code((good, Made(seed=1, lost="nobody")), tmp_path / "c", P95) == 3
    assert code((good, late), tmp_path / "d") == 3
    assert code((good, Made(seed=1, critical=("c",))), tmp_path / "e") == 1
    assert code((good, Made(seed=1, critical=("c",))), tmp_path / "f", P95) == 0
    assert code((Made(latencies=[2.0] * 6), late), tmp_path / "g", P95) == 1
