"""What follows a call: transcript and measures, verdicts, scorecard; each step writes its own file."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from voicesim.call.assembly import Order
from voicesim.catalog.model import Case
from voicesim.errors import RecordingError, VoicesimError
from voicesim.judge.judges import Panel
from voicesim.judge.kept import load_verdicts
from voicesim.judge.run import score_together
from voicesim.metrics.measure import measure
from voicesim.metrics.model import Metrics
from voicesim.metrics.talk_share import DEAD_AIR
from voicesim.recording import files
from voicesim.recording.manifest import Manifest, Resolved, bare_manifest
from voicesim.recording.read import open_recording
from voicesim.redact import redact
from voicesim.report.json_report import summary
from voicesim.report.write import write_scorecard
from voicesim.stt.whisper import Whisper, load_whisper
from voicesim.suite.audit import AUDIT, Audit, Listens, audit, audited
from voicesim.suite.model_audit import ModelAuditor
from voicesim.transcript.build import build
from voicesim.transcript.model import Transcript
from voicesim.transcript.sent import with_heard

_LOG = logging.getLogger("voicesim")


@dataclass(frozen=True)
class Result:
    """A call that is over: its folder, its scorecard, and what it came to (see `report.json_report.summary`).

    Without a scorecard, the summary's `gate_reason` says why there is none.
    """

    folder: Path
    scorecard: Path | None
    summary: dict[str, Any]


class Steps:
    """The steps after a call, with a Whisper model that is loaded once and judges that are made at once."""

    def __init__(self, whisper: str, panel: Panel) -> None:
        """Raises UsageError when there is no such judge, or it lacks its key."""
        self._whisper_name = whisper
        self._panel = panel
        self._judges = panel.seated()
        self._auditors: dict[str, ModelAuditor] = {}

    def finish(self, order: Order, starts: Callable[[str], None]) -> Result:
        """Transcribe, measure, judge and report one recording; `starts` is told the name of each step.

        A step that fails is told by the result: the recording is there, and the step can be repeated.
        """
        folder, step = order.folder, ""

        def begin(name: str) -> None:
            nonlocal step
            step = name
            starts(name)

        try:
            begin("transcribing")
            transcribe(folder, self._whisper)
            if order.replay is None:  # what a recorded patient says is no longer the fault of a mind
                begin("auditing the patient")
                audit_patient(folder, order.case, self._whisper, self._auditor(order.auditor))
            begin(f"judging ({', '.join(judge.name for judge in self._judges)})")
            judged = score_together(folder, self._judges, self._panel.repeats)
            begin("writing the scorecard")
            path, came_to = write_scorecard(folder, judged.verdicts.judge)
        except Exception as error:  # noqa: BLE001 - whatever it was, the other calls are made
            return unfinished(order, step, error)
        return Result(folder, path, came_to)

    def _auditor(self, spec: str) -> ModelAuditor | None:
        """The model that audits as well; None for none."""
        return self._auditors.setdefault(spec, ModelAuditor(spec)) if spec else None

    @cached_property
    def _whisper(self) -> Whisper:
        return load_whisper(self._whisper_name, threads=2)


def audit_patient(folder: Path, case: Case, whisper: Listens, model: ModelAuditor | None = None) -> Audit:
    """Write audit.json of a recording, and make its manifest say so when the patient spoiled the call."""
    recording = open_recording(folder)
    audit_result = audit(recording, case, whisper, model)
    files.save(folder, AUDIT, audit_result)
    manifest = audited(recording.manifest, audit_result)
    if manifest is not recording.manifest:
        files.save(folder, files.MANIFEST, manifest)
    return audit_result


def kept(folder: Path, judge: str) -> Result:
    """The result of a call with all that follows it, read from its folder. Raises RecordingError where it cannot be."""
    metrics, verdicts = files.load(folder, files.METRICS, Metrics), load_verdicts(folder, judge)
    summarized = summary(open_recording(folder).manifest, metrics, verdicts)
    return Result(folder, folder / files.SCORECARD, summarized)


def unfinished(order: Order, step: str, error: Exception) -> Result:
    """The result of a call in which a step failed: what is known of it, and why there is no scorecard.

    An error that nobody foresaw is logged with its traceback.
    """
    known = isinstance(error, VoicesimError)
    if not known:
        _LOG.error("%s: %s failed", order.folder.name, step, exc_info=error)
    reason = redact(str(error) if known else f"{type(error).__name__}: {error}")
    try:
        manifest = open_recording(order.folder).manifest
    except (RecordingError, OSError):
        manifest = _planned(order)
    summarized = summary(manifest, None, None)
    return Result(
        order.folder, None, summarized | {"valid": False, "gate": "invalid", "gate_reason": f"{step}: {reason}"}
    )


def _planned(order: Order) -> Manifest:
    """The manifest of a call that was never recorded."""

    def named(name: str) -> Resolved:
        return Resolved(id=name, sha256="", content={})

    names = {"case": order.case.id, "persona": order.persona.id, "profile": order.profile.id, "agent": order.agent}
    entries = {kind: named(name) for kind, name in names.items()}
    changes = {"suite": order.suite, "seed": order.seed, **entries}
    return bare_manifest(order.folder.name, order.mind, order.clock).model_copy(update=changes)


def transcribe(
    folder: Path, whisper: Whisper, language: str | None = None, dead_air_limit: float = DEAD_AIR
) -> tuple[Transcript, Metrics]:
    """Write transcript.json and metrics.json of a recording.

    `language` replaces the case's own; silence longer than `dead_air_limit` (seconds) is dead air.
    """
    recording = open_recording(folder)
    spoken = language or str(recording.manifest.case.content.get("language", "en"))
    transcript = with_heard(build(recording, whisper, spoken), recording.caller, whisper)
    metrics = measure(recording, transcript, dead_air_limit)
    files.save(folder, files.TRANSCRIPT, transcript)
    files.save(folder, files.METRICS, metrics)
    return transcript, metrics
