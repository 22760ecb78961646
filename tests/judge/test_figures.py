"""Figures of agreement, with the arithmetic of each value."""

from collections import Counter

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, f1_score

from voicesim.bench.figures import Interval, Pairs, agreement, clustered, corrected_share, kappa, macro_f1, wilson


def pairs(**counts: int) -> Pairs:
    """`hit_miss=2`: two pairs of (hit, miss)."""
    return Counter({(name.split("_")[0], name.split("_")[1]): count for name, count in counts.items()})


def test_wilson_at_eight_of_ten() -> None:
    # p = 0.8, z^2/n = 0.384146: middle 0.8 + 0.192073 = 0.992073;
    # reach 1.959964 * sqrt(0.016 + 0.384146 / 40) = 1.959964 * 0.160011 = 0.313617; both over 1.384146
    found = wilson(8, 10)
    assert found is not None
    assert (round(found.low, 4), round(found.high, 4)) == (0.4902, 0.9433)


def test_wilson_stays_open_where_everything_was_right() -> None:
    # p = 1: low = (1 + z^2/2n - z^2/2n) / (1 + z^2/n) = 1 / 1.384146 = 0.722467
    found = wilson(10, 10)
    assert found is not None
    assert (round(found.low, 4), round(found.high, 9)) == (0.7225, 1.0)
    assert wilson(0, 0) is None


def test_kappa_takes_chance_away() -> None:
    # agreed 35 of 50; chance (25 * 30 + 25 * 20) / 2500 = 0.5: (0.7 - 0.5) / 0.5
    both = pairs(hit_hit=20, hit_miss=5, miss_hit=10, miss_miss=15)
    assert kappa(both) == pytest.approx(0.4)
    assert agreement(both) == pytest.approx(0.7)


def test_kappa_is_not_defined_for_one_class_alone() -> None:
    assert kappa(pairs(hit_hit=9)) is None
    assert kappa(pairs()) is None


def test_macro_f1_leaves_out_classes_that_never_came_up() -> None:
    # hit: 2 * 3 / (4 + 4) = 0.75; miss: 2 * 1 / (2 + 2) = 0.5; not_applicable came up nowhere
    assert macro_f1(pairs(hit_hit=3, hit_miss=1, miss_hit=1, miss_miss=1)) == pytest.approx(0.625)
    # a class that was never right, but said once, counts as 0
    assert macro_f1(pairs(hit_hit=1, hit_miss=1)) == pytest.approx((2 / 3 + 0) / 2)
    assert macro_f1(pairs()) is None


def test_an_observed_share_is_corrected_for_known_errors() -> None:
    # (0.5 + 0.9 - 1) / (0.8 + 0.9 - 1) = 0.4 / 0.7
    assert corrected_share(0.5, 0.8, 0.9) == pytest.approx(0.571429, abs=1e-6)
    assert corrected_share(0.64, 1.0, 1.0) == pytest.approx(0.64)
    # below what false hits alone give (0.1) it leaves 0 to 1: (0.05 + 0.9 - 1) / 0.7
    assert corrected_share(0.05, 0.8, 0.9) == pytest.approx(-0.071429, abs=1e-6)


def test_a_judge_no_better_than_chance_corrects_nothing() -> None:
    assert corrected_share(0.5, 0.4, 0.6) is None


def test_alike_items_of_a_case_widen_the_interval() -> None:
    # Two cases of ten items, one all right and one all wrong: a draw has 0, 1 or 2 right cases.
    one_sided = {"a": pairs(hit_hit=10), "b": pairs(hit_miss=10)}
    mixed = {"a": pairs(hit_hit=5, hit_miss=5), "b": pairs(hit_hit=5, hit_miss=5)}
    assert clustered(one_sided, agreement, seed=1) == Interval(0.0, 1.0)
    assert clustered(mixed, agreement, seed=1) == Interval(0.5, 0.5)
    assert clustered({"a": pairs(hit_hit=1)}, agreement, seed=1) is None


def test_the_seed_decides_the_interval() -> None:
    some = {name: pairs(hit_hit=place + 1, miss_hit=3) for place, name in enumerate("abcdefg")}
    assert clustered(some, agreement, seed=3) == clustered(some, agreement, seed=3)
    assert clustered(some, agreement, seed=3) != clustered(some, agreement, seed=4)


def test_an_interval_of_a_figure_that_is_mostly_undefined_is_none() -> None:
    assert clustered({"a": pairs(hit_hit=3), "b": pairs(hit_hit=2)}, kappa, seed=0) is None


@pytest.mark.parametrize("seed", range(20))
def test_kappa_and_f1_are_those_of_scikit_learn(seed: int) -> None:
    # Half of the second column is copied from the first, so that agreement is neither none nor all.
    random = np.random.default_rng(seed)
    right = random.choice(["hit", "miss", "not_applicable"], 60).tolist()
    shuffled = random.permutation(right).tolist()
    said = [same if random.random() < 0.5 else new for same, new in zip(right, shuffled, strict=True)]
    counts = Counter(zip(right, said, strict=True))
    assert kappa(counts) == pytest.approx(cohen_kappa_score(right, said))
    assert macro_f1(counts) == pytest.approx(f1_score(right, said, average="macro"))
