"""Making the calls of a plan from the command line: progress, the table at the end, the exit code."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from voicesim.suite.after import Result
    from voicesim.suite.plan import Plan


def make_calls(plan: "Plan", *, as_json: bool) -> None:
    """Make what is missing of a plan, print every call of it, and end with the exit code of `judge.gate.exit_code`."""
    from voicesim.judge.gate import exit_code

    results = carried_out(plan, as_json=as_json)
    raise typer.Exit(exit_code((result.summary["gate"] for result in results), len(plan.calls)))


def make_suite(plan: "Plan", sets: Sequence[str], baseline: Path | None, *, as_json: bool) -> None:
    """The same for a suite, which is concluded at its end and decides the exit code."""
    from voicesim.cli.results import tell
    from voicesim.suite.concluding import conclude

    carried_out(plan, as_json=as_json)
    tell(conclude(plan.folder, sets, baseline), plan.folder, as_json=as_json)


def carried_out(plan: "Plan", *, as_json: bool, table: bool = True) -> "list[Result]":
    """Make what is missing of a plan and print every call of it; returns the results in the order of the plan."""
    from voicesim.cli.progress import Progress, Silent, print_results
    from voicesim.cli.suite_progress import SuiteProgress
    from voicesim.suite.run import run

    watcher = Silent() if as_json else SuiteProgress(len(plan.calls)) if plan.width() > 1 else Progress()
    try:
        with watcher:
            run(plan, watcher)
    finally:
        results = [watcher.results[call.key] for call in plan.calls if call.key in watcher.results]
        if table and (not as_json or not plan.settings):
            print_results(results, as_json=as_json)
    return results
