"""What a reply's time went into, where the agent tells its parts.

The parts are the agent's own word (`agent_metric` events); the whole they are held against is the latency
that was heard. What they leave open is named `unexplained`, and when they add up to more than was heard,
it is negative: then the agent counts things at once that it lists one after the other, or counts wrongly.
"""

import re
from collections.abc import Iterable, Sequence

from voicesim.metrics.model import PartName, Reply, ReplyPart, Turn
from voicesim.recording.events import AgentMetric, Event

GRACE = 0.3
"""Seconds after the reply's onset in which a number about it may still arrive."""

# In the order of the reply; of two that fit, the earlier row counts (`OpenAITTSService` is a voice).
_KINDS: tuple[tuple[PartName, re.Pattern[str]], ...] = (
    ("endpointing", re.compile(r"endpoint|end.?of.?turn|smart.?turn|\bvad\b|\beou\b", re.IGNORECASE)),
    ("speech_to_text", re.compile(r"stt|whisper|transcri|speech.?to.?text|\basr\b", re.IGNORECASE)),
    ("first_audio", re.compile(r"tts|text.?to.?speech|synthes|first.?audio", re.IGNORECASE)),
    ("model", re.compile(r"llm|think|brain|model|openai|anthropic|google|gemini|mistral", re.IGNORECASE)),
)
_ORDER: tuple[PartName, ...] = ("endpointing", "speech_to_text", "model", "first_audio")


def waterfalls(turns: Sequence[Turn], events: Iterable[Event]) -> tuple[Reply, ...]:
    """One reply for every turn with a latency about which the agent told at least one part, in order.

    A number belongs to the turn in whose wait it arrived: after the patient's last voiced sample and up to
    0.3 s after the agent's first. Of `ttfb` numbers the processor's name says which part it is. A model
    that was asked several times before the first sound counts with the sum; of the other parts the first
    voice and the last of each other kind count, since later voices and earlier transcripts hold nothing up.
    """
    metrics = [event for event in events if isinstance(event, AgentMetric) and (event.name != "processing")]
    replies = []
    for turn in turns:
        if turn.latency is None or turn.agent is None or turn.agent_start is None:
            continue
        within = [metric for metric in metrics if turn.caller_end < metric.t <= turn.agent_start + GRACE]
        parts = _parts(within)
        if parts:
            rest = round(turn.latency - sum(part.seconds for part in parts), 4)
            whole = (*parts, ReplyPart(name="unexplained", seconds=rest))
            replies.append(Reply(caller=turn.caller, agent=turn.agent, latency=turn.latency, parts=whole))
    return tuple(replies)


def kind_of(metric: AgentMetric) -> PartName | None:
    """Which part of a reply a number is about, by its name or, for `ttfb`, by the processor's name."""
    text = metric.detail if metric.name == "ttfb" else metric.name
    return next((name for name, pattern in _KINDS if pattern.search(text)), None)


def _parts(metrics: Sequence[AgentMetric]) -> tuple[ReplyPart, ...]:
    by_kind: dict[PartName, list[AgentMetric]] = {}
    for metric in metrics:
        kind = kind_of(metric)
        if kind is not None:
            by_kind.setdefault(kind, []).append(metric)
    return tuple(_part(name, by_kind[name]) for name in _ORDER if name in by_kind)


def _part(name: PartName, metrics: Sequence[AgentMetric]) -> ReplyPart:
    if name == "model":
        chosen: Sequence[AgentMetric] = metrics
    else:
        chosen = metrics[:1] if name == "first_audio" else metrics[-1:]
    detail = ", ".join(dict.fromkeys(metric.detail for metric in chosen if metric.detail))
    return ReplyPart(name=name, seconds=round(sum(metric.value for metric in chosen), 4), detail=detail)
