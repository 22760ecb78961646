"""The `voicesim` command: imports a command only when it is called, and ends every failure in one place."""

import importlib
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from voicesim import __version__
from voicesim.errors import HarnessError, VoicesimError
from voicesim.redact import redact

# name -> (module:function or module:typer app, the line in `voicesim --help`). Imported when called.
Commands = tuple[tuple[str, str, str], ...]
COMMANDS: Commands = (
    ("init", "voicesim.cli.init:init", "Write a small project of your own that runs as it is."),
    ("run", "voicesim.cli.run:run", "Call an agent, then transcribe, measure, score and report."),
    ("import", "voicesim.cli.importing:import_", "Make recordings of calls from outside: sound files, with exports."),
    ("suite", "voicesim.cli.suite:suite", "Make the calls of a suite file, side by side; go on where it was stopped."),
    ("load", "voicesim.cli.load:load", "Call one agent with more and more calls at once."),
    ("results", "voicesim.cli.results:results", "Tell what a suite came to: thresholds, JSON, CSV, JUnit, Markdown."),
    ("sweep", "voicesim.cli.sweep:sweep", "Call an agent at every value of an axis: noise, loss, accent, voice, line."),
    ("replay", "voicesim.cli.replay:replay", "Let the patient of a recording call another agent."),
    ("transcribe", "voicesim.cli.transcribe:transcribe", "Write the transcript and the measures of recordings."),
    ("score", "voicesim.cli.score:score", "Judge recordings by their transcripts."),
    ("judge-eval", "voicesim.cli.judge_eval:judge_eval", "Examine judges on labels of which is known what is right."),
    ("label", "voicesim.cli.label:label", "Go through verdicts and say which are right."),
    ("sample", "voicesim.cli.sample:sample", "Draw calls for people to label; show how they agree with the judge."),
    ("reflect", "voicesim.cli.reflect:reflect", "Propose a better wording of disputed checks, as a diff."),
    ("report", "voicesim.cli.report:report", "Write the scorecards of recordings."),
    ("draft-case", "voicesim.cli.draft_case:draft_case", "Draft a case from a call, for a person to read."),
    ("redact", "voicesim.cli.redact:redact", "Copy a recording without some words, in sound and in text."),
    ("export", "voicesim.cli.export:export", "Write recordings as WAV, SRT, VTT, RTTM, Markdown, JSONL or Parquet."),
    ("compare", "voicesim.cli.compare:compare", "Compare agents by the same patients: what differs, and how sure."),
    ("check", "voicesim.cli.check:check", "Validate cases, personas, audio profiles, agent and model files."),
    ("schema", "voicesim.cli.schema:schema", "Print the JSON Schema of cases, personas and other files, for editors."),
    ("doctor", "voicesim.cli.doctor:doctor", "Connect to an agent, exchange two seconds of sound, tell what is there."),
    ("open", "voicesim.cli.open:open_scorecard", "Open the newest scorecard in the browser."),
    ("say", "voicesim.cli.say:say", "Hear a line in a persona's voice, over an audio profile."),
    ("list", "voicesim.cli.listing:listing", "Show cases, agents, personas, profiles, judges, faults and the rest."),
    ("agent", "voicesim.cli.agent:app", "Serve a reference agent."),
    ("studio", "voicesim.cli.studio:studio", "Run visits, watch, hear and review them in the browser."),
    ("rubric", "voicesim.cli.rubric:app", "Draft rubrics from evidence; score, rank and refine answers by them."),
    ("selftest", "voicesim.cli.selftest:app", "Measure how exact voicesim is on this machine."),
)


class _Group(TyperGroup):
    """Lists commands without importing them, and turns what goes wrong into a message and an exit code."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        if name is not None and name in ctx.obj:
            command = _loaded(name, ctx.obj[name])
        return name, command, rest

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except VoicesimError as error:
            _tell(str(error))
            raise typer.Exit(error.exit_code) from error
        except KeyboardInterrupt as error:
            _tell("interrupted")
            raise typer.Exit(130) from error
        except BrokenPipeError:
            raise
        except OSError as error:
            _tell(f"the system refused: {error}")
            raise typer.Exit(HarnessError.exit_code) from error


def _tell(message: str) -> None:
    from voicesim.cli.telling import echo  # what went wrong may be told in an agent's words

    echo(f"voicesim: {redact(message)}", err=True)


def _loaded(name: str, target: str) -> Any:
    module, _, attribute = target.partition(":")
    command: Callable[..., Any] | typer.Typer = getattr(importlib.import_module(module), attribute)
    if isinstance(command, typer.Typer):
        return typer.main.get_group(command)
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    alone.command(name)(command)
    return typer.main.get_command(alone)


def _listed() -> None:
    """Stands for a command in the list of commands; the command itself is imported when it is called."""


def _version(wanted: bool) -> None:
    if wanted:
        from voicesim.cli.telling import echo

        echo(f"voicesim {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """The patient who calls: real audio calls to a voice agent, recorded, measured and scored with evidence.

    Exit codes: 0 passed, 1 a check or threshold failed, 2 usage or catalogue error, 3 harness invalid.
    """


def build(commands: Commands = COMMANDS) -> typer.Typer:
    """The whole command line as a typer app."""
    app = typer.Typer(
        cls=_Group,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={
            "help_option_names": ["-h", "--help"],
            "obj": {name: target for name, target, _ in commands},
        },
    )
    app.callback()(_options)
    for name, _, line in commands:
        app.command(name, help=line)(_listed)
    return app


def _interrupt(number: int, frame: object) -> NoReturn:
    """SIGTERM is told and cleaned up after as Ctrl-C is; a second one ends the process at once."""
    signal.signal(number, signal.SIG_DFL)
    raise KeyboardInterrupt


def main() -> None:
    """Entry point of the `voicesim` script; ends the process with the exit code of what happened.

    A fault of voicesim's own ends in 3 with its traceback: 1 would read as a verdict about the agent.
    """
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        sys.exit(build()(prog_name="voicesim"))
    except Exception as error:
        traceback.print_exc()
        raise SystemExit(HarnessError.exit_code) from error
