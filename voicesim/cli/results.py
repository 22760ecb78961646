"""`voicesim results`: what a suite came to, for people and for other programs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voicesim.cli.telling import echo

if TYPE_CHECKING:
    from voicesim.results.summary import SuiteSummary

ThresholdSets = Annotated[
    list[str] | None,
    typer.Option("--thresholds", help="A named threshold set, or a file with one. Repeatable. See docs/suites.md."),
]
_MOST_MISSES = 5
Baseline = Annotated[
    Path | None,
    typer.Option(help="An earlier suite's folder: end with 1 where something became worse that cannot be chance."),
]


def results(
    run: Annotated[Path, typer.Argument(help="A suite's folder, or any folder with recordings.")],
    thresholds: ThresholdSets = None,
    baseline: Baseline = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print results.json, and nothing else.")] = False,
) -> None:
    """Write a suite's page, results.json, results.csv, junit.xml and summary.md into its folder; tell what it came to.

    Ends with 0, with 1 when a threshold is passed by or something became worse than the baseline (without either:
    when a call did not pass), and with 3 when that could not be told. An invalid call is never a failure.
    """
    from voicesim.suite.concluding import conclude

    tell(conclude(run, thresholds or (), baseline), run, as_json=as_json)


def tell(summary: "SuiteSummary", folder: Path, *, as_json: bool) -> None:
    """Print a suite's summary, and end with its exit code."""
    from rich.table import Table

    from voicesim.cli.terminal import Terminal
    from voicesim.report.suite_files import as_json as json_of
    from voicesim.report.wording import amount, number, spaced, visible

    if as_json:
        echo(json_of(summary), nl=False, is_json=True)
        raise typer.Exit(summary.exit_code)
    console = Terminal()
    for row in summary.thresholds:
        bound = f"at most {row.at_most:g}" if row.at_most is not None else f"at least {row.at_least:g}"
        message = f"{row.agent}: {spaced(row.figure)} {number(row.value, 3)} (n {row.n}), wanted {bound}"
        console.print(
            f"{spaced(row.outcome)}: {message}", markup=False, style="red" if row.outcome == "passed_by" else ""
        )
    worse = [row for row in summary.changes if row.worse]
    if summary.baseline is not None and not worse:
        console.print(f"nothing is significantly worse than in {summary.baseline}", markup=False)
    for change in worse:
        pairs = amount(change.n, "pair of calls", "pairs of calls")
        message = f"{number(change.before, 3)} before, {number(change.now, 3)} now, over {pairs}"
        console.print(f"worse: {change.agent}: {spaced(change.what)}: {message}", markup=False, style="red")
    for miss in summary.missed[:_MOST_MISSES]:
        critical = ", critical" if miss.group == "critical" else ""
        quotes = "".join(f" “{quote}”" for quote in miss.quotes)
        message = f"missed: {spaced(miss.check)} ({miss.case}{critical}) {miss.missed} of {miss.decided}"
        console.print(visible(message + quotes), markup=False)
    table = Table("agent", "calls", *("passed", "failed", "unscored", "invalid", "missing"), "mean score", box=None)
    for agent in dict.fromkeys(call.agent for call in summary.calls):
        states = [call.state for call in summary.calls if call.agent == agent]
        means = [row.value for row in summary.figures if row.agent == agent and row.figure == "score_mean"]
        counts = [str(states.count(state)) for state in ("passed", "failed", "unscored", "invalid", "missing")]
        table.add_row(agent, str(len(states)), *counts, number(means[0] if means else None))
    console.print(table)
    console.print(
        f"written: {folder}/suite.html, results.json, results.csv, junit.xml, summary.md", markup=False, soft_wrap=True
    )
    raise typer.Exit(summary.exit_code)
