"""All measures of a call: every row of the table of measures, asked in turn."""

import json
from collections.abc import Sequence
from typing import Any

from pydantic_core import to_jsonable_python

from voicesim.catalog.model import Case
from voicesim.errors import CatalogueError, RecordingError
from voicesim.metrics import reply_time
from voicesim.metrics.base import Measure, MeasuredCall
from voicesim.metrics.harness_delay import told
from voicesim.metrics.model import Metrics
from voicesim.metrics.talk_share import DEAD_AIR
from voicesim.recording.case import case_of
from voicesim.recording.events import Event
from voicesim.recording.read import Recording
from voicesim.registry import MEASURES
from voicesim.transcript.model import Transcript


def measure(recording: Recording, transcript: Transcript, dead_air_limit: float = DEAD_AIR) -> Metrics:
    """The metrics of a recording from its transcript; dead air is silence longer than the limit (seconds).

    Raises RecordingError when the transcript belongs to another call.
    """
    if transcript.call_id != recording.manifest.call_id:
        raise RecordingError(
            f"{recording.folder}: its transcript is of call {transcript.call_id!r}; transcribe it again"
        )
    return measure_call(
        MeasuredCall(
            transcript,
            recording.events,
            _case(recording),
            recording.agent,
            recording.manifest.agent.content.get("prices"),
            dead_air_limit,
            recording.clean if recording.has_clean else None,
            recording.caller,
            recording.manifest.profile.content,
        )
    )


def measure_transcript(
    transcript: Transcript, events: Sequence[Event] = (), case: Case | None = None, dead_air_limit: float = DEAD_AIR
) -> Metrics:
    """The metrics of a transcript without its sound."""
    return measure_call(MeasuredCall(transcript, tuple(events), case, dead_air_limit=dead_air_limit))


def measure_call(call: MeasuredCall) -> Metrics:
    """Every measure of the table, and the warnings of all; a pure function. Definitions are in docs/measures.md."""
    own: dict[str, Any] = {}
    others: dict[str, Any] = {}
    failed: list[str] = []
    for name in MEASURES:
        if name in Metrics.model_fields:
            own[name] = _function(name)(call)
        else:
            others[name], problem = _of_another_package(name, call)
            failed += [problem] if problem else []
    return Metrics(
        call_id=call.transcript.call_id,
        duration=call.transcript.duration,
        dead_air_limit=call.dead_air_limit,
        warnings=(
            *call.transcript.warnings,
            *call.interruption_warnings,
            *told(call.turns, call.interruptions),
            *reply_time.told(own.get("reply_time")),
            *failed,
        ),
        others=others,
        **own,
    )


def _function(name: str) -> Measure:
    function: Measure = MEASURES.load(name)
    return function


def _of_another_package(name: str, call: MeasuredCall) -> tuple[Any, str]:
    """What a measure gives as plain data, and ""; None and why, where it fails or JSON cannot hold what it gives."""
    try:
        plain = to_jsonable_python(_function(name)(call))
        json.dumps(plain, allow_nan=False)
    except Exception as error:  # noqa: BLE001 - their code, which must not cost the measures of a whole call
        return None, f"the measure {name!r} failed: {type(error).__name__}: {error}"
    return plain, ""


def _case(recording: Recording) -> Case | None:
    """The case as it was called; None for a recording of none (an import, say)."""
    try:
        return case_of(recording.manifest)
    except CatalogueError:
        return None
