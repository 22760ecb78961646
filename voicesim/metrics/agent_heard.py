"""What the agent says it understood, by the patient's utterance that it is about."""

from bisect import bisect_left
from collections.abc import Sequence

from voicesim.metrics.own_words import MOST_LINES, WORD
from voicesim.recording.events import AgentHeard, Event
from voicesim.transcript.model import Utterance

_LAST = 5
"""Lines that a late transcript may be about."""
_ALIKE = 0.15
"""Likeness from which one is taken to be about a line, twice the words that both have in order over all words of both;
a quarter of a line, well understood, has 0.4."""
MOST_CHARACTERS = 2_000
"""Of one transcript, as many as are compared; nobody says more in one line."""


def by_utterance(
    events: Sequence[Event], lines: Sequence[Utterance]
) -> tuple[dict[str, list[AgentHeard]], list[AgentHeard]]:
    """The agent's own transcripts of each of the patient's lines by its id, and those that are about none.

    Matched by time where the agent tells of a turn: the line that overlaps most with it. Without a turn, of the last
    lines that began before the agent told, the one that is most alike, since a busy agent tells late; the latest where
    none is alike, as the words may be in another language. Empty when it told nothing.
    """
    ordered = sorted(lines, key=lambda line: line.start)
    starts, words = [line.start for line in ordered], [_words(line.text) for line in ordered]
    taken: dict[str, list[AgentHeard]] = {line.id: [] for line in lines}
    others: list[AgentHeard] = []
    for number, event in enumerate(event for event in events if isinstance(event, AgentHeard)):
        if event.start is not None:
            best = _overlapping(event, event.start, lines)
        else:
            before = bisect_left(starts, event.t)
            choice = range(max(0, before - _LAST), before) if number < MOST_LINES else range(before - 1, before)
            at = _most_alike(_words(event.text), words, choice) if before else None
            best = None if at is None else ordered[at]
        if best is not None:
            taken[best.id].append(event)
        elif event.text.strip():
            others.append(event)
    return taken, others


def _overlapping(event: AgentHeard, start: float, lines: Sequence[Utterance]) -> Utterance | None:
    """The line that a turn, as the agent tells it, overlaps with most."""
    end = event.end if event.end is not None else event.t
    best = max(lines, key=lambda line: min(end, line.end) - max(start, line.start), default=None)
    return best if best is not None and min(end, best.end) > max(start, best.start) else None


def _most_alike(understood: list[str], words: Sequence[list[str]], choice: range) -> int:
    """Which of some lines is most like what was told; the last of them where none is."""
    from rapidfuzz.distance import Indel

    likeness, at = max((float(Indel.normalized_similarity(understood, words[at])), at) for at in choice)
    return at if likeness >= _ALIKE else choice[-1]


def _words(text: str) -> list[str]:
    """Words, roughly: reading every figure of everything an agent tells would take too long."""
    return WORD.findall(text[:MOST_CHARACTERS].casefold())
