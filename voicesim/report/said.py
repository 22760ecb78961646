"""What the agent says of itself, and of the patient, beside what the recording says."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise

from voicesim.recording.events import AgentHeard, AgentSaid, Event, Unheard
from voicesim.text.fold import tokens
from voicesim.transcript.model import Utterance

_ALIKE = 0.3
"""Share of common words from which an agent's own line counts as being about an utterance."""


@dataclass(frozen=True)
class Piece:
    """A run of words; `alone` when the other side does not have them, `unheard` when they were taken back."""

    text: str
    alone: bool
    unheard: bool = False


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
    nothing stands alone, and what was taken back before it was heard stands behind its line. Empty when the
    agent reported nothing.
    """
    lines = list(_heard_lines(events))
    if not lines:
        return ()
    taken: dict[str, list[_Line]] = {one.id: [] for one in heard}
    alone = []
    for line in lines:
        best = max(heard, key=lambda one: (_likeness(line.text, one.text), -abs(one.start - line.t)), default=None)
        if best is None or _likeness(line.text, best.text) < _ALIKE:
            alone.append(Pair(line.t, "", (*_whole(line.text), *line.rest), ()))
        else:
            taken[best.id].append(line)
    return _in_order(alone, [_pair(one, taken[one.id]) for one in heard])


def heard_pairs(events: Sequence[Event], lines: Sequence[Utterance]) -> tuple[Pair, ...]:
    """What the agent understood of the patient (`said`) beside the patient's lines (`heard`), in time order.

    Matched by time, as the words may be in another language: the line that overlaps most with the turn the
    agent tells of; without a turn, the latest that began before the agent told. Empty when it told nothing.
    """
    told = [event for event in events if isinstance(event, AgentHeard)]
    if not told:
        return ()
    taken: dict[str, list[_Line]] = {one.id: [] for one in lines}
    alone = []
    for event in told:
        best = _meant(event, lines)
        if best is not None:
            taken[best.id].append(_Line(event.t, event.text, ()))
        elif event.text.strip():
            alone.append(Pair(event.t, "", _whole(event.text), ()))
    return _in_order(alone, [_pair(one, taken[one.id]) for one in lines])


@dataclass(frozen=True)
class _Line:
    """A line of the agent's, and what of it was taken back."""

    t: float
    text: str
    rest: tuple[Piece, ...]


def _heard_lines(events: Sequence[Event]) -> Iterable[_Line]:
    """The agent's own lines, each cut where its sound was taken back."""
    lost = {event.response_id: event.text for event in events if isinstance(event, Unheard) and event.text}
    for event in events:
        if isinstance(event, AgentSaid) and event.text.strip():
            words, rest = event.text.split(), lost.get(event.response_id, "").split()
            if rest and words[-len(rest) :] == rest:
                yield _Line(event.t, " ".join(words[: -len(rest)]), (Piece(" ".join(rest), True, unheard=True),))
            else:
                yield _Line(event.t, event.text, ())


def _meant(event: AgentHeard, lines: Sequence[Utterance]) -> Utterance | None:
    if event.start is not None:
        start, end = event.start, event.end if event.end is not None else event.t
        best = max(lines, key=lambda one: min(end, one.end) - max(start, one.start), default=None)
        return best if best is not None and min(end, best.end) > max(start, best.start) else None
    before = [one for one in lines if one.start < event.t]
    return max(before, key=lambda one: one.start, default=None)


def _in_order(alone: Sequence[Pair], matched: Sequence[Pair]) -> tuple[Pair, ...]:
    return tuple(sorted([*matched, *alone], key=lambda pair: pair.t))


def _whole(text: str) -> tuple[Piece, ...]:
    return (Piece(text, False),) if text else ()


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


def _pair(utterance: Utterance, lines: Sequence[_Line]) -> Pair:
    compared = _compared(utterance, " ".join(line.text for line in lines if line.text))
    rest = tuple(piece for line in lines for piece in line.rest)
    return replace(compared, said=(*compared.said, *rest))


def _compared(utterance: Utterance, line: str) -> Pair:
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
