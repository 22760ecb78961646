"""`voicesim replay`: the recorded patient calls another agent."""

from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from voicesim.cli import judging, options
from voicesim.llm.server import TIMEOUT

if TYPE_CHECKING:
    from voicesim.caller.recorded import OnDivergence as Action


class Mode(StrEnum):
    """When the recorded patient speaks."""

    turns = "turns"
    clock = "clock"
    exact = "exact"


class Sound(StrEnum):
    """Which of the patient's recorded sounds is used."""

    clean = "clean"
    sent = "sent"


class OnDivergence(StrEnum):
    """What to do where the recorded patient's next line no longer fits."""

    stop = "stop"
    go_on = "go-on"
    hand_over = "hand-over"


def replay(
    recording: options.Recordings,
    agent: Annotated[list[str], typer.Option(help="What to call; as of `voicesim run`. Repeatable.")],
    mode: Annotated[
        Mode,
        typer.Option(
            help="turns: each line when the agent has finished; clock: when it came; exact: with the recorded line."
        ),
    ] = Mode.turns,
    on_divergence: Annotated[
        OnDivergence, typer.Option(help="What to do where the agent asks or says what the next line does not answer.")
    ] = OnDivergence.go_on,
    sound: Annotated[Sound, typer.Option(help="The patient's clean voice, or as the recorded line sent it.")] = (
        Sound.clean
    ),
    profile: Annotated[str | None, typer.Option(help="An audio profile in place of the recorded one.")] = None,
    mind: Annotated[str, typer.Option(help="Who goes on where the replay hands over: cues or openai:MODEL.")] = "cues",
    meaning: Annotated[
        str, typer.Option(help="A model that tells divergence by meaning, beside the case's facts: openai:MODEL.")
    ] = "",
    judge: judging.Judges = None,
    judge_repeats: judging.Repeats = 1,
    batch: judging.Batch = False,
    judge_timeout: judging.Timeout = TIMEOUT,
    brain: options.Brain = None,
    fault: Annotated[str | None, typer.Option(help="Plant a fault in a reference agent.")] = None,
    whisper: options.Whisper = "base",
    ear: options.Ear = "base",
    clock: options.On = options.Clock.live,
    out: options.Out = Path("recordings"),
    suite: options.Suite = None,
    at_once: options.AtOnce = None,
    max_turns: options.MaxTurns = 30,
    max_duration: options.MaxDuration = 300.0,
    as_json: options.AsJson = False,
) -> None:
    """Let the patient of each RECORDING call each agent: the same words, in the same voice.

    Where the agent asks or says something that the next line does not answer, the place is marked as a divergence.
    A call from outside has to be transcribed first. Exit codes are those of `voicesim run`.
    """
    from voicesim.catalog.find import Catalogue
    from voicesim.catalog.tags import tag_of
    from voicesim.cli.calling import make_calls
    from voicesim.recording.read import find_recordings
    from voicesim.suite.plan import suite_folder
    from voicesim.suite.replay import ReplayOptions
    from voicesim.suite.replay_plan import replay_plan, wanted_order

    how = ReplayOptions(
        mode=mode.value,
        on_divergence=cast("Action", on_divergence.name),
        sent=sound is Sound.sent,
        profile=Catalogue.here().profile(profile) if profile else None,
        meaning=meaning,
    )
    folder = suite_folder(out, suite or f"{datetime.now():%Y%m%d-%H%M%S}-replay")
    wanted = wanted_order(
        folder,
        mind=mind,
        whisper=whisper,
        ear=ear,
        clock=clock.value,
        max_turns=max_turns,
        max_duration=max_duration,
    )
    panel = judging.panel(judge, judge_repeats, batch, judge_timeout)
    plan = replay_plan(
        find_recordings(*recording),
        agent,
        how,
        wanted,
        panel,
        brain=brain,
        fault=tag_of(fault) if fault else None,
        at_once=at_once or (1 if clock is options.Clock.virtual else None),
    )
    make_calls(plan, as_json=as_json)
