"""Making the calls of a plan from the command line: progress, the table at the end, the exit code."""

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from voicesim.suite.plan import Plan


def make_calls(plan: "Plan", *, as_json: bool) -> None:
    """Make what is missing of a plan, print every call of it, and end with the exit code of `judge.gate.exit_code`."""
    from voicesim.cli.progress import Progress, Silent, print_results
    from voicesim.cli.suite_progress import SuiteProgress
    from voicesim.judge.gate import exit_code
    from voicesim.suite.run import run

    watcher = Silent() if as_json else SuiteProgress(len(plan.calls)) if plan.width() > 1 else Progress()
    try:
        with watcher:
            run(plan, watcher)
    finally:
        results = [watcher.results[call.key] for call in plan.calls if call.key in watcher.results]
        print_results(results, as_json=as_json)
    raise typer.Exit(exit_code((result.summary["gate"] for result in results), len(plan.calls)))
