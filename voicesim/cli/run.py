"""`voicesim run`: call an agent, then transcribe, measure, score and report."""

from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from voicesim.cli import judging
from voicesim.llm.server import TIMEOUT


class Clock(StrEnum):
    """What time a call runs on."""

    live = "live"
    virtual = "virtual"


def run(
    case: Annotated[
        list[str],
        typer.Argument(
            help="Case ids, their beginnings, patterns such as 'cold-*', or files. See `voicesim list cases`."
        ),
    ],
    agent: Annotated[
        list[str],
        typer.Option(help="What to call, such as realtime, openai+ws:MODEL, or an agent file. Repeatable."),
    ],
    persona: Annotated[
        list[str] | None, typer.Option(help="A persona id or file, in place of the case's own. Repeatable.")
    ] = None,
    profile: Annotated[list[str] | None, typer.Option(help="An audio profile id or file. Repeatable.")] = None,
    repeats: Annotated[int, typer.Option(min=1, max=1000, help="How often each call is made.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first call; the next ones count up.")] = 0,
    out: Annotated[Path, typer.Option(help="Folder for recordings.")] = Path("recordings"),
    mind: Annotated[
        str, typer.Option(help="Who plays the patient: cues, openai:MODEL, a model file, script:FILE, or manual (you).")
    ] = "cues",
    judge: judging.Judges = None,
    judge_repeats: judging.Repeats = 1,
    batch: judging.Batch = False,
    judge_timeout: judging.Timeout = TIMEOUT,
    brain: Annotated[
        str | None,
        typer.Option(help="Brain of a reference agent: rules, booking, openai:MODEL or a model file."),
    ] = None,
    fault: Annotated[
        str | None, typer.Option(help="Plant a fault in a reference agent, named after the failure it is.")
    ] = None,
    whisper: Annotated[
        str, typer.Option(help="Whisper model of the transcript: base, another size, or a folder.")
    ] = "base",
    ear: Annotated[
        str, typer.Option(help="Whisper model with which the patient understands: base, or tiny.en for slow machines.")
    ] = "base",
    clock: Annotated[
        Clock, typer.Option(help="virtual: no waiting, the same bytes every time; for python: agents only.")
    ] = Clock.live,
    suite: Annotated[str | None, typer.Option(help="Name of the folder for these calls.")] = None,
    rerun_invalid: Annotated[
        int, typer.Option(min=0, max=10, help="Make an invalid call again, up to so often; every try is kept.")
    ] = 0,
    max_turns: Annotated[int, typer.Option(min=1, help="Lines of the patient after which a call ends.")] = 30,
    max_duration: Annotated[float, typer.Option(min=5, help="Seconds after which a call ends.")] = 300.0,
    sink: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Take tool reports by POST on this port (0: a free one).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, and nothing else.")] = False,
) -> None:
    """Let the patient of each CASE call each agent, and write a scorecard for every call.

    Several cases, personas, profiles and agents are all combined.

    Ends with 0 when all calls passed, 1 when a check or call failed, 3 when a call is invalid.
    """
    from voicesim.call.assembly import Order
    from voicesim.caller.minds import make_mind
    from voicesim.catalog.find import Catalogue
    from voicesim.catalog.resolve import resolve_agents
    from voicesim.catalog.tags import tag_of
    from voicesim.cli.progress import Progress, Silent, print_results
    from voicesim.judge.gate import exit_code
    from voicesim.suite.after import Result
    from voicesim.suite.plan import Plan, suite_name
    from voicesim.suite.run import run as run_suite
    from voicesim.suite.run import runner

    catalogue = Catalogue.here()
    cases = [catalogue.case(name) for name in catalogue.matching("case", case)]
    profiles = [catalogue.profile(name) for name in catalogue.matching("profile", profile or ["clean"])]
    personas = list(catalogue.matching("persona", persona or []))
    name = suite or suite_name([chosen.id for chosen in cases], datetime.now())
    orders = tuple(
        Order(
            case=chosen,
            persona=catalogue.persona(caller),
            profile=line,
            agent="",
            folder=out,
            suite=name,
            mind=mind,
            seed=seed,
            whisper=whisper,
            ear=ear,
            clock=clock.value,
            max_turns=max_turns,
            max_duration=max_duration,
        )
        for chosen in cases
        for caller in personas or [chosen.patient.persona]
        for line in profiles
    )
    panel = judging.panel(judge, judge_repeats, batch, judge_timeout)
    panel.seated()  # a judge or a mind that is not there is refused here
    for chosen in cases:
        make_mind(mind, chosen)
    agents = resolve_agents(agent)
    planted = tag_of(fault) if fault else None
    plan = Plan(orders, agents, out, repeats, panel, brain, planted, sink, rerun_invalid)
    plan.check()
    on_clock = runner(plan)
    results: list[Result] = []

    async def every_call() -> None:
        async for result in run_suite(plan, Silent() if as_json else Progress()):
            results.append(result)

    try:
        on_clock(every_call())
    finally:
        print_results(results, as_json=as_json)
    raise typer.Exit(exit_code((result.summary["gate"] for result in results), plan.total))
