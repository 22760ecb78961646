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
    taken = [one.start for one in transcript.of("caller") if one.intent != "ignore"]
    stretches: list[tuple[float, float]] = []
    last_start = 0.0
    for one in agent:
        if stretches and not any(last_start <= moment < one.start for moment in taken):
            stretches[-1] = (stretches[-1][0], max(one.end, stretches[-1][1]))
        else:
            stretches.append((one.start, one.end))
        last_start = one.start
    return tuple(round(end - start, 4) for start, end in stretches)


def speaking_rate(transcript: Transcript) -> float | None:
    """The agent's words per minute of its own sound, pauses left out; None for fewer than ten words.

    Utterances without words (a cough, a blip) count on neither side.
    """
    spoken = [one for one in transcript.of("agent") if one.words]
    words = sum(len(one.words) for one in spoken)
    if words < LEAST_WORDS:
        return None
    sound = length(span for one in spoken for span in one.voiced)
    return round(60 * words / sound, 1) if sound > 0 else None
