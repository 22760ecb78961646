"""What the agent says of itself, held against what was heard: whose line it is, and what was never heard."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from voicesim.language.fold import tokens
from voicesim.metrics.model import NeverHeard
from voicesim.recording.events import AgentSaid, Event
from voicesim.transcript.model import Transcript, Utterance

_ALIKE = 0.3
"""Share of common words from which an agent's own line counts as being about an utterance."""
_NEAR_THE_CUT = 2
"""Words between the last one both have and the end of what was heard that are taken to be the same, misheard."""

_AHEAD = 200
"""Words of a reply, beside four for each that was heard, in which the end of what was heard is looked for."""
MOST_LINES = 20_000
"""Lines that are compared; word for word, an agent says as many in two hours."""
_AT_ONCE = 500
"""Lines that are compared at once, which bounds the memory."""

WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W_]+")
"""A word, roughly: reading every figure of everything an agent tells would take too long. In scripts without spaces
between words it is a character."""


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
    unheard = []
    for utterance in transcript.of("agent"):
        if utterance.cut and taken[utterance.id]:
            said = " ".join(line.text for line in taken[utterance.id])
            heard, rest = split_at_the_cut(said, utterance.text)
            if rest:
                unheard.append(NeverHeard(utterance=utterance.id, heard_words=len(folded(heard)), text=rest))
    return tuple(unheard)


def split_at_the_cut(said: str, heard: str) -> tuple[str, str]:
    """The text of a reply, parted into what was heard of it and the rest.

    The part that was heard ends with the last word that both have in the same order, and takes along at
    most two words for those that were heard after it and not understood alike. All of it is unheard when
    nothing matches.
    """
    other = [word for word, _ in folded(heard)]
    # What was heard begins where the reply does: it lies in its first words, however many an agent tells.
    words, likely = said.split(), _AHEAD + 4 * len(other)
    own, far = folded(" ".join(words[:likely])), words[likely:]
    matcher = SequenceMatcher(None, [word for word, _ in own], other, autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    if not blocks:
        return "", said.strip()
    last = blocks[-1]
    misheard = len(other) - (last.b + last.size)
    cut = min(len(own), last.a + last.size + min(misheard, _NEAR_THE_CUT))
    return " ".join(word for _, word in own[:cut]), " ".join([*(word for _, word in own[cut:]), *far])


def matched(lines: Sequence[Told], heard: Sequence[Utterance]) -> tuple[dict[str, list[Told]], list[Told]]:
    """The lines of each utterance by its id, and those that are about none.

    An utterance takes all lines that are most like it, and of several alike the nearest in time: an agent may report
    in pieces. Likeness is the length of the longest common subsequence of words over the length of the shorter text.
    Of more lines than a call can have, the later ones stand alone.
    """
    taken: dict[str, list[Told]] = {utterance.id: [] for utterance in heard}
    alone: list[Told] = []
    starts = np.array([utterance.start for utterance in heard])
    for first in range(0, len(lines), _AT_ONCE):
        some = lines[first : first + _AT_ONCE]
        if not heard or first >= MOST_LINES:
            alone += some
            continue
        for line, likeness in zip(some, _likenesses(some, heard), strict=True):
            best = np.lexsort((np.abs(starts - line.t), -likeness))[0]
            (alone if likeness[best] < _ALIKE else taken[heard[best].id]).append(line)
    return taken, alone


def folded(text: str) -> list[tuple[str, str]]:
    """Each word folded for comparison, and as it is written; a sign between words goes with the one before."""
    words = tokens(text)
    if not words:
        return []
    cuts = [0, *(word.start for word in words[1:]), len(text)]
    return [(word.text, text[a:b].strip()) for word, (a, b) in zip(words, pairwise(cuts), strict=True)]


def _likenesses(lines: Sequence[OwnLine], heard: Sequence[Utterance]) -> NDArray[np.float64]:
    """How like each line (row) is each utterance (column), 0 to 1."""
    from rapidfuzz.distance import LCSseq
    from rapidfuzz.process import cdist

    rows = [WORD.findall(line.text.casefold()) for line in lines]
    columns = [WORD.findall(utterance.text.casefold()) for utterance in heard]
    shorter = np.minimum.outer([len(row) for row in rows], [len(column) for column in columns])
    return np.asarray(cdist(rows, columns, scorer=LCSseq.similarity) / np.maximum(shorter, 1), dtype=np.float64)
