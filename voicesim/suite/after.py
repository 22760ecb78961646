"""What follows a call: transcript and measures, verdicts, scorecard; each step writes its own file."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from voicesim.judge.run import Panel, score_together
from voicesim.metrics.measure import measure
from voicesim.metrics.model import Metrics
from voicesim.metrics.talk_share import DEAD_AIR
from voicesim.recording import files
from voicesim.recording.read import open_recording
from voicesim.report.write import write_scorecard
from voicesim.stt.whisper import Whisper, load_whisper
from voicesim.transcript.build import build
from voicesim.transcript.model import Transcript


@dataclass(frozen=True)
class Result:
    """A finished call: its folder, its scorecard, and what it came to (see `report.json_report.summary`)."""

    folder: Path
    scorecard: Path
    summary: dict[str, Any]


class Steps:
    """The steps after a call, with a Whisper model that is loaded once and judges that are made at once."""

    def __init__(self, whisper: str, panel: Panel) -> None:
        """Raises UsageError when there is no such judge, or it lacks its key."""
        self._whisper_name = whisper
        self._panel = panel
        self._judges = panel.seated()

    def finish(self, folder: Path, told: Callable[[str], None]) -> Result:
        """Transcribe, measure, judge and report one recording; `told` hears the name of each step."""
        told("transcribing")
        transcribe(folder, self._whisper)
        told(f"judging ({', '.join(judge.name for judge in self._judges)})")
        judged = score_together(folder, self._judges, self._panel.repeats)
        told("writing the scorecard")
        path, summary = write_scorecard(folder, judged.verdicts.judge)
        return Result(folder, path, summary)

    @cached_property
    def _whisper(self) -> Whisper:
        return load_whisper(self._whisper_name, threads=2)


def transcribe(
    folder: Path, whisper: Whisper, language: str | None = None, dead_air_limit: float = DEAD_AIR
) -> tuple[Transcript, Metrics]:
    """Write transcript.json and metrics.json of a recording.

    `language` replaces the case's own; silence longer than `dead_air_limit` (seconds) is dead air.
    """
    recording = open_recording(folder)
    told = language or str(recording.manifest.case.content.get("language", "en"))
    transcript = build(recording, whisper, told)
    metrics = measure(recording, transcript, dead_air_limit)
    files.save(folder, files.TRANSCRIPT, transcript)
    files.save(folder, files.METRICS, metrics)
    return transcript, metrics
