"""Finds patterns of hits and misses over several calls that give known scores and known sums by group."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from voicesim.catalog.model import Case, Group

GROUPS: tuple[Group, ...] = ("critical", "must_ask", "close")


@dataclass(frozen=True)
class Known:
    """What is known of one call: its case, its score in hundredths, and whether a critical check was missed."""

    case: Case
    score: int
    critical_missed: bool


Totals = tuple[int, ...]
"""Weight of hits (hundredths) and number of hits, group by group in the order of GROUPS: six numbers."""
Missed = tuple[str, ...]


def patterns(known: Known) -> Iterator[tuple[Missed, Totals]]:
    """Every set of missed checks that gives the call's score, fewest misses first, in rubric order."""
    rubric = known.case.rubric
    for size in range(len(rubric) + 1):
        for missed in combinations(rubric, size):
            hit = [one for one in rubric if one not in missed]
            if any(one.group == "critical" for one in missed) != known.critical_missed:
                continue
            sums = [[round(100 * one.weight) for one in hit if one.group == group] for group in GROUPS]
            if sum(map(sum, sums)) == known.score:
                totals = tuple(number for weights in sums for number in (sum(weights), len(weights)))
                yield tuple(one.id for one in missed), totals


def search(calls: Sequence[Known], wanted: Totals) -> tuple[Missed, ...] | None:
    """One pattern a call that together give the wanted totals; None when there is no such choice.

    Goes through the calls once and keeps, for every totals that can be reached so far, the first way there.
    """
    reached: dict[Totals, tuple[Missed, ...]] = {(0,) * len(wanted): ()}
    for known in calls:
        ahead: dict[Totals, tuple[Missed, ...]] = {}
        choices = tuple(patterns(known))
        for before, way in reached.items():
            for missed, totals in choices:
                after = tuple(a + b for a, b in zip(before, totals, strict=True))
                if all(a <= b for a, b in zip(after, wanted, strict=True)):
                    ahead.setdefault(after, (*way, missed))
        reached = ahead
    return reached.get(wanted)
