"""One display for many calls: what is being made, how far it is, and how long it will still take."""

import time
from typing import Self

from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar

from voicesim.cli.progress import Silent
from voicesim.cli.terminal import Terminal
from voicesim.report.wording import percent
from voicesim.suite.after import Result
from voicesim.suite.matrix import PlannedCall


class SuiteProgress(Silent):
    """Follows calls that are made side by side: a line for each that is done, and one bar below them."""

    def __init__(self, total: int) -> None:
        super().__init__()
        self._total, self._before, self._begun = total, 0, time.monotonic()
        self._talking: dict[str, str] = {}
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[left]}"),
            console=Terminal(),
        )
        self._task = self._bar.add_task("", total=total, left="")

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def made_before(self, count: int) -> None:
        self._before = count
        self._print(f"[dim]{count} of {self._total} are there already[/dim]")

    def agent_starts(self, agent: str) -> None:
        self._print(f"[dim]reaching {escape(agent)} ...[/dim]")

    def tool_reports_at(self, url: str) -> None:
        self._print(f"tool reports: POST to {escape(url)}")

    def call_starts(self, call: PlannedCall, number: int, total: int) -> None:
        self._talking[call.key] = call.order.folder.name
        self._show()

    def call_ended(self, call: PlannedCall) -> None:
        self._talking.pop(call.key, None)
        self._show()

    def at_once(self, number: int) -> None:
        self._print(f"[yellow]calls came out late; {number} at once from now on[/yellow]")

    def finished(self, call: PlannedCall, result: Result) -> None:
        self._talking.pop(call.key, None)
        super().finished(call, result)
        outcome = f"{result.summary['gate']}, score {percent(result.summary['score'])}"
        why = f" ({result.summary['gate_reason']})" if result.summary["gate"] == "invalid" else ""
        self._print(escape(f"{len(self.results)}/{self._total}  {result.folder.name}: {outcome}{why}"))
        self._show()

    def _print(self, line: str) -> None:
        self._bar.console.print(line, soft_wrap=True)

    def _show(self) -> None:
        done = len(self.results)
        following = done < self._total and not self._talking
        what = f"{len(self._talking)} calls running" if self._talking else "transcribing, judging" if following else ""
        self._bar.update(self._task, completed=done, description=what, left=self._left(done))

    def _left(self, done: int) -> str:
        """How long the rest will take at the pace so far; calls that were there before say nothing of it."""
        made = done - self._before
        if made <= 0 or done >= self._total:
            return ""
        seconds = (time.monotonic() - self._begun) / made * (self._total - done)
        return f"{seconds / 60:.0f} min left" if seconds >= 90 else f"{seconds:.0f} s left"
