"""Can a call be scored at all? Decided by how it ended and by what there is of it, before any verdict counts."""

from collections.abc import Iterable
from dataclasses import dataclass

from voicesim.language.fold import fold
from voicesim.recording.events import CallerLine, Event
from voicesim.recording.manifest import EndReason, Manifest
from voicesim.transcript.model import Transcript

# The turn and time limits are the harness's own: what the agent had not said by then it could still have said.
CUT_SHORT: dict[EndReason, str] = {
    "max_turns": "the call was cut off at its limit of turns",
    "max_duration": "the call was cut off at its limit of time",
    "agent_silent": "the agent fell silent",
    "line_lost": "the line was lost",
    "harness_error": "voicesim failed in the middle of the call",
}
_SLACK = 1.0
"""Seconds that a transcript may end before the recording, or before the patient's last planned line."""


@dataclass(frozen=True)
class Fitness:
    """Why a call stays unscored (empty: it can be scored), and whether its end is known.

    In a call that is not `whole`, something not having happened proves nothing.
    """

    unscored: str
    whole: bool


def fitness(manifest: Manifest, transcript: Transcript, events: Iterable[Event] = ()) -> Fitness:
    """Scored can be a call that is valid, that one of the two sides ended, and that is transcribed to its end.

    `completed`, `caller_hung_up` and `agent_hung_up` are such ends: an agent that hangs up too early is
    judged for it.
    """
    missing = _missing(manifest, transcript, events)
    reason = _invalid(manifest) or missing
    return Fitness(unscored=reason, whole=not missing)


def _invalid(manifest: Manifest) -> str:
    validity = manifest.validity
    if validity is None or validity.valid:
        return ""
    detail = f" ({validity.detail})" if validity.detail else ""
    return f"the call is invalid: {validity.reason or 'no reason given'}{detail}"


def _missing(manifest: Manifest, transcript: Transcript, events: Iterable[Event]) -> str:
    if manifest.end_reason is None or manifest.validity is None:
        return "the call was never finished"
    detail = f" ({manifest.end_detail})" if manifest.end_detail else ""
    if manifest.end_reason in CUT_SHORT:
        return CUT_SHORT[manifest.end_reason] + detail
    if not transcript.utterances:
        return "the transcript is empty"
    if not any(fold(utterance.text) for utterance in transcript.of("agent")):
        return "the agent said nothing"
    recorded = manifest.duration or 0.0
    if transcript.duration < recorded - _SLACK:
        return f"the transcript stops at {transcript.duration:.1f} s of {recorded:.1f} s"
    last_line = max((event.start for event in events if isinstance(event, CallerLine)), default=0.0)
    heard_until = max(utterance.end for utterance in transcript.utterances)
    if last_line > heard_until + _SLACK:
        return f"the transcript stops at {heard_until:.1f} s, and the patient spoke at {last_line:.1f} s"
    return ""
