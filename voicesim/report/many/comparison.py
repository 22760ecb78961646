"""Two sides before the same patients: what differs, by how much, and how sure that is."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from voicesim.catalog.model import Group
from voicesim.report.many.measures import MEASURES, Measure, Unit
from voicesim.report.many.row import Checked, Row
from voicesim.report.many.sides import Doubts, Pair, Side, doubts, pairs
from voicesim.statistics.intervals import Estimate
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

Sure = Literal["first", "second", "open", "unknown"]
"""Which side is better, at 95 %; open when the interval holds 0, unknown where there is no interval."""
RATE = 0.05
"""False discovery rate at which the difference of a single check counts as shown."""


@dataclass(frozen=True)
class Difference:
    """A measure over the pairs in which both sides have a value. `estimate` is second minus first.

    `detectable` is the smallest true difference that so many pairs would show four times in five, None where they could
    show none; `p` is exact McNemar's, of yes-or-no measures.
    """

    name: str
    note: str
    unit: Unit
    better: int
    first: float | None
    second: float | None
    estimate: Estimate | None
    detectable: float | None
    p: float | None = None

    @property
    def sure(self) -> Sure:
        """Which side is better, as far as the interval tells."""
        if self.estimate is None or self.estimate.low is None or not self.better:
            return "unknown"
        if not self.estimate.certain:
            return "open"
        return "second" if self.estimate.value * self.better > 0 else "first"


@dataclass(frozen=True)
class CaseDifference:
    """The mean scores of one case; the interval is over its pairs and holds for this case alone."""

    pairs: tuple[Pair, ...]
    case: str
    title: str
    draft: bool
    first: float
    second: float
    estimate: Estimate


@dataclass(frozen=True)
class CheckDifference:
    """A check of a case over the pairs in which both sides were decided. `q` is p, adjusted for all the checks."""

    pairs: tuple[Pair, ...]
    case: str
    draft: bool
    check: str
    group: Group
    hits: tuple[int, int]
    estimate: Estimate
    p: float | None
    q: float | None
    detectable: float | None

    @property
    def sure(self) -> Sure:
        """Which side does it more often, at a false discovery rate of 5 %."""
        if self.q is None or self.q >= RATE:
            return "open"
        return "second" if self.estimate.value > 0 else "first"


@dataclass(frozen=True)
class Change:
    """A pair of calls: checks that only the second hit (`gained`), and only the first (`lost`).

    Those with `_open` are not known to be missed by the other side: there nobody decided on them.
    """

    pair: Pair
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    gained_open: tuple[str, ...] = ()
    lost_open: tuple[str, ...] = ()

    @property
    def by(self) -> float | None:
        """Second score minus first; None unless both have one."""
        first, second = self.pair.first.counted, self.pair.second.counted
        return None if first is None or second is None else second - first

    @property
    def changed(self) -> bool:
        """Whether the gate or a check came out differently."""
        return self.pair.first.state != self.pair.second.state or bool(
            self.gained or self.lost or self.gained_open or self.lost_open
        )


@dataclass(frozen=True)
class Comparison:
    """Second against first: doubts, the differences of the whole, by case and by check, and call by call."""

    first: Side
    second: Side
    pairs: tuple[Pair, ...]
    doubts: Doubts
    differences: tuple[Difference, ...]
    cases: tuple[CaseDifference, ...]
    checks: tuple[CheckDifference, ...]
    changes: tuple[Change, ...]

    @property
    def clusters(self) -> int:
        """How many cases there are."""
        return len({pair.first.setting.case for pair in self.pairs})


def compare(first: Side, second: Side) -> Comparison:
    """Compare two sides. Raises UsageError when they have no patient in common."""
    matched = pairs(first, second)
    return Comparison(
        first=first,
        second=second,
        pairs=matched,
        doubts=doubts(first, second, matched),
        differences=tuple(d for d in (_difference(measure, matched) for measure in MEASURES) if d is not None),
        cases=_cases(matched),
        checks=_checks(matched),
        changes=tuple(sorted(map(_change, matched), key=lambda change: (not change.changed, -abs(change.by or 0.0)))),
    )


def _difference(measure: Measure, matched: Sequence[Pair]) -> Difference | None:
    """None where no pair has a value on both sides, or where their costs are in several currencies."""
    values = [(measure.value(pair.first), measure.value(pair.second), pair) for pair in matched]
    known = [(a, b, pair) for a, b, pair in values if a is not None and b is not None]
    if not known:
        return None
    first, second = [a for a, _, _ in known], [b for _, b, _ in known]
    clusters = _clusters([pair for _, _, pair in known])
    currencies = {row.money.currency for _, _, pair in known for row in (pair.first, pair.second)}
    if measure.unit == "money" and len(currencies) > 1:
        return None
    yes_or_no = measure.name == "Passed"
    estimate = paired_difference(first, second, clusters)
    return Difference(
        name=f"{measure.name} ({currencies.pop()})" if measure.unit == "money" else measure.name,
        note=measure.note,
        unit=measure.unit,
        better=measure.better,
        first=sum(first) / len(first),
        second=sum(second) / len(second),
        estimate=_within(estimate) if measure.unit in ("score", "share") else estimate,
        detectable=_possible(detectable(first, second, clusters), measure.unit),
        p=mcnemar(discordance([bool(a) for a in first], [bool(b) for b in second])) if yes_or_no else None,
    )


def _possible(least: float | None, unit: Unit) -> float | None:
    """None where the smallest difference to be shown is larger than two scores or shares can differ at all."""
    return None if least is not None and unit in ("score", "share") and least > 1 else least


def _within(estimate: Estimate | None) -> Estimate | None:
    """The difference of two values between 0 and 1, whose interval ends at -1 and 1."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return estimate
    return replace(estimate, low=max(estimate.low, -1.0), high=min(estimate.high, 1.0))


