"""`voicesim run`: call an agent, then transcribe, measure, score and report."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from voicesim.cli import judging, options
from voicesim.llm.server import TIMEOUT


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
    out: options.Out = Path("recordings"),
    mind: Annotated[
        str, typer.Option(help="Who plays the patient: cues, openai:MODEL, a model file, script:FILE, or manual (you).")
    ] = "cues",
    auditor: Annotated[
        str, typer.Option(help="A model that audits the patient after each call as well: openai:MODEL or a model file.")
    ] = "",
    judge: judging.Judges = None,
    judge_repeats: judging.Repeats = 1,
    batch: judging.Batch = False,
    judge_timeout: judging.Timeout = TIMEOUT,
    brain: options.Brain = None,
    fault: Annotated[
        str | None, typer.Option(help="Plant a fault in a reference agent, named after the failure it is.")
    ] = None,
    whisper: Annotated[
        str, typer.Option(help="Whisper model of the transcript: base, another size, or a folder.")
    ] = "base",
    ear: options.Ear = "base",
    clock: options.On = options.Clock.live,
    suite: options.Suite = None,
    rerun_invalid: Annotated[
        int, typer.Option(min=0, max=10, help="Make an invalid call again, up to so often; every try is kept.")
    ] = 0,
    at_once: options.AtOnce = None,
    max_turns: options.MaxTurns = 30,
    max_duration: options.MaxDuration = 300.0,
    sink: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Take tool reports by POST on this port (0: a free one).")
    ] = None,
    listen: Annotated[
        bool, typer.Option("--listen", help="Wait for the call of a sip: agent, do not call it.")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Let the patient of each CASE call each agent, and write a scorecard for every call.

    Several cases, personas, profiles and agents are all combined.

    Ends with 0 when all calls passed, 1 when a check or call failed, 3 when a call is invalid.
    """
    from voicesim.catalog.find import Catalogue
    from voicesim.catalog.suite_file import CallLimits, SuiteFile
    from voicesim.catalog.tags import tag_of
    from voicesim.cli.calling import make_calls
    from voicesim.suite.asked import plan_of
    from voicesim.suite.plan import suite_folder, suite_name

    catalogue = Catalogue.here()
    names = catalogue.matching("case", case)
    if listen:
        from voicesim.transports.sip import listening

        agent = [listening(name) for name in agent]
    asked = SuiteFile.model_construct(
        cases=names,
        personas=tuple(persona or ("own",)),
        profiles=tuple(profile or ("clean",)),
        agents=tuple(agent),
        repeats=repeats,
        seed=seed,
        mind=mind,
        auditor=auditor,
        whisper=whisper,
        ear=ear,
        clock=clock.value,
        limits=CallLimits(max_turns=max_turns, max_duration=max_duration),
        at_once=at_once or (1 if clock is options.Clock.virtual else None),
        rerun_invalid=rerun_invalid,
    )
    name = suite if suite is not None else suite_name([catalogue.case(chosen).id for chosen in names], datetime.now())
    plan = plan_of(
        asked,
        catalogue,
        suite_folder(out, name),
        judging.panel(judge, judge_repeats, batch, judge_timeout),
        brain=brain,
        fault=tag_of(fault) if fault else None,
        tool_report_port=sink,
        adds=True,
    )
    make_calls(plan, as_json=as_json)
