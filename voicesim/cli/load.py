"""`voicesim load`: more and more calls at once to one agent."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from voicesim.cli import options
from voicesim.cli.telling import echo


def load(
    agent: Annotated[str, typer.Argument(help="What to call, as for `voicesim run --agent`.")],
    case: Annotated[str, typer.Option(help="A case id or file.")] = "cold-01-andi",
    most: Annotated[int, typer.Option(min=1, max=256, help="Calls at once at the end: 1, 2, 4 and so on.")] = 8,
    profile: Annotated[str, typer.Option(help="An audio profile id or file.")] = "clean",
    max_duration: Annotated[float, typer.Option(min=5, help="Seconds after which each call ends.")] = 60.0,
    beyond: Annotated[
        bool, typer.Option("--beyond", help="Go on when this machine cannot keep time any more.")
    ] = False,
    out: options.Out = Path("recordings"),
    as_json: options.AsJson = False,
) -> None:
    """Call one agent with more and more calls at once; tell its latency and failures, and this machine's limit.

    Ends with 0, and with 3 when not even one call could be made in time.
    """
    from rich.table import Table

    from voicesim.cli.progress import Silent
    from voicesim.cli.suite_progress import SuiteProgress
    from voicesim.cli.terminal import Terminal
    from voicesim.report.wording import span
    from voicesim.suite.load import Load, levels_up_to, under_load

    folder = out / f"{datetime.now():%Y%m%d-%H%M%S}-load"
    watcher = (lambda count: Silent()) if as_json else SuiteProgress
    levels = []
    for level in under_load(
        agent, case, folder, levels_up_to(most), watcher, profile=profile, max_duration=max_duration, beyond=beyond
    ):
        levels.append(level)
        if not as_json:
            echo(f"{level.at_once} at once: median {span(level.latency_median)}, {level.failed} failed")
    result = Load(agent=agent, case=case, levels=tuple(levels))
    if as_json:
        echo(result.model_dump_json(indent=1), is_json=True)
    else:
        table = Table("at once", "failed", "spoiled", "latency, median", "p95", "n", "tester late, p99", "", box=None)
        for level in levels:
            latency = span(level.latency_median), span(level.latency_p95)
            counts = str(level.at_once), str(level.failed), str(level.spoiled)
            mark = "the tester is the limit" if level.tester_limit else ""
            table.add_row(*counts, *latency, str(level.n), span(level.tester_late), mark)
        Terminal().print(table)
        echo(f"written: {folder / 'load.json'}")
    raise typer.Exit(3 if levels and levels[0].tester_limit else 0)
