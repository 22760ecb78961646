"""Repeats of a call, and hit rates."""

import pytest

from voicesim.statistics.repeats import HitRate, flaky, hit_rate, pass_hat, spread


def test_flaky_is_strictly_between_never_and_always() -> None:
    assert flaky([True, False, True])
    assert not flaky([True, True])
    assert not flaky([False, False])
    assert not flaky([])


def test_pass_hat_counts_the_ways_to_draw_k_passes() -> None:
    # 3 of 4 passed: k = 1 gives 3/4, k = 2 C(3,2)/C(4,2) = 3/6, k = 4 none; 4 of 4: always 1.
    repeats = [[True, True, True, False], [True] * 4]
    by_k = {k: pass_hat(repeats, k) for k in (1, 2, 4)}
    assert {k: share.value for k, share in by_k.items() if share} == {
        1: pytest.approx(0.875),
        2: pytest.approx(0.75),
        4: pytest.approx(0.5),
    }
    assert pass_hat(repeats, 5) is None
    with pytest.raises(ValueError, match="at least 1"):
        pass_hat(repeats, 0)


def test_a_call_with_too_few_repeats_is_left_out() -> None:
    only = pass_hat([[True, True], [False]], 2)
    assert only is not None
    assert (only.value, only.n) == (1.0, 1)


def test_spread_is_within_calls() -> None:
    # Deviations 0.1, 0.1 and 0.2, 0, 0.2: sqrt((0.01 + 0.01 + 0.04 + 0.04) / (1 + 2)) = sqrt(0.1 / 3).
    assert spread([[0.2, 0.4], [0.5, 0.7, 0.9], [0.1]]) == pytest.approx((0.1 / 3) ** 0.5)
    assert spread([[0.2], [0.9]]) is None


def test_hit_rates_leave_out_what_nobody_decided() -> None:
    # 0.16 + 0.12 earned of 0.16 + 0.12 + 0.20; two of three by number.
    found = hit_rate([("hit", 0.16), ("hit", 0.12), ("miss", 0.20), ("not_heard", 0.5), ("not_applicable", 0.1)])
    assert found == HitRate(2, 3, 0.28, 0.48)
    assert found.by_number == pytest.approx(2 / 3)
    assert found.by_weight == pytest.approx(0.28 / 0.48)
    empty = hit_rate([("error", 1.0)])
    assert (empty.by_number, empty.by_weight) == (None, None)
