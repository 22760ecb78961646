from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from voicesim.metrics.intervals import Interval, gaps, length, shared, union

whole = st.integers(0, 40)
intervals = st.lists(st.tuples(whole, whole).map(lambda pair: (float(min(pair)), float(max(pair)))), max_size=12)


def cells(given_: list[Interval]) -> set[int]:
    """The unit cells covered, for intervals with whole ends: the same time, counted the slow way."""
    return {n for start, end in given_ for n in range(int(start), int(end))}


@given(intervals)
def test_union_covers_the_same_time_without_overlap(given_: list[Interval]) -> None:
    joined = union(given_)
    assert cells(joined) == cells(given_)
    assert length(given_) == len(cells(given_))
    assert all(before[1] < after[0] for before, after in pairwise(joined))


@given(intervals, intervals)
def test_shared_time_is_the_intersection_either_way_round(one: list[Interval], other: list[Interval]) -> None:
    assert cells(shared(one, other)) == cells(one) & cells(other)
    assert shared(one, other) == shared(other, one)


@given(intervals, whole, whole)
def test_gaps_and_intervals_fill_the_window_exactly(given_: list[Interval], one: int, other: int) -> None:
    start, end = min(one, other), max(one, other)
    found = gaps(given_, float(start), float(end))
    assert cells(found) == set(range(start, end)) - cells(given_)
    assert length(found) == sum(last - first for first, last in found)


def test_empty_intervals_are_nothing() -> None:
    assert union([(1.0, 1.0)]) == []
    assert gaps([], 2.0, 2.0) == []
