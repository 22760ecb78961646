"""`voicesim compare`: two or more folders of calls side by side, to a page, a JSON file and a table."""

from pathlib import Path
from typing import Annotated

import typer


def compare(
    folders: Annotated[list[Path], typer.Argument(help="Folders of calls: runs or suites; the first is the measure.")],
    agent: Annotated[
        list[str] | None, typer.Option(help="Only calls to this agent; with several, each is a side of its own.")
    ] = None,
    judge: Annotated[str, typer.Option(help="Whose verdicts count; none: those that count in each suite.")] = "",
    out: Annotated[Path, typer.Option(help="Folder for comparison.html and comparison.json.")] = Path("comparison"),
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Compare although rubrics or judges differ; the page says so.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the JSON, and nothing else.")] = False,
) -> None:
    """Compare agents by the same patients: which is better at what, and how sure is that.

    A single folder with calls to several agents is compared agent against agent. Ends with 2 when the sides cannot be
    compared: no patient in common, another rubric or another judge.
    """
    from voicesim.report.many.write import write_comparison

    made = write_comparison(folders, out, agents=agent or (), judge=judge, anyway=anyway)
    if as_json:
        typer.echo(made.data.read_text(encoding="utf-8"), nl=False)
        return
    from voicesim.cli.terminal import Terminal
    from voicesim.report.many.comparison_page import closing, comparison_table

    terminal = Terminal()
    for comparison in made.comparisons:
        terminal.print(comparison_table(comparison))
        for warning in (*comparison.doubts.refusals, *comparison.doubts.warnings):
            terminal.print(f"note: {warning}", markup=False)
        terminal.print(closing(comparison), markup=False)
    typer.echo(f"comparison: {made.page}")
    typer.echo(f"json: {made.data}")
