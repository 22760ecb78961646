"""`voicesim suite`: make the calls of a suite file."""

from pathlib import Path
from typing import Annotated

import typer

from voicesim.cli import options
from voicesim.cli.results import Baseline, ThresholdSets


def suite(
    file: Annotated[Path, typer.Argument(help="A suite file; see docs/suites.md.")],
    out: options.Out = Path("recordings"),
    name: Annotated[
        str | None, typer.Option("--suite", help="Name of the folder for these calls; left out, the suite's id.")
    ] = None,
    at_once: options.AtOnce = None,
    virtual: options.Virtual = False,
    engine: options.OnEngine = options.EngineName.local,
    ray_address: options.RayAddress = None,
    store: options.Store = None,
    thresholds: ThresholdSets = None,
    baseline: Baseline = None,
    as_json: options.AsJson = False,
) -> None:
    """Make every call of a suite file that is not there yet, and write a scorecard for each.

    The same command goes on where it was stopped, and makes anew only what has changed since.

    Ends as `voicesim results` does.
    """
    from voicesim.catalog.find import Catalogue
    from voicesim.catalog.load import id_from_name
    from voicesim.catalog.problems import ProblemsError
    from voicesim.catalog.suite_file import read_suite_file
    from voicesim.catalog.suite_names import lost_names
    from voicesim.catalog.threshold_file import threshold_set
    from voicesim.cli.calling import engine_of, make_suite
    from voicesim.judge.judges import Panel
    from voicesim.results.read import open_suite
    from voicesim.suite.asked import plan_of
    from voicesim.suite.plan import suite_folder

    loaded, catalogue = read_suite_file(file), Catalogue.here()
    if problems := list(lost_names(loaded, catalogue)):
        raise ProblemsError(problems)
    asked = loaded.entry
    asked = asked.model_copy(
        update={"clock": "virtual" if virtual else asked.clock, "at_once": at_once or asked.at_once}
    )
    for chosen in thresholds or ():
        threshold_set(chosen)
    if baseline:
        open_suite(baseline)
    folder = suite_folder(out, name if name is not None else asked.id or id_from_name(file))
    plan = plan_of(asked, catalogue, folder, Panel(asked.judges, asked.judge_repeats))
    make_suite(plan, thresholds or (), baseline, as_json=as_json, engine=engine_of(engine, ray_address, store))
