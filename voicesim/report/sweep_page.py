"""The page and the JSON of a sweep."""

import json
from dataclasses import asdict
from typing import Any

from voicesim.recording import files
from voicesim.report.sweep_charts import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, curves, heat_maps, link, with_interval
from voicesim.report.template import render
from voicesim.results.sweep import KINDS, Point, SweepResult
from voicesim.statistics.intervals import Estimate

PAGE, DATA = "sweep.html", "sweep-result.json"
_STYLES = ("base.css", "sweep.css")


def write(sweep: SweepResult) -> None:
    """Write sweep.html and sweep-result.json into the sweep's folder; both are derived and can be made again."""
    files.write_text(sweep.folder / DATA, json.dumps(data(sweep), indent=1, ensure_ascii=False, allow_nan=False) + "\n")
    files.write_text(sweep.folder / PAGE, page(sweep))


def page(sweep: SweepResult) -> str:
    """The page as HTML text, which loads nothing; its links lead to the calls' scorecards in their folders."""
    rows = [
        *([("control", sweep.control)] if sweep.control else []),
        *((_name(point), point) for point in sweep.points),
    ]
    content = {
        "sweep": sweep.sweep,
        "title": sweep.sweep.title or sweep.sweep.case,
        "kinds": KINDS,
        "curves": curves(sweep),
        "maps": heat_maps(sweep),
        "size": (WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM),
        "rows": [_row(name, point) for name, point in rows],
        "made": sum(call.valid for call in _calls(sweep)),
        "planned": sum(len(point.keys) for point in sweep.sweep.points) + len(sweep.sweep.control),
    }
    return render("sweep.html", _STYLES, (), content)


def data(sweep: SweepResult) -> dict[str, Any]:
    """The sweep as JSON: each point with its figures, their intervals, and the folders of its calls."""
    return {
        "case": sweep.sweep.case,
        "agent": sweep.sweep.agent,
        "axes": [axis.model_dump(mode="json") for axis in sweep.sweep.axes],
        "control": _plain(sweep.control) if sweep.control else None,
        "points": [_plain(point) for point in sweep.points],
        "breaks": {kind.id: sweep.breaks(kind) for kind in KINDS},
    }


def _plain(point: Point) -> dict[str, Any]:
    return {
        "values": list(point.values),
        "figures": {name: _estimate(estimate) for name, estimate in point.figures.items()},
        "calls": [{"folder": call.folder.name if call.folder else None, "state": call.state} for call in point.calls],
    }


def _estimate(estimate: Estimate | None) -> dict[str, Any] | None:
    return None if estimate is None else asdict(estimate)


def _row(name: str, point: Point) -> tuple[str, list[str], str, str]:
    """A row of the table: the point, its figures, where its scorecard is, and what is missing."""
    return name, [with_interval(kind, point.figures[kind.id]) for kind in KINDS], link(point), _state(point)


def _name(point: Point) -> str:
    return ", ".join(point.values)


def _calls(sweep: SweepResult) -> list[Any]:
    points = [*sweep.points, *([sweep.control] if sweep.control else [])]
    return [call for point in points for call in point.calls]


def _state(point: Point) -> str:
    """What is missing at a point; "" where all its calls count."""
    lost = [call for call in point.calls if not call.valid]
    return "; ".join(dict.fromkeys(f"{call.state}: {call.reason}" for call in lost))
