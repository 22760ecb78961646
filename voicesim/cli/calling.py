"""Making the calls of a plan from the command line: progress, the table at the end, the exit code."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from voicesim.cli.options import EngineName
    from voicesim.suite.after import Result
    from voicesim.suite.engine import Engine
    from voicesim.suite.plan import Plan


def make_calls(plan: "Plan", *, as_json: bool) -> None:
    """Make what is missing of a plan, print every call of it, and end with the exit code of `judge.gate.exit_code`."""
    from voicesim.judge.gate import exit_code

    results = carried_out(plan, as_json=as_json)
    raise typer.Exit(exit_code((result.summary["gate"] for result in results), len(plan.calls)))


def make_suite(
    plan: "Plan", sets: Sequence[str], baseline: Path | None, *, as_json: bool, engine: "Engine | None" = None
) -> None:
    """The same for a suite, which is concluded at its end and decides the exit code."""
    from voicesim.cli.results import tell
    from voicesim.suite.concluding import conclude

    carried_out(plan, as_json=as_json, engine=engine)
    summary = conclude(plan.folder, sets, baseline)
    if engine is not None:
        engine.publish(plan.folder)
    tell(summary, plan.folder, as_json=as_json)


def engine_of(name: "EngineName", ray_address: str | None, store: str | None) -> "Engine | None":
    """The engine that was asked for; None is this machine. Raises UsageError for options that it has no use for."""
    from voicesim.errors import UsageError

    if name.value == "ray":
        from voicesim.suite.ray_engine import RayEngine

        return RayEngine(ray_address, store)
    if ray_address or store:
        raise UsageError("--ray-address and --store go with --engine ray")
    return None


def carried_out(plan: "Plan", *, as_json: bool, table: bool = True, engine: "Engine | None" = None) -> "list[Result]":
    """Make what is missing of a plan and print every call of it; returns the results in the order of the plan."""
    from voicesim.cli.progress import Progress, Silent, print_results
    from voicesim.cli.suite_progress import SuiteProgress
    from voicesim.suite.run import run

    many = engine is not None or plan.width() > 1
    watcher = Silent() if as_json else SuiteProgress(len(plan.calls)) if many else Progress()
    try:
        with watcher:
            run(plan, watcher, engine)
    finally:
        results = [watcher.results[call.key] for call in plan.calls if call.key in watcher.results]
        if table and (not as_json or not plan.settings):
            print_results(results, as_json=as_json)
    return results
