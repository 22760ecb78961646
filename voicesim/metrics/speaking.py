"""How the agent speaks: how long at a stretch, and how fast."""

from voicesim.metrics.intervals import length
from voicesim.transcript.model import Transcript

LEAST_WORDS = 10
"""Words under which a speaking rate would say more about the few words than about the agent."""


def monologues(transcript: Transcript) -> tuple[float, ...]:
    """Seconds of each stretch in which the agent holds the floor, in order.

    It runs from the start of an agent utterance to the end of the last one before the patient takes the
    floor: before a `respond` or `stop` utterance begins. What the patient says as `ignore` ends nothing.
    """
    agent = transcript.of("agent")
    taken = [utterance.start for utterance in transcript.of("caller") if utterance.intent != "ignore"]
    stretches: list[tuple[float, float]] = []
    last_start = 0.0
    for reply in agent:
        if stretches and not any(last_start <= moment < reply.start for moment in taken):
            stretches[-1] = (stretches[-1][0], max(reply.end, stretches[-1][1]))
        else:
            stretches.append((reply.start, reply.end))
        last_start = reply.start
    return tuple(round(end - start, 4) for start, end in stretches)


def speaking_rate(transcript: Transcript) -> float | None:
    """The agent's words per minute of its own sound, pauses left out; None for fewer than ten words.

    Utterances without words (a cough, a blip) count on neither side.
    """
    spoken = [utterance for utterance in transcript.of("agent") if utterance.words]
    words = sum(len(utterance.words) for utterance in spoken)
    if words < LEAST_WORDS:
        return None
    sound = length(span for utterance in spoken for span in utterance.voiced)
    return round(60 * words / sound, 1) if sound > 0 else None
