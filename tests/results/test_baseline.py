"""A suite against an earlier one: only what cannot be chance is a regression."""

from pathlib import Path

from suite_on_disk import LATE, Made, make_suite

from voicesim.results.baseline import regressions
from voicesim.results.read import SuiteResult
from voicesim.results.summary import summarized

CASES = tuple(f"case-{number}" for number in range(12))


def suite(folder: Path, scores: list[float], agent: str = "x", latency: float = 0.5, **more: object) -> SuiteResult:
    calls = (
        Made(case=case, agent=agent, score=score, latencies=(latency + 0.01 * place,), **more)  # type: ignore[arg-type]
        for place, (case, score) in enumerate(zip(CASES, scores, strict=False))
    )
    return make_suite(folder, *calls)


def worse(before: SuiteResult, now: SuiteResult) -> list[str]:
    return [change.what for change in regressions(before, now) if change.worse]


def test_the_same_calls_are_no_regression(tmp_path: Path) -> None:
    before, now = suite(tmp_path / "a", [0.9] * 12), suite(tmp_path / "b", [0.9] * 12)
    assert worse(before, now) == []
    assert summarized(now, baseline=before).exit_code == 0


def test_a_clear_drop_of_the_score_is_one_and_a_rise_is_none(tmp_path: Path) -> None:
    high = suite(tmp_path / "high", [0.9 + 0.005 * place for place in range(12)])
    low = suite(tmp_path / "low", [0.6 + 0.01 * place for place in range(12)])
    assert worse(high, low) == ["score"]
    assert worse(low, high) == []
    assert summarized(low, baseline=high).exit_code == 1


def test_a_drop_that_may_be_chance_is_told_and_does_not_fail(tmp_path: Path) -> None:
    # One of twelve fell by 0.3, another rose by 0.2: a mean difference of -0.0083, and an interval around 0.
    before = suite(tmp_path / "a", [0.8] * 12)
    now = suite(tmp_path / "b", [0.5, 1.0, *[0.8] * 10])
    (score,) = (change for change in regressions(before, now) if change.what == "score")
    assert round(score.difference.value, 4) == -0.0083
    assert not score.worse
    assert summarized(now, baseline=before).exit_code == 0


def test_slower_answers_are_worse(tmp_path: Path) -> None:
    before, now = suite(tmp_path / "a", [0.9] * 12), suite(tmp_path / "b", [0.9] * 12, latency=0.9)
    # Every pair differs by exactly 0.4 s: certain, without any spread.
    assert worse(before, now) == ["response_latency_median"]


def test_a_check_that_is_missed_every_time_now_is_named_with_its_case(tmp_path: Path) -> None:
    def repeats(folder: Path, outcome: str) -> SuiteResult:
        return make_suite(
            folder,
            *(
                Made(case="cold", seed=seed, checks={"fever": outcome, "rest": "hit"})  # type: ignore[dict-item]
                for seed in range(10)
            ),
        )

    # Ten pairs, all from hit to miss: p = 2 / 2^10 = 0.002, and no other check changed.
    assert worse(repeats(tmp_path / "a", "hit"), repeats(tmp_path / "b", "miss")) == ["cold: fever"]


def test_invalid_calls_and_other_patients_are_no_pairs(tmp_path: Path) -> None:
    before = suite(tmp_path / "a", [0.9] * 12)
    spoiled = suite(tmp_path / "b", [0.1] * 12, validity=LATE)
    assert regressions(before, spoiled) == ()
    assert summarized(spoiled, baseline=before).exit_code == 3


def test_two_agents_are_compared_when_each_suite_has_only_one(tmp_path: Path) -> None:
    before, now = suite(tmp_path / "a", [0.9] * 12, agent="old"), suite(tmp_path / "b", [0.5] * 12, agent="new")
    (score,) = (change for change in regressions(before, now) if change.what == "score")
    assert (score.agent, score.n) == ("new", 12)
