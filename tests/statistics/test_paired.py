"""Differences between two agents over the same patients."""

import numpy as np
import pytest

from voicesim.statistics.paired import (
    Discordance,
    adjusted,
    detectable,
    detectable_share,
    discordance,
    mcnemar,
    paired_difference,
    share_difference,
)


def test_pairs_are_counted_by_who_hit() -> None:
    assert discordance([True, True, False, False, True], [True, False, True, False, True]) == Discordance(2, 1, 1, 1)


def test_mcnemar_is_exact() -> None:
    # 1 against 9 of 10 pairs that differ: 2 * (C(10,0) + C(10,1)) / 2^10 = 22 / 1024.
    assert mcnemar(Discordance(20, 1, 9, 5)) == pytest.approx(22 / 1024)
    assert mcnemar(Discordance(0, 3, 3, 0)) == 1.0
    assert mcnemar(Discordance(8, 0, 0, 2)) is None


def test_the_interval_of_paired_shares_adds_the_squares_of_both() -> None:
    # 38 and 48 of 50: 0.76 (0.6259 to 0.8570) and 0.96 (0.8654 to 0.9890); phi = (36*0 - 2*12) / sqrt(38*12*48*2)
    # = -0.11471. Low: 0.20 - sqrt(0.0946^2 + 2*0.11471*0.0946*0.0970 + 0.0970^2) = 0.20 - 0.1431; high:
    # 0.20 + sqrt(0.0290^2 + 2*0.11471*0.0290*0.1341 + 0.1341^2) = 0.20 + 0.1404.
    estimate = share_difference(Discordance(36, 2, 12, 0))
    assert estimate is not None
    assert estimate.value == pytest.approx(0.20)
    assert estimate.low == pytest.approx(0.0569, abs=1e-3)
    assert estimate.high == pytest.approx(0.3404, abs=1e-3)
    assert estimate.certain
    assert share_difference(Discordance(0, 0, 0, 0)) is None


def test_two_agents_that_always_agree_leave_room_for_a_difference() -> None:
    estimate = share_difference(Discordance(3, 0, 0, 0))
    assert estimate is not None
    assert estimate.value == 0.0
    assert not estimate.certain
    assert estimate.low is not None
    assert estimate.low < -0.4


def test_differences_are_those_of_pairs() -> None:
    # (0.1 + 0.1 + 0.4) / 3 = 0.2
    estimate = paired_difference([0.5, 0.6, 0.1], [0.6, 0.7, 0.5], ["a", "b", "c"])
    assert estimate is not None
    assert estimate.value == pytest.approx(0.2)


def test_what_could_have_been_shown_shrinks_with_the_cases() -> None:
    rng = np.random.default_rng(2)
    first, second = rng.random(40).tolist(), rng.random(40).tolist()
    few, many = detectable(first[:10], second[:10], range(10)), detectable(first, second, range(40))
    assert few is not None
    assert many is not None
    assert few > many > 0
    assert detectable([0.5], [0.6], ["a"]) is None
    assert detectable([0.5, 0.5], [0.5, 0.5], ["a", "b"]) is None


def test_the_smallest_difference_follows_the_formula() -> None:
    # Differences 0.0, 0.2, 0.4: error 0.2 / sqrt(3) = 0.115470; t(0.975, 2) = 4.302653, t(0.8, 2) = 1.060660.
    found = detectable([0.0, 0.0, 0.0], [0.0, 0.2, 0.4], ["a", "b", "c"])
    assert found == pytest.approx((4.302653 + 1.060660) * 0.115470, rel=1e-5)


def test_fewer_than_six_pairs_can_show_no_difference_of_a_check() -> None:
    # 2 * (1/2)^5 = 0.0625 is not under 0.05, 2 * (1/2)^6 = 0.03125 is.
    assert detectable_share(5) is None
    assert detectable_share(6) == 1.0
    assert detectable_share(24) == 0.25


def test_many_checks_need_more_than_one_of_them_alone() -> None:
    # Benjamini and Hochberg: 0.01 * 3 / 1 = 0.03, 0.04 * 3 / 2 = 0.06, 0.5 * 3 / 3 = 0.5.
    assert adjusted([0.04, None, 0.5, 0.01]) == [pytest.approx(0.06), None, 0.5, pytest.approx(0.03)]
    assert adjusted([]) == []
    assert adjusted([None]) == [None]


@pytest.mark.parametrize("cases", [8, 12])
def test_intervals_hold_the_true_difference_as_often_as_they_say(cases: int) -> None:
    # 1,000 draws of which 95 % should: one standard deviation is 0.7 %.
    rng = np.random.default_rng(11)
    held = 0
    for _ in range(1000):
        difficulty, difference = rng.normal(0.6, 0.15, cases), rng.normal(0.05, 0.08, cases)
        first = np.repeat(difficulty, 2) + rng.normal(0, 0.1, 2 * cases)
        second = np.repeat(difficulty + difference, 2) + rng.normal(0, 0.1, 2 * cases)
        estimate = paired_difference(first.tolist(), second.tolist(), np.repeat(range(cases), 2).tolist())
        assert estimate is not None
        assert estimate.low is not None
        assert estimate.high is not None
        held += estimate.low <= 0.05 <= estimate.high
    assert 930 <= held <= 970