def _clusters(matched: Sequence[Pair]) -> list[Hashable]:
    """Cases; of a single case its patients, and of a single patient each pair: only of those can be spoken then."""
    cases: list[Hashable] = [pair.first.setting.case for pair in matched]
    if len(set(cases)) > 1:
        return cases
    patients: list[Hashable] = [pair.first.patient for pair in matched]
    return patients if len(set(patients)) > 1 else list(range(len(matched)))


def _cases(matched: Sequence[Pair]) -> tuple[CaseDifference, ...]:
    by_case: dict[str, list[Pair]] = {}
    for pair in matched:
        if pair.first.counted is not None and pair.second.counted is not None:
            by_case.setdefault(pair.first.setting.case, []).append(pair)
    differences = []
    for case, members in by_case.items():
        first = [pair.first.counted or 0.0 for pair in members]
        second = [pair.second.counted or 0.0 for pair in members]
        estimate = _within(paired_difference(first, second, range(len(members))))
        if estimate is not None:
            row, n = members[0].first, len(members)
            differences.append(
                CaseDifference(tuple(members), case, row.title, row.draft, sum(first) / n, sum(second) / n, estimate)
            )
    return tuple(sorted(differences, key=lambda difference: difference.estimate.value))


def _checks(matched: Sequence[Pair]) -> tuple[CheckDifference, ...]:
    by_check: dict[tuple[str, str], list[tuple[Checked, Checked, Pair]]] = {}
    for pair in matched:
        for first, second in _both(pair):
            by_check.setdefault((pair.first.setting.case, first.id), []).append((first, second, pair))
    counts = [
        discordance([bool(a.hit) for a, _, _ in both], [bool(b.hit) for _, b, _ in both]) for both in by_check.values()
    ]
    p_values = [mcnemar(count) for count in counts]
    lines = [
        _check(both[0][0], tuple(pair for _, _, pair in both), count, p, q)
        for both, count, p, q in zip(by_check.values(), counts, p_values, adjusted(p_values), strict=True)
    ]
    return tuple(
        sorted(lines, key=lambda line: (line.sure == "open", line.group != "critical", -abs(line.estimate.value)))
    )


def _check(
    check: Checked, both: tuple[Pair, ...], count: Discordance, p: float | None, q: float | None
) -> CheckDifference:
    estimate = share_difference(count)
    assert estimate is not None  # there is no check without a pair
    return CheckDifference(
        pairs=both,
        case=both[0].first.setting.case,
        draft=both[0].first.draft,
        check=check.id,
        group=check.group,
        hits=(count.both + count.first_only, count.both + count.second_only),
        estimate=estimate,
        p=p,
        q=q,
        detectable=detectable_share(count.n),
    )


def _both(pair: Pair) -> list[tuple[Checked, Checked]]:
    """The checks of a pair that both sides were decided on."""
    others = {check.id: check for check in pair.second.judged if check.hit is not None}
    return [(check, others[check.id]) for check in pair.first.judged if check.hit is not None and check.id in others]


def _change(pair: Pair) -> Change:
    both = _both(pair)
    return Change(
        pair,
        gained=tuple(first.id for first, second in both if second.hit and not first.hit),
        lost=tuple(first.id for first, second in both if first.hit and not second.hit),
        gained_open=_hit_beside_open(pair.second, pair.first),
        lost_open=_hit_beside_open(pair.first, pair.second),
    )


def _hit_beside_open(row: Row, other: Row) -> tuple[str, ...]:
    """Checks that one call hit, and on which nobody decided in the other."""
    undecided = {check.id for check in other.judged if check.hit is None}
    return tuple(check.id for check in row.judged if check.hit and check.id in undecided)
