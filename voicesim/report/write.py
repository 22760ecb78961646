"""From a recording's folder to its scorecard, out of the files that the steps before left there."""

from pathlib import Path
from typing import Any

from voicesim.errors import UsageError
from voicesim.judge.kept import load_verdicts
from voicesim.metrics.model import Metrics
from voicesim.recording import files
from voicesim.recording.case import case_of
from voicesim.recording.read import open_recording
from voicesim.report.json_report import summary
from voicesim.report.scorecard import scorecard
from voicesim.transcript.model import Transcript


def write_scorecard(folder: Path, judge: str | None = None) -> tuple[Path, dict[str, Any]]:
    """Write scorecard.html in one step; returns its path and the summary of the call. Raises as `card_of` does."""
    path = folder / files.SCORECARD
    page, of_the_call = card_of(folder, judge)
    files.write_text(path, page)
    return path, of_the_call


def card_of(folder: Path, judge: str | None = None) -> tuple[str, dict[str, Any]]:
    """The scorecard as HTML text, and the summary of the call.

    `judge` names whose verdicts are shown; None takes the newest. Raises RecordingError when the recording
    or one of its files cannot be read, UsageError when a step before this one has not been run, and
    CatalogueError when the manifest's case is none.
    """
    recording = open_recording(folder)
    for name in (files.TRANSCRIPT, files.METRICS):
        if not (folder / name).is_file():
            raise UsageError(f"{folder}: no {name} yet; run `voicesim transcribe {folder}` first")
    verdicts = load_verdicts(folder, judge)
    transcript = files.load(folder, files.TRANSCRIPT, Transcript)
    metrics = files.load(folder, files.METRICS, Metrics)
    case_of(recording.manifest)  # what the page tells of the case is known to have the form of one
    return scorecard(recording, transcript, metrics, verdicts), summary(recording.manifest, metrics, verdicts)
