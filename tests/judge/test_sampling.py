"""A sample of labels: whole calls, every layer in its share, and the same for everybody."""

from collections import Counter

from spoken import shipped

from voicesim.bench.examine import Labelled
from voicesim.bench.sample import drawn
from voicesim.bench.scripted import transcript_of
from voicesim.judge.fitness import Fitness
from voicesim.judge.gold import Gold

CASE, SAID = shipped("cold-01"), transcript_of(("A: Hello.",), "x")
FIT = Fitness("", True)
ONE, TWO = ("fever",), ("fever", "history")


def calls(fault: str, count: int, checks: tuple[str, ...] = ONE) -> list[Labelled]:
    rest = {"label": "hit", "source": "planted", "rater": "ann", "recording": "x", "fault": fault}
    labels = [
        tuple(Gold.model_validate({"item": f"{fault}-{n}", "check": check, **rest}) for check in checks)
        for n in range(count)
    ]
    return [Labelled(CASE, SAID, FIT, one) for one in labels]


def faults(some: list[Labelled]) -> Counter[str]:
    return Counter(one.labels[0].fault for one in some)


def names(some: list[Labelled]) -> set[str]:
    return {one.labels[0].item for one in some}


MANY = [*calls("cut", 40), *calls("swapped", 20), *calls("rare", 4)]


def test_whole_calls_are_drawn_by_the_seed_and_keep_their_order() -> None:
    both = calls("cut", 20, TWO)
    some = drawn(both, 10, 1)
    assert len(some) == 5
    assert some == [one for one in both if one in some]
    assert some == drawn(both, 10, 1) != drawn(both, 10, 2)
    assert drawn(both, 0, 1) == drawn(both, 99, 1) == both


def test_each_layer_is_there_in_its_share() -> None:
    # A quarter of 40, 20 and 4; each layer is off by one at most.
    for seed in range(20):
        found = faults(drawn(MANY, 16, seed))
        assert abs(found["cut"] - 10) <= 1
        assert abs(found["swapped"] - 5) <= 1
        assert abs(found["rare"] - 1) <= 1


def test_a_larger_sample_holds_the_smaller_one() -> None:
    assert names(drawn(MANY, 10, 3)) < names(drawn(MANY, 30, 3))


def test_a_new_layer_leaves_the_order_of_the_others_alone() -> None:
    after = drawn([*MANY, *calls("new", 10)], 30, 3)
    assert {name for name in names(after) if not name.startswith("new")} < names(drawn(MANY, 30, 3))
