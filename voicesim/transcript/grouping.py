"""Stretches of agent speech to utterances: which pauses belong to a reply, and which sounds are no reply.

Two stretches are one utterance when the pause between them is at most 1.0 s and the caller is silent in
it, or at most 0.5 s and no caller utterance ends in it. So a reply of two sentences is one reply, an agent
that talks on over the caller is one reply, and what it says after the caller has finished is a new one.

A stretch shorter than 150 ms that follows agent speech within 1.0 s, with no agent speech in the 0.5 s
after it and no caller utterance ending in between, is the tail of a reply that was cut off: it is left out.
"""

from collections.abc import Sequence

Spans = tuple[tuple[float, float], ...]

REPLY_PAUSE = 1.0
SHORT_PAUSE = 0.5
BLIP = 0.15


def group(
    spans: Sequence[tuple[float, float]], caller: Sequence[tuple[float, float]], pause: float = REPLY_PAUSE
) -> tuple[Spans, ...]:
    """Speech spans of the agent, in order, to the voiced spans of each of its utterances (all in seconds).

    `caller` are the spans of the caller's utterances. `pause` is the longest one within an utterance.
    """
    utterances: list[list[tuple[float, float]]] = []
    for span in without_tails(spans, caller):
        if utterances and _same_reply(utterances[-1][-1][1], span[0], caller, pause):
            utterances[-1].append(span)
        else:
            utterances.append([span])
    return tuple(tuple(utterance) for utterance in utterances)


def without_tails(
    spans: Sequence[tuple[float, float]], caller: Sequence[tuple[float, float]]
) -> list[tuple[float, float]]:
    """The spans that are no tail of a reply that was cut off."""
    replies: list[tuple[float, float]] = []
    for n, (start, end) in enumerate(spans):
        follows = (
            bool(replies) and start - replies[-1][1] <= REPLY_PAUSE and not _ends_in(replies[-1][1], start, caller)
        )
        leads = n + 1 < len(spans) and spans[n + 1][0] - end <= SHORT_PAUSE
        if end - start >= BLIP or not follows or leads:
            replies.append((start, end))
    return replies


def _same_reply(pause_start: float, pause_end: float, caller: Sequence[tuple[float, float]], longest: float) -> bool:
    pause = pause_end - pause_start
    if pause <= SHORT_PAUSE:
        return not _ends_in(pause_start, pause_end, caller)
    return pause <= longest and not any(start < pause_end and end > pause_start for start, end in caller)


def _ends_in(first: float, last: float, caller: Sequence[tuple[float, float]]) -> bool:
    return any(first <= end <= last for _, end in caller)
