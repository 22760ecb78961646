"""What the agent says it understood, by the patient's utterance that it is about."""

from collections.abc import Sequence

from voicesim.language.fold import fold
from voicesim.recording.events import AgentHeard, Event
from voicesim.transcript.model import Utterance

_LAST = 5
"""Lines that a late transcript may be about."""
_ALIKE = 0.15
"""Likeness from which one is taken to be about a line; a quarter of a line, well understood, has 0.4."""


def by_utterance(
    events: Sequence[Event], lines: Sequence[Utterance]
) -> tuple[dict[str, list[AgentHeard]], list[AgentHeard]]:
    """The agent's own transcripts of each of the patient's lines by its id, and those that are about none.

    Matched by time where the agent tells of a turn: the line that overlaps most with it. Without a turn, of the last
    lines that began before the agent told, the one that is most alike, since a busy agent tells late; the latest where
    none is alike, as the words may be in another language. Empty when it told nothing.
    """
    taken: dict[str, list[AgentHeard]] = {line.id: [] for line in lines}
    others: list[AgentHeard] = []
    for event in events:
        if isinstance(event, AgentHeard):
            best = _meant(event, lines)
            if best is not None:
                taken[best.id].append(event)
            elif event.text.strip():
                others.append(event)
    return taken, others


def _meant(event: AgentHeard, lines: Sequence[Utterance]) -> Utterance | None:
    if event.start is not None:
        start, end = event.start, event.end if event.end is not None else event.t
        best = max(lines, key=lambda line: min(end, line.end) - max(start, line.start), default=None)
        return best if best is not None and min(end, best.end) > max(start, best.start) else None
    before = sorted((line for line in lines if line.start < event.t), key=lambda line: line.start)[-_LAST:]
    ranked = sorted((_likeness(event.text, line.text), line.start) for line in before)
    if not ranked:
        return None
    likeness, start = ranked[-1]
    return next(line for line in before if line.start == start) if likeness >= _ALIKE else before[-1]


def _likeness(one: str, other: str) -> float:
    """Twice the words that both have in order, over all words of both; 0 to 1."""
    from rapidfuzz.distance import Indel

    return float(Indel.normalized_similarity(fold(one), fold(other)))
