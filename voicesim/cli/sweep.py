"""`voicesim sweep`: call an agent at every value of an axis, and draw what comes of it."""

from pathlib import Path
from typing import Annotated

import typer

from voicesim.cli import judging, options
from voicesim.cli.telling import echo


def sweep(
    case: Annotated[str, typer.Argument(help="A case id, its beginning, or a file. See `voicesim list cases`.")],
    agent: Annotated[str, typer.Option(help="What to call, such as realtime, openai+ws:MODEL, or an agent file.")],
    axis: Annotated[
        list[str],
        typer.Option(
            help="snr=30,20,10 or loss=0,0.05,0.2 or accent=indian:0,0.5,1 or voice=hibari:heart,pico:gb@british "
            "or profile=clean,telephone. Two of them make a heat map."
        ),
    ],
    persona: Annotated[str | None, typer.Option(help="A persona id or file, in place of the case's own.")] = None,
    profile: Annotated[str, typer.Option(help="The audio profile that the axes change.")] = "clean",
    repeats: Annotated[int, typer.Option(min=1, max=1000, help="Calls at each point; more make intervals narrow.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first repeat; the next ones count up.")] = 0,
    control: Annotated[bool, typer.Option(help="Also call in a plain voice on a clean line, to compare with.")] = True,
    out: options.Out = Path("recordings"),
    suite: Annotated[
        str | None, typer.Option(help="Name of the folder; left out, it says case, agent and axes.")
    ] = None,
    mind: Annotated[str, typer.Option(help="Who plays the patient: cues, openai:MODEL or a model file.")] = "cues",
    judge: judging.Judges = None,
    whisper: Annotated[str, typer.Option(help="Whisper model of the transcript and of the control.")] = "base",
    ear: options.Ear = "base",
    at_once: options.AtOnce = None,
    virtual: options.Virtual = False,
    max_turns: options.MaxTurns = 30,
    max_duration: options.MaxDuration = 300.0,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the sweep's figures as JSON, and nothing else.")
    ] = False,
) -> None:
    """Let the patient of CASE call an agent at every value of an axis: noise, loss, accent, voice or line.

    The same command goes on where it was stopped; calls that are there are not made again. Writes sweep.html with
    curves of score, critical misses, what the agent understood, latency and cut-ins, and where each breaks.

    Ends with 0 when every call was made and is valid, else with 3.
    """
    import json

    from voicesim.catalog.find import Catalogue
    from voicesim.catalog.resolve import resolve_agent
    from voicesim.cli.progress import Progress, Silent
    from voicesim.cli.suite_progress import SuiteProgress
    from voicesim.report.sweep_page import PAGE, data, write
    from voicesim.results.sweep import read_sweep
    from voicesim.suite.axes import parse_axes
    from voicesim.suite.plan import suite_folder
    from voicesim.suite.run import run
    from voicesim.suite.sweep import sweep_folder, sweep_plan, template_order

    axes, catalogue = parse_axes(axis), Catalogue.here()
    chosen = resolve_agent(agent)
    folder = suite_folder(out, suite or sweep_folder(catalogue.case(case).id, chosen.label, axes))
    template = template_order(
        catalogue,
        case,
        folder,
        persona=persona,
        profile=profile,
        mind=mind,
        seed=seed,
        whisper=whisper,
        ear=ear,
        clock="virtual" if virtual else "live",
        max_turns=max_turns,
        max_duration=max_duration,
    )
    panel = judging.panel(judge)
    planned = sweep_plan(template, chosen, axes, catalogue, panel, repeats=repeats, control=control, at_once=at_once)
    watcher = (
        Silent() if as_json else SuiteProgress(len(planned.plan.calls)) if planned.plan.width() > 1 else Progress()
    )
    try:
        with watcher:
            run(planned.plan, watcher)
    finally:
        if folder.is_dir():
            planned.write()
            result = read_sweep(folder)
            write(result)
            text = json.dumps(data(result), ensure_ascii=False) if as_json else f"sweep: {folder / PAGE}"
            echo(text, is_json=as_json)
    every = [call for point in (*result.points, *((result.control,) if result.control else ())) for call in point.calls]
    raise typer.Exit(0 if all(call.valid for call in every) else 3)
