"""`voicesim compare`: agents side by side, from calls that there are or that are made for it."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voicesim.cli import options
from voicesim.cli.telling import echo

if TYPE_CHECKING:
    from voicesim.suite.plan import Plan


def compare(
    sides: Annotated[
        list[str],
        typer.Argument(
            help="Folders of calls (runs, suites), or with --case agents to call. The first is the measure."
        ),
    ],
    agent: Annotated[
        list[str] | None, typer.Option(help="Of folders, only calls to this agent; several are sides of their own.")
    ] = None,
    judge: Annotated[
        str, typer.Option(help="Whose verdicts count; left out, those that count in each suite, or cues.")
    ] = "",
    out: Annotated[Path, typer.Option(help="Folder for comparison.html and comparison.json.")] = Path("comparison"),
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Compare although rubrics or judges differ; the page says so.")
    ] = False,
    case: Annotated[
        list[str] | None, typer.Option(help="Call the agents with this case, pattern or file first. Repeatable.")
    ] = None,
    profile: Annotated[list[str] | None, typer.Option(help="With --case: an audio profile. Repeatable.")] = None,
    repeats: Annotated[int, typer.Option(min=1, max=1000, help="With --case: how often each call is made.")] = 1,
    clock: Annotated[
        options.Clock,
        typer.Option(help="With --case: virtual makes the calls without waiting; python: agents only."),
    ] = options.Clock.live,
    suite: Annotated[
        str | None, typer.Option(help="With --case: name of the folder for the calls; the same name goes on with them.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the JSON, and nothing else.")] = False,
) -> None:
    """Compare agents by the same patients: which is better at what, and how sure is that.

    A single folder with calls to several agents is compared agent against agent. Ends with 2 when the sides cannot be
    compared: no patient in common, another rubric or another judge.
    """
    from voicesim.report.many.write import write_comparison

    folders, keys = [Path(side) for side in sides], frozenset[str]()
    if case:
        plan = _called(sides, case, profile or ["clean"], repeats, clock, suite, judge, as_json)
        folders, keys = [plan.folder], frozenset(call.key for call in plan.calls)
        agent = agent or list(dict.fromkeys(call.order.agent for call in plan.calls))
    made = write_comparison(folders, out, agents=agent or (), judge=judge, anyway=anyway, keys=keys)
    if as_json:
        echo(made.data.read_text(encoding="utf-8"), nl=False, is_json=True)
        return
    from voicesim.cli.terminal import Terminal
    from voicesim.report.many.comparison_page import changed, closing, comparison_table
    from voicesim.report.wording import amount

    terminal = Terminal()
    for comparison in made.comparisons:
        terminal.print(comparison_table(comparison))
        for warning in (*comparison.doubts.refusals, *comparison.doubts.warnings):
            terminal.print(f"note: {warning}", markup=False)
        terminal.print(closing(comparison), markup=False)
        for change in changed(comparison):
            terminal.print(change, markup=False)
    if made.unasked:
        others = amount(made.unasked, "other call")
        terminal.print(f"note: {others} in {folders[0]} left out: not asked for here", markup=False)
    echo(f"comparison: {made.page}")
    echo(f"json: {made.data}")


def _called(
    agents: list[str],
    cases: list[str],
    profiles: list[str],
    repeats: int,
    clock: options.Clock,
    suite: str | None,
    judge: str,
    as_json: bool,
) -> "Plan":
    """Call the agents, and return the plan of the calls; those that are there already are not made again."""
    from voicesim.catalog.find import Catalogue
    from voicesim.catalog.suite_file import SuiteFile
    from voicesim.cli import judging
    from voicesim.cli.calling import carried_out
    from voicesim.cli.progress import Silent
    from voicesim.errors import UsageError
    from voicesim.suite.asked import plan_of
    from voicesim.suite.plan import suite_folder, suite_name
    from voicesim.suite.run import run

    if len(agents) < 2:
        raise UsageError("a comparison needs two agents to call, such as `voicesim compare modular realtime --case ID`")
    catalogue = Catalogue.here()
    names = catalogue.matching("case", cases)
    asked = SuiteFile.model_construct(
        cases=names,
        profiles=tuple(profiles),
        agents=tuple(agents),
        repeats=repeats,
        clock=clock.value,
        at_once=1 if clock is options.Clock.virtual else None,
    )
    name = suite or suite_name([catalogue.case(chosen).id for chosen in names], datetime.now())
    folder = suite_folder(Path("recordings"), name)
    plan = plan_of(asked, catalogue, folder, judging.panel([judge] if judge else None), adds=True)
    if as_json:
        run(plan, Silent())
    else:
        carried_out(plan, as_json=False)
    return plan
