"""The parts of each reply as stacked bars on one scale. Places are percent of the longest bar."""

from collections.abc import Sequence
from dataclasses import dataclass

from voicesim.metrics.model import PartName, Reply
from voicesim.report.wording import span

NAMES: dict[PartName, str] = {
    "endpointing": "end of turn",
    "speech_to_text": "speech to text",
    "model": "model",
    "first_audio": "first audio",
    "unexplained": "unexplained",
}


@dataclass(frozen=True)
class Segment:
    """One part of a bar."""

    kind: PartName
    x: float
    width: float
    title: str


@dataclass(frozen=True)
class Bar:
    """One reply. `heard` is where its latency ends; `parts` are its names and lengths in words."""

    caller: str
    agent: str
    latency: str
    heard: float
    segments: tuple[Segment, ...]
    parts: tuple[tuple[PartName, str, str], ...]


def bars(replies: Sequence[Reply]) -> tuple[Bar, ...]:
    """Lay out the replies, in order, each from 0 to the longer of its latency and the sum of its parts.

    A negative rest has no length of its own: the parts then run past the mark of the heard latency.
    """
    longest = max((_length(reply) for reply in replies), default=0.0)
    return tuple(_bar(reply, 100 / longest) for reply in replies) if longest > 0 else ()


def _length(reply: Reply) -> float:
    return max(reply.latency, sum(max(0.0, part.seconds) for part in reply.parts))


def _bar(reply: Reply, scale: float) -> Bar:
    segments, at = [], 0.0
    for part in reply.parts:
        seconds = max(0.0, part.seconds)
        detail = f" ({part.detail})" if part.detail else ""
        title = f"{NAMES[part.name]}: {span(part.seconds)}{detail}"
        segments.append(Segment(part.name, round(at * scale, 3), round(seconds * scale, 3), title))
        at += seconds
    return Bar(
        caller=reply.caller,
        agent=reply.agent,
        latency=span(reply.latency),
        heard=round(reply.latency * scale, 3),
        segments=tuple(segments),
        parts=tuple((part.name, NAMES[part.name], span(part.seconds)) for part in reply.parts),
    )
