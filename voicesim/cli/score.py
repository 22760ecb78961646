"""`voicesim score`: transcripts to verdicts and a score."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from voicesim.judge.model import Verdicts
    from voicesim.report.gate import Gate

_STYLES = {"hit": "green", "miss": "red", "not_applicable": "dim"}


def score(
    recordings: Annotated[list[Path], typer.Argument(help="Recording folders, or folders that hold some.")],
    judge: Annotated[str, typer.Option(help="Who judges: cues or openai:MODEL.")] = "cues",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, and nothing else.")] = False,
) -> None:
    """Judge transcribed calls by the rubric of their case, and keep the verdicts with the recording.

    Ends with 0 when every call is scored and misses no critical check, 1 when one does not, 3 when one is invalid.
    """
    from voicesim.judge.run import make_judge, score_recording
    from voicesim.recording.read import find_recordings
    from voicesim.report.gate import gate

    folders = list(dict.fromkeys(folder for path in recordings for folder in find_recordings(path)))
    judging = make_judge(judge)
    states: set[str] = set()
    rows: list[dict[str, Any]] = []
    for folder in folders:
        recording, verdicts = score_recording(folder, judging)
        state = gate(recording.manifest.validity, verdicts.score)
        states.add(state.state)
        rows.append(
            {"recording": str(folder), "gate": state.state, "gate_reason": state.reason}
            | verdicts.model_dump(mode="json")
        )
        if not as_json:
            _print(folder, verdicts, state)
    if as_json:
        typer.echo(json.dumps({"recordings": rows}, indent=2, ensure_ascii=False, allow_nan=False))
    raise typer.Exit(3 if "invalid" in states else 1 if states - {"passed"} else 0)


def _print(folder: Path, verdicts: "Verdicts", state: "Gate") -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    console.print(Text(f"{folder}  judged by {verdicts.judge}"))
    console.print(_table(verdicts))
    value = "not scored" if verdicts.score.value is None else f"score {verdicts.score.value:.2f}"
    why = f": {state.reason}" if state.reason else ""
    console.print(Text(f"{value}, {verdicts.score.coverage:.0%} of the rubric decided, {state.state}{why}\n"))


def _table(verdicts: "Verdicts") -> "Table":
    from rich.table import Table
    from rich.text import Text

    from voicesim.report.wording import visible

    table = Table("check", "group", "weight", "outcome", "quote or reason")
    for one in verdicts.verdicts:
        proof = one.evidence[0] if one.evidence else None
        said = f"{proof.utterance} at {proof.start:.1f} s: “{proof.quote}”" if proof else one.reason
        outcome = Text(one.outcome.replace("_", " "), style=_STYLES.get(one.outcome, "yellow"))
        table.add_row(Text(one.check), one.group, f"{one.weight:.2f}", outcome, Text(visible(said)))
    return table
