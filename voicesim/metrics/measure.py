"""All measures of a call."""

from collections.abc import Sequence

from pydantic import ValidationError

from voicesim.catalog.model import Case
from voicesim.errors import RecordingError
from voicesim.metrics.cost import cost
from voicesim.metrics.glitches import glitches
from voicesim.metrics.harness_delay import harness_late, timed, timed_interruptions, timed_turns, told
from voicesim.metrics.interruptions import false_yields, interruptions
from voicesim.metrics.model import Metrics
from voicesim.metrics.own_words import never_heard
from voicesim.metrics.speaking import monologues, speaking_rate
from voicesim.metrics.summary import summarize
from voicesim.metrics.talk_share import DEAD_AIR, dead_air, first_word, overlap, talk, talk_ratio
from voicesim.metrics.turns import turns, with_farewell, with_first_bytes
from voicesim.metrics.urgency import urgency
from voicesim.metrics.waterfall import waterfalls
from voicesim.recording.events import Event, Hangup
from voicesim.recording.manifest import Manifest
from voicesim.recording.read import Recording
from voicesim.transcript.model import Transcript


def measure(recording: Recording, transcript: Transcript, dead_air_limit: float = DEAD_AIR) -> Metrics:
    """The metrics of a recording from its transcript; dead air is silence longer than the limit (seconds).

    Raises RecordingError when the transcript belongs to another call.
    """
    if transcript.call_id != recording.manifest.call_id:
        raise RecordingError(
            f"{recording.folder}: its transcript is of call {transcript.call_id!r}; transcribe it again"
        )
    metrics = measure_transcript(transcript, recording.events, case_of(recording.manifest), dead_air_limit)
    prices = recording.manifest.agent.content.get("prices")
    return metrics.model_copy(
        update={"glitches": glitches(transcript, recording.agent), "cost": cost(recording.events, prices)}
    )


def measure_transcript(
    transcript: Transcript, events: Sequence[Event] = (), case: Case | None = None, dead_air_limit: float = DEAD_AIR
) -> Metrics:
    """The metrics that need no sound; a pure function. Definitions are in docs/measures.md."""
    late = harness_late(events)
    completed = any(isinstance(event, Hangup) and event.reason == "completed" for event in events)
    every = with_first_bytes(timed_turns(turns(transcript), transcript, late), events)
    every = with_farewell(every) if completed else every
    found, warnings = interruptions(transcript)
    interrupted = timed_interruptions(found, late)
    agent, caller = talk(transcript, "agent"), talk(transcript, "caller")
    return Metrics(
        call_id=transcript.call_id,
        duration=transcript.duration,
        response_latency=summarize(turn.latency for turn in every if turn.latency is not None),
        turns=every,
        cut_ins=sum(turn.outcome == "cut_in" for turn in every),
        interruptions=interrupted,
        false_yields=false_yields(transcript),
        overlap=overlap(transcript),
        dead_air=dead_air(transcript, dead_air_limit, completed=completed),
        agent_talk=agent,
        caller_talk=caller,
        talk_ratio=talk_ratio(agent, caller),
        first_word=timed(first_word(transcript), late),
        dead_air_limit=dead_air_limit,
        monologues=summarize(monologues(transcript)),
        speaking_rate=speaking_rate(transcript),
        urgency=urgency(transcript, case),
        replies=waterfalls(every, events),
        never_heard=never_heard(transcript, events),
        warnings=(*transcript.warnings, *warnings, *told(every, interrupted)),
    )


def case_of(manifest: Manifest) -> Case | None:
    """The case as it was called; None for a recording of none (an import, say)."""
    try:
        return Case.model_validate(manifest.case.content)
    except ValidationError:
        return None
