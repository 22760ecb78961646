"""What the agent says of itself beside what was heard of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from voicesim.recording.events import AgentSaid, Event
from voicesim.text.fold import tokens
from voicesim.transcript.model import Utterance

_ALIKE = 0.3
"""Share of common words from which an agent's own line counts as being about an utterance."""


@dataclass(frozen=True)
class Piece:
    """A run of words; `alone` when the other side does not have them."""

    text: str
    alone: bool


@dataclass(frozen=True)
class Pair:
    """One utterance and the agent's own line about it; either may be missing."""

    t: float
    utterance: str
    said: tuple[Piece, ...]
    heard: tuple[Piece, ...]


def pairs(events: Sequence[Event], heard: Sequence[Utterance]) -> tuple[Pair, ...]:
    """The agent's own lines matched to its utterances by their words, in time order.

    An utterance takes all lines that are most like it (an agent may report in pieces). What matches
    nothing stands alone. Empty when the agent reported nothing.
    """
    lines = [event for event in events if isinstance(event, AgentSaid) and event.text.strip()]
    if not lines:
        return ()
    taken: dict[str, list[AgentSaid]] = {one.id: [] for one in heard}
    alone = []
    for line in lines:
        best = max(heard, key=lambda one: (_likeness(line.text, one.text), -abs(one.start - line.t)), default=None)
        if best is None or _likeness(line.text, best.text) < _ALIKE:
            alone.append(Pair(line.t, "", (Piece(line.text, False),), ()))
        else:
            taken[best.id].append(line)
    matched = [_pair(one, " ".join(line.text for line in taken[one.id])) for one in heard]
    return tuple(sorted(matched + alone, key=lambda pair: pair.t))


def _words(text: str) -> list[tuple[str, str]]:
    """Each word folded for comparison, and as it is written; a sign between words goes with the one before."""
    found = tokens(text)
    if not found:
        return []
    cuts = [0, *(one.start for one in found[1:]), len(text)]
    return [(one.text, text[a:b].strip()) for one, (a, b) in zip(found, pairwise(cuts), strict=True)]


def _likeness(line: str, utterance: str) -> float:
    """Share of the shorter text's words that the other has in the same order, 0 to 1."""
    a, b = [one for one, _ in _words(line)], [one for one, _ in _words(utterance)]
    if not a or not b:
        return 0.0
    same = sum(block.size for block in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks())
    return same / min(len(a), len(b))


def _pair(utterance: Utterance, line: str) -> Pair:
    said, heard = _words(line), _words(utterance.text)
    if not said:
        return Pair(utterance.start, utterance.id, (), (Piece(utterance.text, False),))
    matcher = SequenceMatcher(None, [one for one, _ in said], [one for one, _ in heard], autojunk=False)
    left, right = [], []
    for kind, a, b, c, d in matcher.get_opcodes():
        if b > a:
            left.append(Piece(" ".join(word for _, word in said[a:b]), kind != "equal"))
        if d > c:
            right.append(Piece(" ".join(word for _, word in heard[c:d]), kind != "equal"))
    return Pair(utterance.start, utterance.id, tuple(left), tuple(right))
