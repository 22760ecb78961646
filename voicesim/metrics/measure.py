"""All measures of a call."""

from voicesim.errors import RecordingError
from voicesim.metrics.cost import cost
from voicesim.metrics.floor_share import dead_air, first_word, overlap, talk, talk_ratio
from voicesim.metrics.interruptions import false_yields, interruptions
from voicesim.metrics.model import Metrics
from voicesim.metrics.summary import summarize
from voicesim.metrics.turns import turns
from voicesim.recording.read import Recording
from voicesim.transcript.model import Transcript


def measure(recording: Recording, transcript: Transcript) -> Metrics:
    """The metrics of a recording from its transcript.

    Raises RecordingError when the transcript belongs to another call.
    """
    if transcript.call_id != recording.manifest.call_id:
        raise RecordingError(
            f"{recording.folder}: its transcript is of call {transcript.call_id!r}; transcribe it again"
        )
    prices = recording.manifest.agent.content.get("prices")
    return measure_transcript(transcript).model_copy(update={"cost": cost(recording.events, prices)})


def measure_transcript(transcript: Transcript) -> Metrics:
    """The metrics of a transcript; a pure function. Definitions are in docs/measures.md."""
    every = turns(transcript)
    interrupted, warnings = interruptions(transcript)
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
        dead_air=dead_air(transcript),
        agent_talk=agent,
        caller_talk=caller,
        talk_ratio=talk_ratio(agent, caller),
        first_word=first_word(transcript),
        warnings=(*transcript.warnings, *warnings),
    )
