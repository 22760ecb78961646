"""What the agent says of itself, and of the patient, beside what the recording says."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from voicesim.metrics.agent_heard import by_utterance
from voicesim.metrics.own_words import OwnLine, folded, matched
from voicesim.recording.events import AgentHeard, AgentSaid, Event, Unheard
from voicesim.transcript.model import Utterance

MOST_ALONE = 300
"""Lines that match nothing, as many as the page shows."""
MOST_WORDS = 1_000
"""Words of an agent's own about one utterance, as many as the page shows; a person says them in six minutes."""


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
    taken, others = matched(lines, heard)
    alone = [Pair(line.t, "", (*_whole(line.text), *line.rest), ()) for line in others[:MOST_ALONE]]
    alone += _left_out(others)
    return _in_order(alone, [_pair(utterance, taken[utterance.id]) for utterance in heard])


def heard_pairs(events: Sequence[Event], lines: Sequence[Utterance]) -> tuple[Pair, ...]:
    """What the agent understood of the patient (`said`) beside the patient's lines (`heard`), in time order.

    Which is about which is told by `by_utterance`. Empty when the agent told nothing.
    """
    if not any(isinstance(event, AgentHeard) for event in events):
        return ()
    taken, others = by_utterance(events, lines)
    alone = [Pair(event.t, "", _whole(event.text), ()) for event in others[:MOST_ALONE]]
    return _in_order(
        [*alone, *_left_out(others)],
        [_pair(line, [_AgentLine(event.t, event.text, ()) for event in taken[line.id]]) for line in lines],
    )


@dataclass(frozen=True)
class _AgentLine:
    """A line of the agent's, and what of it was taken back."""

    t: float
    text: str
    rest: tuple[Piece, ...]


def _heard_lines(events: Sequence[Event]) -> Iterable[_AgentLine]:
    """The agent's own lines, each cut where its sound was taken back."""
    lost = {event.response_id: event.text for event in events if isinstance(event, Unheard) and event.text}
    for event in events:
        if isinstance(event, AgentSaid) and event.text.strip():
            words, rest = event.text.split(), lost.get(event.response_id, "").split()
            if rest and words[-len(rest) :] == rest:
                yield _AgentLine(event.t, " ".join(words[: -len(rest)]), (Piece(" ".join(rest), True, unheard=True),))
            else:
                yield _AgentLine(event.t, event.text, ())


def _left_out(alone: Sequence[OwnLine]) -> list[Pair]:
    """A word about the lines that are not shown, if there are any."""
    more = alone[MOST_ALONE:]
    return [Pair(more[0].t, "", (Piece(f"… and {len(more):,} lines more", True),), ())] if more else []


def _in_order(alone: Sequence[Pair], matched: Sequence[Pair]) -> tuple[Pair, ...]:
    return tuple(sorted([*matched, *alone], key=lambda pair: pair.t))


def _whole(text: str) -> tuple[Piece, ...]:
    return (Piece(text, False),) if text else ()


def _pair(utterance: Utterance, lines: Sequence[_AgentLine]) -> Pair:
    compared = _compared(utterance, " ".join(line.text for line in lines if line.text))
    rest = tuple(piece for line in lines for piece in line.rest)
    return replace(compared, said=(*compared.said, *rest))


def _compared(utterance: Utterance, line: str) -> Pair:
    words = line.split()
    said, heard = folded(" ".join(words[:MOST_WORDS])), folded(utterance.text)
    if not said:
        return Pair(utterance.start, utterance.id, (), (Piece(utterance.text, False),))
    matcher = SequenceMatcher(None, [word for word, _ in said], [word for word, _ in heard], autojunk=False)
    left, right = [], []
    for kind, a, b, c, d in matcher.get_opcodes():
        if b > a:
            left.append(Piece(" ".join(word for _, word in said[a:b]), kind != "equal"))
        if d > c:
            right.append(Piece(" ".join(word for _, word in heard[c:d]), kind != "equal"))
    if (more := len(words) - MOST_WORDS) > 0:
        left.append(Piece(f"… and {more:,} words more", True))
    return Pair(utterance.start, utterance.id, tuple(left), tuple(right))
