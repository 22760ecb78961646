"""What the agent says of itself, held against what was heard: whose line it is, and what was never heard."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Protocol, TypeVar

from voicesim.language.fold import tokens
from voicesim.metrics.model import NeverHeard
from voicesim.recording.events import AgentSaid, Event
from voicesim.transcript.model import Transcript, Utterance

_ALIKE = 0.3
"""Share of common words from which an agent's own line counts as being about an utterance."""
_NEAR_THE_CUT = 2
"""Words between the last one both have and the end of what was heard that are taken to be the same, misheard."""


class OwnLine(Protocol):
    """Something the agent said of itself, and when it told."""

    @property
    def t(self) -> float: ...

    @property
    def text(self) -> str: ...


Told = TypeVar("Told", bound=OwnLine)


def never_heard(transcript: Transcript, events: Sequence[Event]) -> tuple[NeverHeard, ...]:
    """What was generated but never heard of each agent utterance that was cut, by the agent's own transcript.

    Empty when the agent tells no transcript, or tells one of what was played only.
    """
    lines = [event for event in events if isinstance(event, AgentSaid) and event.text.strip()]
    taken, _ = matched(lines, transcript.of("agent"))
    found = []
    for one in transcript.of("agent"):
        if one.cut and taken[one.id]:
            heard, rest = split_at_the_cut(" ".join(line.text for line in taken[one.id]), one.text)
            if rest:
                found.append(NeverHeard(utterance=one.id, heard_words=len(folded(heard)), text=rest))
    return tuple(found)


def split_at_the_cut(said: str, heard: str) -> tuple[str, str]:
    """The text of a reply, parted into what was heard of it and the rest.

    The part that was heard ends with the last word that both have in the same order, and takes along at
    most two words for those that were heard after it and not understood alike. All of it is unheard when
    nothing matches.
    """
    own, other = folded(said), folded(heard)
    matcher = SequenceMatcher(None, [one for one, _ in own], [one for one, _ in other], autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    if not blocks:
        return "", said.strip()
    last = blocks[-1]
    misheard = len(other) - (last.b + last.size)
    cut = min(len(own), last.a + last.size + min(misheard, _NEAR_THE_CUT))
    return " ".join(word for _, word in own[:cut]), " ".join(word for _, word in own[cut:])


def matched(lines: Sequence[Told], heard: Sequence[Utterance]) -> tuple[dict[str, list[Told]], list[Told]]:
    """The lines of each utterance by its id, and those that are about none.

    An utterance takes all lines that are most like it: an agent may report in pieces.
    """
    taken: dict[str, list[Told]] = {one.id: [] for one in heard}
    alone = []
    for line in lines:
        best = max(heard, key=lambda one: (_likeness(line.text, one.text), -abs(one.start - line.t)), default=None)
        if best is None or _likeness(line.text, best.text) < _ALIKE:
            alone.append(line)
        else:
            taken[best.id].append(line)
    return taken, alone


def folded(text: str) -> list[tuple[str, str]]:
    """Each word folded for comparison, and as it is written; a sign between words goes with the one before."""
    found = tokens(text)
    if not found:
        return []
    cuts = [0, *(one.start for one in found[1:]), len(text)]
    return [(one.text, text[a:b].strip()) for one, (a, b) in zip(found, pairwise(cuts), strict=True)]


def _likeness(line: str, utterance: str) -> float:
    """Share of the shorter text's words that the other has in the same order, 0 to 1."""
    a, b = [one for one, _ in folded(line)], [one for one, _ in folded(utterance)]
    if not a or not b:
        return 0.0
    same = sum(block.size for block in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks())
    return same / min(len(a), len(b))
