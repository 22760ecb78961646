"""Who held the floor: talk, overlap, dead air."""

from typing import Literal

from voicesim.metrics.intervals import gaps, length, shared
from voicesim.metrics.model import DeadAir
from voicesim.transcript.model import Side, Transcript

DEAD_AIR = 3.0
"""Seconds of silence above which it is dead air."""


def talk(transcript: Transcript, side: Side) -> float:
    """Seconds in which one side sounds, its pauses left out."""
    return round(length(span for utterance in transcript.of(side) for span in utterance.voiced), 4)


def talk_ratio(agent: float, caller: float) -> float | None:
    """The agent's share of all talk: agent / (agent + caller); None when nobody spoke."""
    return round(agent / (agent + caller), 4) if agent + caller > 0 else None


def overlap(transcript: Transcript) -> float:
    """Seconds in which both sound."""
    agent = [span for utterance in transcript.of("agent") for span in utterance.voiced]
    caller = [span for utterance in transcript.of("caller") for span in utterance.voiced]
    return round(length(shared(agent, caller)), 4)


def dead_air(transcript: Transcript, limit: float = DEAD_AIR, *, completed: bool = False) -> tuple[DeadAir, ...]:
    """Stretches longer than `limit` seconds in which nobody sounds, from connection to the end.

    In a call that was completed, nobody is waited for after the last word.

    Whoever pauses inside an utterance is waited for. Between utterances it is the side that did not speak
    last; before anyone has spoken it is the agent, who was called.
    """
    voiced = [span for utterance in transcript.utterances for span in utterance.voiced]
    silences = gaps(voiced, 0.0, transcript.duration)
    return tuple(
        DeadAir(start=round(start, 4), end=round(end, 4), waiting_for=_waited_for(transcript, start, end))
        for start, end in silences
        if end - start > limit and not (completed and end >= transcript.duration)
    )


def first_word(transcript: Transcript) -> float | None:
    """Seconds from connection to the agent's first voiced sample; None when it never spoke."""
    agent = transcript.of("agent")
    return agent[0].start if agent else None


def _waited_for(transcript: Transcript, start: float, end: float) -> Literal["agent", "caller"]:
    for utterance in transcript.utterances:
        if utterance.start < start and end < utterance.end:
            return utterance.side
    before = [utterance for utterance in transcript.utterances if utterance.end <= start]
    if not before:
        return "agent"
    return "caller" if max(before, key=lambda utterance: utterance.end).side == "agent" else "agent"
