"""Where things are drawn: x and y in percent of a chart's box, so that it stretches with the page."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from voicesim.metrics.summary import quantile
from voicesim.report.many.cited import Cited, Numbered, grouped, numbered, score_mean
from voicesim.report.many.row import Row
from voicesim.report.wording import MISSING, number, span
from voicesim.statistics.intervals import Estimate

_STEPS = (0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0)


@dataclass(frozen=True)
class Dot:
    """A call as a dot; `state` gives its shape, `series` (of the agent) its colour."""

    x: float
    y: float
    place: int
    series: int
    state: str
    title: str
    href: str


@dataclass(frozen=True)
class Strip:
    """The scores in the order of the calls. `mean` is that of all, its places measured from the top."""

    dots: tuple[Dot, ...]
    mean: Estimate | None
    mean_y: float | None
    band: tuple[float, float] | None


@dataclass(frozen=True)
class CaseLine:
    """The calls of a case to one agent on a scale from 0 to 1; `joins` are the repeats of one patient."""

    case: str
    draft: bool
    agent: str
    series: int
    mean: str
    dots: tuple[Dot, ...]
    joins: tuple[tuple[float, float, float], ...]
    """From x to x, at y."""
    first: bool


@dataclass(frozen=True)
class Spread:
    """All values of an agent on one axis (seconds), each a mark, with quantiles."""

    agent: str
    series: int
    marks: str
    """An SVG path in a box of 1,000 by 10: a mark a value, those beyond the axis at its end."""
    median: float | None
    p95: float | None
    texts: tuple[Cited, ...]
    """Count, median, 95th percentile, maximum."""


@dataclass(frozen=True)
class Axis:
    """Ticks of an axis from 0 to `end`: place in percent and text."""

    end: float
    ticks: tuple[tuple[float, str], ...]


def strip(rows: Sequence[Row]) -> Strip:
    """One dot a call from left to right; what has no score lies on the floor, y = 100."""
    series = _series(rows)
    dots = tuple(
        _dot(row, place, round(100 * (place + 0.5) / len(rows), 3), _down(row.score), series)
        for place, row in numbered(rows)
    )
    mean = score_mean(numbered(rows))
    band = None
    if mean and mean.low is not None and mean.high is not None:
        band = _down(min(mean.high, 1.0)), _down(max(mean.low, 0.0))
    return Strip(dots, mean, _down(mean.value) if mean else None, band)


def case_lines(rows: Sequence[Row]) -> tuple[CaseLine, ...]:
    """A line for each case and agent; dots of one call made again share a height and are joined."""
    series = _series(rows)
    lines = []
    for case, members in grouped(numbered(rows), lambda row: row.setting.case).items():
        by_agent = grouped(members, lambda row: row.setting.agent)
        for index, agent in enumerate(sorted(by_agent, key=lambda name: series[name])):
            lines.append(_case_line(case, agent, by_agent[agent], series, index == 0))
    return tuple(lines)


def _case_line(case: str, agent: str, members: Sequence[Numbered], series: dict[str, int], first: bool) -> CaseLine:
    by_patient = list(grouped(members, lambda row: row.patient).values())
    dots, joins = [], []
    for height, repeats in enumerate(by_patient):
        y = round(100 * (height + 0.5) / len(by_patient), 2)
        scored = [(place, row, row.score) for place, row in repeats if row.score is not None]
        if len(scored) > 1:
            scores = [score for _, _, score in scored]
            joins.append((round(100 * min(scores), 2), round(100 * max(scores), 2), y))
        dots += [_dot(row, place, round(100 * score, 2), y, series) for place, row, score in scored]
    mean = score_mean(members)
    return CaseLine(
        case=case,
        draft=members[0][1].draft,
        agent=agent,
        series=series[agent],
        mean=number(mean.value if mean else None),
        dots=tuple(dots),
        joins=tuple(joins),
        first=first,
    )


def latency_spreads(rows: Sequence[Row]) -> tuple[tuple[Spread, ...], Axis]:
    """Response latencies by agent, on one axis."""
    return _spreads(rows, [row.timing.latencies if row.timing and row.state != "invalid" else () for row in rows])


def yield_spreads(rows: Sequence[Row]) -> tuple[tuple[Spread, ...], Axis]:
    """Yield times by agent, on one axis."""
    return _spreads(rows, [row.timing.yields if row.timing and row.state != "invalid" else () for row in rows])


def quality_by_latency(rows: Sequence[Row]) -> tuple[tuple[Dot, ...], Axis]:
    """A dot a call: its median response latency (x) and its score (y)."""
    series = _series(rows)
    points = [
        (quantile(row.timing.latencies, 0.5), row, place)
        for place, row in numbered(rows)
        if row.counted is not None and row.timing and row.timing.latencies
    ]
    axis = axis_to(max((latency for latency, _, _ in points), default=1.0))
    return tuple(
        _dot(row, place, round(100 * latency / axis.end, 2), _down(row.score), series, span(latency))
        for latency, row, place in points
    ), axis


def axis_to(most: float) -> Axis:
    """An axis of seconds from 0 to a little over `most`, with at most eight ticks."""
    step = next((step for step in _STEPS if most / step <= 7), 60.0 * math.ceil(most / 420))
    count = max(1, math.ceil(most / step - 1e-9))
    return Axis(count * step, tuple((round(100 * n / count, 2), f"{n * step:g} s") for n in range(count + 1)))


def _spreads(rows: Sequence[Row], values: Sequence[Sequence[float]]) -> tuple[tuple[Spread, ...], Axis]:
    every = [value for members in values for value in members]
    axis = axis_to(quantile(every, 0.99) if every else 1.0)
    by_agent = grouped(numbered(rows), lambda row: row.setting.agent)
    spreads = []
    for index, (agent, members) in enumerate(by_agent.items()):
        placed = [(value, place) for place, _ in members for value in values[place]]
        if placed:
            spreads.append(_spread(agent, index, placed, axis))
    return tuple(spreads), axis


def _spread(agent: str, series: int, placed: Sequence[tuple[float, int]], axis: Axis) -> Spread:
    values = [value for value, _ in placed]
    marks = "".join(f"M{min(999, round(1000 * value / axis.end))} 0v10" for value in sorted(values))
    median, p95 = quantile(values, 0.5), quantile(values, 0.95)
    calls = tuple(dict.fromkeys(place for _, place in placed))
    slowest = tuple(dict.fromkeys(place for value, place in placed if value >= p95))
    top = max(placed)
    return Spread(
        agent=agent,
        series=series,
        marks=marks,
        median=round(100 * min(median / axis.end, 1.0), 2),
        p95=round(100 * min(p95 / axis.end, 1.0), 2),
        texts=(
            Cited(str(len(values)), calls),
            Cited(span(median)),
            Cited(span(p95), slowest),
            Cited(span(top[0]), (top[1],)),
        ),
    )


def _series(rows: Sequence[Row]) -> dict[str, int]:
    return {agent: index for index, agent in enumerate(grouped(numbered(rows), lambda row: row.setting.agent))}


def _down(score: float | None) -> float:
    """A score as a distance from the top."""
    return 100.0 if score is None else round(100 * (1 - score), 3)


def _dot(row: Row, place: int, x: float, y: float, series: dict[str, int], more: str = "") -> Dot:
    score = number(row.score) if row.score is not None else MISSING
    state = "none" if row.score is None and row.state == "failed" else row.state
    texts = (f"{row.setting.case}, {row.setting.agent}, {row.setting.profile}", f"{row.state}, score {score}", more)
    title = ": ".join(text for text in texts if text)
    return Dot(x, y, place, series[row.setting.agent], state, title, row.scorecard)
