"""The Python API for recordings that there are: import, replay, redact, export, and a case out of a call.

Everything here is also reachable as `voicesim.NAME`; see docs/python.md.
"""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

from voicesim.api import AnyRecording, CallResult
from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import Case
from voicesim.errors import RecordingError, UsageError
from voicesim.judge.judges import Panel
from voicesim.judge.kept import load_verdicts
from voicesim.language.personal import Entity
from voicesim.metrics.model import Metrics
from voicesim.recording import files
from voicesim.recording.import_call import ImportOrder
from voicesim.recording.import_call import import_call as imported
from voicesim.recording.read import Recording, open_recording
from voicesim.report.export import Form
from voicesim.report.export import export as exported
from voicesim.suite.after import Result
from voicesim.suite.draft_case import draft_case as drafted
from voicesim.suite.replay import ReplayOptions
from voicesim.suite.replay_plan import replay_plan, wanted_order
from voicesim.suite.run import run
from voicesim.suite.watcher import Quiet
from voicesim.transcript.model import Transcript
from voicesim.transcript.redaction import Wanted
from voicesim.transcript.redaction import redact_recording as redacted


def import_recording(
    sound: str | Path | tuple[str | Path, str | Path],
    case: Case | str | Path,
    folder: str | Path,
    *,
    caller: Literal["left", "right"] = "left",
    events: str | Path | None = None,
    split: bool = False,
    repair: bool = False,
) -> Recording:
    """Make a recording of a call from outside: a stereo file, or the patient's mono file and the agent's.

    `events` is an export of Twilio, Retell, Vapi or LiveKit. With `split` a mono mix is taken and its speakers are told
    apart, which is uncertain. Transcribe and score it like any other. Raises RecordingError for sound or events that
    cannot be taken, UsageError where something is in the folder already.
    """
    paths = tuple(map(Path, sound)) if isinstance(sound, tuple) else (Path(sound),)
    chosen = case if isinstance(case, Case) else Catalogue.here().case(str(case))
    order = ImportOrder(
        paths, chosen, Path(folder), caller, Path(events) if events else None, split=split, repair=repair
    )
    imported(order)
    return open_recording(order.folder)


def replay_recording(
    recording: AnyRecording,
    agent: str | Path,
    *,
    mode: Literal["turns", "clock", "exact"] = "turns",
    on_divergence: Literal["stop", "go_on", "hand_over"] = "go_on",
    sent: bool = False,
    judge: str | Sequence[str] = "cues",
    clock: Literal["live", "virtual"] = "live",
    out: str | Path = "recordings",
    whisper: str = "base",
    ear: str = "base",
) -> CallResult:
    """Let the patient of a recording call an agent: the same words in the same voice.

    `mode`: each line when the agent has finished, when it came, or then with the recorded line's effects.
    `sent` takes the patient's sound as it was sent. Blocking. Raises UsageError and CatalogueError for what is not
    there, RecordingError where the call left nothing that could be judged.
    """
    folder = Path(out) / f"{datetime.now():%Y%m%d-%H%M%S-%f}-replay"
    judges = (judge,) if isinstance(judge, str) else tuple(judge)
    plan = replay_plan(
        [_folder(recording)],
        [str(agent)],
        ReplayOptions(mode=mode, on_divergence=on_divergence, sent=sent),
        wanted_order(folder, clock=clock, whisper=whisper, ear=ear),
        Panel(judges),
        at_once=1,
    )
    watcher = Quiet()
    run(plan, watcher)
    return _result(next(iter(watcher.results.values())))


def _result(result: Result) -> CallResult:
    if result.scorecard is None:
        raise RecordingError(f"{result.folder}: {result.summary['gate_reason']}")
    manifest = open_recording(result.folder).manifest
    transcript = files.load(result.folder, files.TRANSCRIPT, Transcript)
    metrics = files.load(result.folder, files.METRICS, Metrics)
    return CallResult(result.folder, manifest, transcript, metrics, load_verdicts(result.folder), result.scorecard)


def redact_recording(
    recording: AnyRecording,
    out: str | Path,
    *,
    words: Sequence[str] = (),
    entities: Sequence[Entity] = (),
    sound: Literal["silence", "tone"] = "silence",
) -> Recording:
    """Copy a recording without some words or kinds of personal details, in sound and in every text.

    The original is untouched. Raises UsageError where there is nothing to take out, or no transcript yet.
    """
    redacted(_folder(recording), Path(out), Wanted(tuple(words), tuple(entities), sound))
    return open_recording(Path(out))


def export_recordings(recordings: Sequence[AnyRecording], form: Form, out: str | Path) -> list[Path]:
    """Write recordings as wav, srt, vtt, rttm or md, a file each, or as jsonl or parquet tables over all of them."""
    return exported([_folder(recording) for recording in recordings], form, Path(out))


def draft_case(recording: AnyRecording, case_id: str) -> str:
    """A case out of a call, as YAML text for a person to read: personal details are replaced, and listed.

    Raises UsageError for a recording without a transcript, and for one in which the patient says nothing.
    """
    if not case_id:
        raise UsageError("a case needs an id")
    return drafted(_folder(recording), case_id)


def _folder(recording: AnyRecording) -> Path:
    return recording.folder if isinstance(recording, Recording) else Path(recording)
