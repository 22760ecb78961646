"""A sample of labels: whole calls, every layer in its share, and the same for everybody."""

from collections import Counter

from voicesim.judge.gold import Gold
from voicesim.judge.sample import drawn


def rows(fault: str, calls: int, checks: str = "a") -> list[Gold]:
    return [
        Gold(item=f"{fault}-{n}", check=check, label="hit", source="planted", rater="ann", recording="x", fault=fault)
        for n in range(calls)
        for check in checks
    ]


def fault_of(row: Gold) -> str:
    return row.fault


MANY = [*rows("cut", 40), *rows("swapped", 20), *rows("rare", 4)]


def test_whole_calls_are_drawn_by_the_seed_and_keep_their_order() -> None:
    both = rows("cut", 20, "ab")
    some = drawn(both, 10, 1, fault_of)
    assert Counter(one.item for one in some) == dict.fromkeys((one.item for one in some), 2)
    assert len(some) == 10
    assert list(some) == [one for one in both if one in some]
    assert some == drawn(both, 10, 1, fault_of) != drawn(both, 10, 2, fault_of)
    assert drawn(both, 0, 1, fault_of) == drawn(both, 99, 1, fault_of) == tuple(both)


def test_each_layer_is_there_in_its_share() -> None:
    # A quarter of 40, 20 and 4; each layer is off by one at most.
    for seed in range(20):
        found = Counter(one.fault for one in drawn(MANY, 16, seed, fault_of))
        assert abs(found["cut"] - 10) <= 1
        assert abs(found["swapped"] - 5) <= 1
        assert abs(found["rare"] - 1) <= 1


def test_a_larger_sample_holds_the_smaller_one() -> None:
    small, large = drawn(MANY, 10, 3, fault_of), drawn(MANY, 30, 3, fault_of)
    assert {one.item for one in small} < {one.item for one in large}


def test_a_new_layer_leaves_the_order_of_the_others_alone() -> None:
    before = drawn(MANY, 30, 3, fault_of)
    after = drawn([*MANY, *rows("new", 10)], 30, 3, fault_of)
    assert {one.item for one in after if one.fault != "new"} < {one.item for one in before}
