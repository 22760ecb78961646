"""Arithmetic of time intervals: (start, end) pairs in seconds, half-open, in any order unless said."""

from collections.abc import Iterable, Sequence

Interval = tuple[float, float]


def union(intervals: Iterable[Interval]) -> list[Interval]:
    """The same time as disjoint intervals in order; empty ones vanish, touching ones join."""
    joined: list[Interval] = []
    for start, end in sorted(interval for interval in intervals if interval[1] > interval[0]):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def length(intervals: Iterable[Interval]) -> float:
    """Seconds that lie in at least one of the intervals."""
    return sum(end - start for start, end in union(intervals))


def shared(first: Iterable[Interval], second: Iterable[Interval]) -> list[Interval]:
    """The time that lies in both, as disjoint intervals in order."""
    mine, other = union(first), union(second)
    both = []
    i = j = 0
    while i < len(mine) and j < len(other):
        start, end = max(mine[i][0], other[j][0]), min(mine[i][1], other[j][1])
        if start < end:
            both.append((start, end))
        if mine[i][1] <= other[j][1]:
            i += 1
        else:
            j += 1
    return both


def gaps(intervals: Sequence[Interval], start: float, end: float) -> list[Interval]:
    """The time of [start, end] that lies in none of the intervals, as disjoint intervals in order."""
    holes = []
    at = start
    for first, last in union(intervals):
        if min(first, end) > at:
            holes.append((at, min(first, end)))
        at = max(at, last)
    if at < end:
        holes.append((at, end))
    return holes
