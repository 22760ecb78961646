"""What a person sees while calls run, and the table at their end."""

import json
from collections.abc import Sequence
from typing import Self

from rich.markup import escape
from rich.text import Text

from voicesim.cli.telling import echo
from voicesim.cli.terminal import Terminal
from voicesim.recording.events import (
    CallerLine,
    Connected,
    Divergence,
    Effect,
    Event,
    Hangup,
    Heard,
    LineGoesOn,
    ToolCall,
    ToolResult,
    Warning_,
)
from voicesim.report.table import table
from voicesim.report.wording import percent
from voicesim.suite.after import Result
from voicesim.suite.matrix import PlannedCall
from voicesim.suite.watcher import Quiet

SHOWN = 400
"""Characters of what an agent tells in one line of the progress; the recording has all of it."""


class Silent(Quiet):
    """Follows calls without a word on stdout, which is for the JSON."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def tool_reports_at(self, url: str) -> None:
        """Told on stderr: without it nobody could report."""
        echo(f"tool reports: POST to {url}", err=True)


class Progress(Silent):
    """Prints who speaks and what was heard, as it happens."""

    def __init__(self) -> None:
        super().__init__()
        self._console = Terminal()

    def made_before(self, count: int) -> None:
        self._console.print(f"[dim]{count} calls are there already[/dim]")

    def agent_starts(self, agent: str) -> None:
        self._console.print(f"[dim]reaching {escape(agent)} ...[/dim]")

    def tool_reports_at(self, url: str) -> None:
        self._console.print(f"tool reports: POST to {escape(url)}", soft_wrap=True)

    def call_starts(self, call: PlannedCall, number: int, total: int) -> None:
        order = call.order
        who = f"{order.case.patient.name} ({order.persona.id}, {order.profile.id})"
        self._console.print(f"[bold]call {number} of {total}[/bold]  {escape(who)} calls {escape(order.agent)}")

    def event(self, event: Event) -> None:
        if (description := describe(event)) is None:
            return
        who, style, text = description
        line = Text(f"{event.t:7.2f}  ")
        line.append(f"{who:<8}", style=style)
        line.append(text)
        self._console.print(line)

    def step(self, name: str) -> None:
        self._console.print(f"[dim]{escape(name)} ...[/dim]")

    def finished(self, call: PlannedCall, result: Result) -> None:
        super().finished(call, result)
        outcome = f"{result.summary['gate']}, score {percent(result.summary['score'])}"
        self._console.print(f"{outcome}\n", markup=False)


def describe(event: Event) -> tuple[str, str, str] | None:
    """Who, in which style, and what of an event a person wants to see; None for the rest."""
    match event:
        case Connected():
            return "line", "dim", f"connected after {event.setup_seconds:.2f} s"
        case CallerLine():
            facts = f"  [{', '.join(event.facts)}]" if event.facts else ""
            return "patient", "cyan", event.text + facts
        case LineGoesOn():
            return "patient", "cyan", f"(all of it) {event.text}"
        case Heard():
            return "agent", "green", event.text or "(nothing understood)"
        case ToolCall():
            return "tool", "magenta", _cut(f"{event.name} {json.dumps(event.arguments, ensure_ascii=False)}")
        case ToolResult():
            return "tool", "magenta", _cut(f"-> {json.dumps(event.result, ensure_ascii=False, default=str)}")
        case Effect(kind="line_cut"):
            return "patient", "yellow", "stopped: talked over"
        case Divergence():
            return "replay", "yellow", _cut(f"diverges ({event.action.replace('_', ' ')}): {event.detail}")
        case Warning_():
            return "warning", "yellow", _cut(event.message)
        case Hangup():
            return "line", "dim", f"{event.reason.replace('_', ' ')}{': ' + event.detail if event.detail else ''}"
        case _:
            return None


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} ..."


def print_results(results: Sequence[Result], *, as_json: bool) -> None:
    """The table of all calls and the path of each scorecard, or one JSON object."""
    if as_json:
        rows = [
            result.summary
            | {"recording": str(result.folder), "scorecard": str(result.scorecard) if result.scorecard else None}
            for result in results
        ]
        echo(json.dumps({"calls": rows}, indent=2, ensure_ascii=False, allow_nan=False), is_json=True)
        return
    if not results:
        return
    console = Terminal()
    console.print(table([result.summary for result in results]))
    for result in results:
        if result.scorecard:
            console.print(f"scorecard: {result.scorecard}", soft_wrap=True, markup=False)
