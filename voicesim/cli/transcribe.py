"""`voicesim transcribe`: recordings to transcript.json and metrics.json."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from voicesim.cli import options
from voicesim.cli.telling import echo

if TYPE_CHECKING:
    from voicesim.metrics.model import Metrics
    from voicesim.transcript.model import Transcript


def transcribe(
    recordings: options.Recordings,
    whisper: options.Whisper = "base",
    language: Annotated[
        str | None, typer.Option(help="Language code told to Whisper, in place of the case's own.")
    ] = None,
    dead_air: Annotated[float, typer.Option(min=0.5, help="Seconds of silence above which it is dead air.")] = 3.0,
    as_json: options.AsJson = False,
) -> None:
    """Write the transcript of each recording, and the measures that follow from it.

    What was there before is replaced. Ends with 2 when a recording cannot be read.
    """
    from voicesim.language.codes import language_code
    from voicesim.recording.read import find_recordings
    from voicesim.stt.whisper import load_whisper
    from voicesim.suite import after

    spoken = language_code(language) if language else None
    folders = find_recordings(*recordings)
    transcriber = load_whisper(whisper, threads=2)
    rows = []
    for folder in folders:
        transcript, metrics = after.transcribe(folder, transcriber, spoken, dead_air)
        rows.append(_row(folder, transcript, metrics))
        if not as_json:
            echo(_line(rows[-1]))
    if as_json:
        echo(json.dumps({"recordings": rows}, indent=2, ensure_ascii=False), is_json=True)


def _row(folder: Path, transcript: "Transcript", metrics: "Metrics") -> dict[str, Any]:
    return {
        "recording": str(folder),
        "duration": transcript.duration,
        "agent_utterances": len(transcript.of("agent")),
        "patient_utterances": len(transcript.of("caller")),
        "median_latency": metrics.response_latency.median,
        "cut_ins": metrics.cut_ins,
        "warnings": list(metrics.warnings),
    }


def _line(row: dict[str, Any]) -> str:
    latency = row["median_latency"]
    return (
        f"{row['recording']}: {row['duration']:.1f} s, {row['agent_utterances']} agent and "
        f"{row['patient_utterances']} patient utterances, median latency "
        f"{'not measured' if latency is None else f'{latency * 1000:.0f} ms'}"
        + "".join(f"\n  warning: {warning}" for warning in row["warnings"])
    )
