"""A number on a page, and the calls behind it."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from voicesim.report.many.row import Row
from voicesim.report.wording import MISSING, number
from voicesim.statistics.intervals import Estimate, mean

K = TypeVar("K", bound=Hashable)
Numbered = tuple[int, Row]
"""A row and its place among all rows of the page, by which numbers lead to it."""


@dataclass(frozen=True)
class Cited:
    """A text that leads to calls, by their places; `note` says what else is worth knowing."""

    text: str
    calls: tuple[int, ...] = ()
    note: str = ""


def numbered(rows: Sequence[Row]) -> tuple[Numbered, ...]:
    """All rows with their places."""
    return tuple(enumerate(rows))


def grouped(rows: Iterable[Numbered], key: Callable[[Row], K]) -> dict[K, tuple[Numbered, ...]]:
    """The rows by what a function gives for them, in order of first appearance."""
    groups: dict[K, list[Numbered]] = {}
    for place, row in rows:
        groups.setdefault(key(row), []).append((place, row))
    return {name: tuple(members) for name, members in groups.items()}


def places(rows: Iterable[Numbered], which: Callable[[Row], object] = lambda row: True) -> tuple[int, ...]:
    """The places of the rows for which a function gives something true."""
    return tuple(place for place, row in rows if which(row))


def score_mean(rows: Iterable[Numbered]) -> Estimate | None:
    """Mean score of the rows that have one, clustered by case."""
    scored = [(row.counted, row.setting.case) for _, row in rows if row.counted is not None]
    return share_mean([score for score, _ in scored], [case for _, case in scored])


def pass_share(rows: Iterable[Numbered]) -> Estimate | None:
    """Share of passed among passed and failed calls, clustered by case."""
    decided = [(float(row.passed), row.setting.case) for _, row in rows if row.passed is not None]
    return share_mean([passed for passed, _ in decided], [case for _, case in decided])


def share_mean(
    values: Sequence[float], cases: Sequence[str], weights: Sequence[float] | None = None
) -> Estimate | None:
    """Mean of values between 0 and 1, clustered by case; its interval ends at 0 and 1, too."""
    estimate = mean(values, cases, weights)
    if estimate is None or estimate.low is None or estimate.high is None:
        return estimate
    return replace(estimate, low=max(estimate.low, 0.0), high=min(estimate.high, 1.0))


def between(estimate: Estimate | None, write: Callable[[float], str] = lambda value: number(value)) -> str:
    """An interval in words; what is missing, and why, where there is none.

    >>> between(Estimate(0.6, 20, 10, 0.5, 0.7))
    '0.50 to 0.70'
    """
    if estimate is None:
        return MISSING
    if estimate.low is None or estimate.high is None:
        return "one case: no interval"
    return f"{write(estimate.low)} to {write(estimate.high)}"
