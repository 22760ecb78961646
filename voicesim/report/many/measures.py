"""What agents are compared by: a value of each call, and whether more of it is better."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from voicesim.catalog.model import Group
from voicesim.metrics.summary import summarize
from voicesim.report.many.row import Row, Timing
from voicesim.statistics.repeats import hit_rate

Unit = Literal["score", "share", "seconds", "count", "money"]


@dataclass(frozen=True)
class Measure:
    """Something that each call has a value of, or None. `better` is +1 where more is better, -1 where less is."""

    name: str
    note: str
    unit: Unit
    better: int
    value: Callable[[Row], float | None]


MEASURES: tuple[Measure, ...] = (
    Measure("Score", "mean", "score", 1, lambda row: row.counted),
    Measure(
        "Passed", "of calls with a score", "share", 1, lambda row: None if row.passed is None else float(row.passed)
    ),
    Measure("Critical", "hits by weight, of a call", "share", 1, lambda row: _group_share(row, "critical")),
    Measure("Must ask", "hits by weight, of a call", "share", 1, lambda row: _group_share(row, "must_ask")),
    Measure("Close", "hits by weight, of a call", "share", 1, lambda row: _group_share(row, "close")),
    Measure(
        "Latency",
        "median response of a call",
        "seconds",
        -1,
        lambda row: _of(row, lambda t: summarize(t.latencies).median),
    ),
    Measure("Cut-ins", "a call", "count", -1, lambda row: _of(row, lambda t: t.cut_ins)),
    Measure(
        "Yielded",
        "of the interruptions of a call",
        "share",
        1,
        lambda row: _of(row, lambda t: len(t.yields) / t.interruptions if t.interruptions else None),
    ),
    Measure(
        "Yield time", "median of a call", "seconds", -1, lambda row: _of(row, lambda t: summarize(t.yields).median)
    ),
    Measure("False yields", "a call", "count", -1, lambda row: _of(row, lambda t: t.false_yields)),
    Measure("Cost", "of the agent, a call", "money", -1, lambda row: row.money.agent),
    Measure("Length", "of a call", "seconds", 0, lambda row: _of(row, lambda _: row.duration)),
)


def _group_share(row: Row, group: Group) -> float | None:
    return hit_rate((check.outcome, check.weight) for check in row.judged if check.group == group).by_weight


def _of(row: Row, what: Callable[[Timing], float | None]) -> float | None:
    """A figure of what was measured; None of a call that was spoiled or never made."""
    timing = None if row.state in ("invalid", "missing") else row.timing
    return None if timing is None else what(timing)
