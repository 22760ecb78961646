"""Means and shares with their intervals, against sums done by hand and published tables."""

import math

import numpy as np
import pytest

from voicesim.statistics.intervals import Estimate, mean, standard_error, wilson


def limits(estimate: Estimate | None) -> list[float]:
    assert estimate is not None
    assert estimate.low is not None
    assert estimate.high is not None
    return [estimate.low, estimate.high]


def test_wilson_gives_the_published_limits() -> None:
    # Newcombe 1998, table I: 81 of 263 is 0.3080, from 0.2553 to 0.3662; 0 of 20 goes to 0.1611.
    share = wilson(81, 263)
    assert share is not None
    assert share.value == pytest.approx(0.3080, abs=5e-5)
    assert limits(share) == pytest.approx([0.2553, 0.3662], abs=5e-5)
    assert limits(wilson(0, 20)) == pytest.approx([0.0, 0.1611], abs=5e-5)
    assert limits(wilson(20, 20)) == pytest.approx([1 - 0.1611, 1.0], abs=5e-5)


def test_nothing_observed_is_no_share_and_no_mean() -> None:
    assert wilson(0, 0) is None
    assert mean([], []) is None
    assert mean([0.5], ["a"], [0.0]) is None


def test_one_cluster_has_a_mean_and_no_interval() -> None:
    assert mean([0.2, 0.6], ["a", "a"]) == Estimate(0.4, 2, 1)
    assert standard_error([0.2, 0.6], ["a", "a"]) is None


def test_few_clusters_use_student() -> None:
    # Case means 0.4, 0.6, 0.8: mean 0.6, standard error 0.2 / sqrt(3) = 0.11547, t(0.975, 2) = 4.30265.
    values, cases = [0.3, 0.5, 0.5, 0.7, 0.7, 0.9], ["a", "a", "b", "b", "c", "c"]
    estimate = mean(values, cases)
    assert estimate is not None
    assert estimate.value == pytest.approx(0.6)
    assert estimate.clusters == 3
    assert estimate.high == pytest.approx(0.6 + 4.30265 * 0.11547, abs=1e-4)
    assert standard_error(values, cases) == pytest.approx(0.2 / math.sqrt(3))


def test_repeats_of_a_case_make_nothing_surer() -> None:
    # Ten cases, each made once or four times with the same outcome: the same knowledge, and the same interval.
    rng = np.random.default_rng(3)
    by_case = rng.uniform(0.3, 0.9, 10).tolist()
    once = mean(by_case, range(10))
    often = mean([value for value in by_case for _ in range(4)], [case for case in range(10) for _ in range(4)])
    assert limits(often) == pytest.approx(limits(once))
    assert once is not None
    assert once.method.startswith("BCa")


def test_the_same_calls_give_the_same_interval_and_equal_ones_no_width() -> None:
    values = np.random.default_rng(1).random(12).tolist()
    assert mean(values, range(12)) == mean(values, range(12))
    assert limits(mean([0.7] * 12, range(12))) == pytest.approx([0.7, 0.7])


def test_a_few_cases_that_are_all_alike_have_no_interval() -> None:
    # Three of three in one direction may be chance: 2 * (1/2)^3 = 0.25; six of six may not: 2 * (1/2)^6 = 0.03.
    three = mean([-1.0, -1.0, -1.0], range(3))
    assert three is not None
    assert three.low is None
    assert limits(mean([-1.0] * 6, range(6))) == pytest.approx([-1.0, -1.0])


def test_weights_are_those_of_a_ratio() -> None:
    # (0.16 * 1 + 0.12 * 0 + 0.12 * 1) / 0.40 = 0.7
    estimate = mean([1.0, 0.0, 1.0], ["a", "a", "b"], [0.16, 0.12, 0.12])
    assert estimate is not None
    assert estimate.value == pytest.approx(0.7)


def test_a_skewed_sample_has_a_skewed_interval() -> None:
    values = [0.0] * 15 + [0.1, 0.2, 0.4, 0.8, 1.0]
    estimate = mean(values, range(20))
    assert estimate is not None
    low, high = limits(estimate)
    assert high - estimate.value > 1.2 * (estimate.value - low)
    assert low > 0


def test_values_without_a_cluster_each_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        mean([0.1, 0.2], ["a"])
