"""Calls as the rows of a terminal table."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from voicesim.report.wording import MISSING, percent, spaced, span, visible

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

_GROUPS = {"critical": "crit.", "must_ask": "must", "close": "close"}
_STYLES = {"passed": "green", "failed": "bold red", "unscored": "yellow", "invalid": "bold red"}


def table(summaries: Sequence[Mapping[str, Any]]) -> "Table":
    """A rich table of calls, each as `json_report.summary` gives it; fits 80 columns. Nothing is printed.

    What a call says is only ever text in it: markup and control characters have no effect.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), caption_justify="left")
    made.add_column("call", overflow="fold", min_width=12)
    made.add_column("score", justify="right", no_wrap=True)
    made.add_column("gate", no_wrap=True)
    made.add_column("hits", no_wrap=True)
    made.add_column("latency", justify="right", no_wrap=True)
    made.add_column("taking turns", no_wrap=True)
    made.add_column("ended", overflow="fold")
    for summary in summaries:
        made.add_row(*_row(summary), end_section=True)
    reasons = [_reason(summary) for summary in summaries if summary["gate_reason"]]
    made.caption = Text("\n").join(reasons) if reasons else None
    made.caption_style = ""
    return made


def _row(summary: Mapping[str, Any]) -> list["Text"]:
    return [
        _text(f"{summary['case']}\n{summary['agent']}\n{summary['profile']}"),
        _text(percent(summary["score"])),
        _text(summary["gate"].upper(), _STYLES[summary["gate"]]),
        _text(_hits(summary["groups"])),
        *_measures(summary["metrics"]),
        _text(spaced(summary["end_reason"] or MISSING)),
    ]


def _reason(summary: Mapping[str, Any]) -> "Text":
    """Why a call is not passed, as a line below the table."""
    line = _text(f"{summary['case']}, {summary['agent']}: ")
    return line.append_text(_text(summary["gate"].upper(), _STYLES[summary["gate"]])).append_text(
        _text(f", {summary['gate_reason']}")
    )


def _hits(groups: Mapping[str, Mapping[str, int]] | None) -> str:
    counted = [(short, groups[name]) for name, short in _GROUPS.items() if groups and name in groups]
    return "\n".join(f"{short:<5} {counts['hit']}/{counts['checks']}" for short, counts in counted) or MISSING


def _measures(metrics: Mapping[str, Any] | None) -> tuple["Text", "Text"]:
    """The latency, and what went wrong in taking turns."""
    if metrics is None:
        return _text(MISSING), _text(MISSING)
    latency = metrics["response_latency"]
    times = MISSING
    if latency["n"]:
        tail = f"p95 {span(latency['p95'])}\n" if latency["p95"] is not None else ""
        times = f"med {span(latency['median'])}\n{tail}n {latency['n']}"
    count = metrics["interruptions"]
    floor = f"cut-ins {metrics['cut_ins']}\ninterrupts {count}" + (f"\nyielded {metrics['yielded']}" if count else "")
    return _text(times), _text(floor)


def _text(value: str, style: str = "") -> "Text":
    from rich.text import Text

    return Text("\n".join(visible(line) for line in value.split("\n")), style=style)
