"""Curves and heat maps of a sweep, as places in a drawing; what is drawn is in page/sweep.html."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from voicesim.report.wording import MISSING, percent, span
from voicesim.results.sweep import KINDS, Kind, Point, SweepResult
from voicesim.statistics.intervals import Estimate

WIDTH, HEIGHT = 420.0, 230.0
LEFT, RIGHT, TOP, BOTTOM = 62.0, 14.0, 12.0, 40.0
_CELL_WIDTH, _CELL_HEIGHT, _LABEL = 92.0, 40.0, 120.0
_STEPS = 4


@dataclass(frozen=True)
class Dot:
    """A value at a place (px), with the ends of its interval where it has one."""

    x: float
    y: float
    low: float | None
    high: float | None
    title: str
    link: str


@dataclass(frozen=True)
class Curve:
    """One figure along the axis: `ticks` are y and label, `labels` x and value, `runs` the lines between dots."""

    kind: Kind
    dots: tuple[Dot, ...]
    runs: tuple[str, ...]
    ticks: tuple[tuple[float, str], ...]
    labels: tuple[tuple[float, str], ...]
    control: float | None
    told: str
    breaks: float | None


@dataclass(frozen=True)
class Cell:
    """A square of a heat map; `shade` is 0 for the best value of the map and 1 for the worst, None without one."""

    x: float
    y: float
    text: str
    shade: float | None
    title: str
    link: str


@dataclass(frozen=True)
class HeatMap:
    """One figure over two axes: the first goes to the right, the second downward."""

    kind: Kind
    cells: tuple[Cell, ...]
    columns: tuple[tuple[float, str], ...]
    rows: tuple[tuple[float, str], ...]
    width: float
    height: float
    told: str


def curves(sweep: SweepResult) -> list[Curve]:
    """A curve for each figure that any point has; none of a sweep over two axes."""
    if len(sweep.sweep.axes) != 1:
        return []
    return [_curve(sweep, kind) for kind in KINDS if any(point.figures[kind.id] for point in sweep.points)]


def heat_maps(sweep: SweepResult) -> list[HeatMap]:
    """A heat map for each figure that any point has; none of a sweep over one axis."""
    if len(sweep.sweep.axes) != 2:
        return []
    return [_map(sweep, kind) for kind in KINDS if any(point.figures[kind.id] for point in sweep.points)]


def shown(kind: Kind, value: float | None) -> str:
    """A value in its unit.

    >>> shown(KINDS[0], 0.515), shown(KINDS[1], 1.5), shown(KINDS[1], None)
    ('51.5%', '1.5', '—')
    """
    if value is None:
        return MISSING
    if kind.unit == "share":
        return percent(value)
    return span(value) if kind.unit == "seconds" else f"{value:.1f}"


def _tick(kind: Kind, value: float) -> str:
    """A value of an axis, whose quarters are not rounded to tenths.

    >>> _tick(KINDS[1], 0.25), _tick(KINDS[1], 1.0)
    ('0.25', '1')
    """
    return f"{value:.3g}" if kind.unit == "count" else shown(kind, value)


def with_interval(kind: Kind, estimate: Estimate | None) -> str:
    """A value, and its interval in brackets where it has one."""
    if estimate is None:
        return MISSING
    if estimate.low is None:
        return shown(kind, estimate.value)
    low, high = _possible(kind, estimate.low), _possible(kind, estimate.high)
    return f"{shown(kind, estimate.value)} ({shown(kind, low)} to {shown(kind, high)})"


def _possible(kind: Kind, end: float | None) -> float | None:
    """An end of an interval, no lower and no higher than the figure itself can be."""
    return None if end is None else min(max(0.0, end), 1.0 if kind.unit == "share" else math.inf)


def link(point: Point) -> str:
    """Where the scorecard of a point's first call is, seen from the sweep's folder; "" without one."""
    pages = [call.scorecard for call in point.calls if call.scorecard]
    return quote(f"{pages[0].parent.name}/{pages[0].name}") if pages else ""


def _curve(sweep: SweepResult, kind: Kind) -> Curve:
    control = sweep.control.figures[kind.id] if sweep.control else None
    top = _top(kind, [*(point.figures[kind.id] for point in sweep.points), control])
    step = (WIDTH - LEFT - RIGHT) / len(sweep.points)
    places = [LEFT + step * (number + 0.5) for number in range(len(sweep.points))]
    dots = [_dot(kind, point, x, top) for point, x in zip(sweep.points, places, strict=True)]
    breaks = sweep.breaks(kind)
    at = next((n for n, point in enumerate(sweep.points) if point.values[0] == breaks), None)
    return Curve(
        kind=kind,
        dots=tuple(dot for dot in dots if dot),
        runs=tuple(_runs(dots)) if sweep.sweep.axes[0].numbers else (),
        ticks=tuple((_y(top * n / _STEPS, top), _tick(kind, top * n / _STEPS)) for n in range(_STEPS + 1)),
        labels=tuple((x, point.values[0].rpartition(":")[2]) for point, x in zip(sweep.points, places, strict=True))
        if sweep.sweep.axes[0].numbers
        else tuple((x, point.values[0]) for point, x in zip(sweep.points, places, strict=True)),
        control=None if control is None else _y(control.value, top),
        told=_told(sweep, kind),
        breaks=None if at is None else places[at] - step / 2,
    )


def _dot(kind: Kind, point: Point, x: float, top: float) -> Dot | None:
    estimate = point.figures[kind.id]
    if estimate is None:
        return None
    ends = [None if end is None else _y(end, top) for end in (estimate.low, estimate.high)]
    title = f"{', '.join(point.values)}: {with_interval(kind, estimate)}"
    return Dot(round(x, 1), _y(estimate.value, top), ends[0], ends[1], title, link(point))


def _runs(dots: Sequence[Dot | None]) -> list[str]:
    """The points of a line through neighbours; where a value is missing the line is broken."""
    runs: list[list[Dot]] = [[]]
    for dot in dots:
        if dot is None:
            runs.append([])
        else:
            runs[-1].append(dot)
    return [" ".join(f"{dot.x},{dot.y}" for dot in run) for run in runs if len(run) > 1]


def _y(value: float, top: float) -> float:
    share = min(1.0, max(0.0, value / top))
    return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)


def _top(kind: Kind, estimates: Sequence[Estimate | None]) -> float:
    """The value at the top of a drawing: 1 for a share that is good, else a round number above all of them."""
    known = [estimate for estimate in estimates if estimate]
    # An interval of two calls can be far wider than anything that was seen: it is cut off at the top.
    most = max((min(estimate.high or 0.0, 2 * max(other.value for other in known)) for estimate in known), default=0.0)
    most = max([most, *(estimate.value for estimate in known)])
    if kind.unit == "share" and (kind.good == "high" or most > 0.5):
        return 1.0
    if most <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(most))
    return next(power * factor for factor in (1, 2, 4, 8, 10, 20) if power * factor >= most)


def _told(sweep: SweepResult, kind: Kind) -> str:
    """What a figure says in a sentence: the control, and from where on it is worse."""
    control = sweep.control.figures[kind.id] if sweep.control else None
    parts = [f"control {with_interval(kind, control)}"] if control else []
    breaks = sweep.breaks(kind)
    if breaks is not None:
        value = next(point.figures[kind.id] for point in sweep.points if point.values[0] == breaks)
        parts.append(f"breaks at {breaks}: {with_interval(kind, value)}")
    elif control and len(sweep.sweep.axes) == 1 and sweep.sweep.axes[0].numbers:
        parts.append("no sure break")
    return "; ".join(parts)


def _map(sweep: SweepResult, kind: Kind) -> HeatMap:
    across, down = sweep.sweep.axes
    values = [point.figures[kind.id] for point in sweep.points]
    known = [estimate.value for estimate in values if estimate]
    best, worst = (max(known), min(known)) if kind.good == "high" else (min(known), max(known))
    cells = []
    for point, estimate in zip(sweep.points, values, strict=True):
        x = _LABEL + _CELL_WIDTH * across.values.index(point.values[0])
        y = _CELL_HEIGHT * (1 + down.values.index(point.values[1]))
        shade = None if estimate is None else 0.0 if best == worst else (estimate.value - best) / (worst - best)
        title = f"{', '.join(point.values)}: {with_interval(kind, estimate)}"
        text = shown(kind, estimate.value if estimate else None)
        cells.append(Cell(x, y, text, None if shade is None else round(shade, 3), title, link(point)))
    return HeatMap(
        kind=kind,
        cells=tuple(cells),
        columns=tuple((_LABEL + _CELL_WIDTH * (n + 0.5), value) for n, value in enumerate(across.values)),
        rows=tuple((_CELL_HEIGHT * (n + 1.5), value) for n, value in enumerate(down.values)),
        width=_LABEL + _CELL_WIDTH * len(across.values),
        height=_CELL_HEIGHT * (1 + len(down.values)),
        told=_told(sweep, kind),
    )
