"""An utterance as the tokens a page shows, and the place of a quote among them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from voicesim.judge.model import Evidence
from voicesim.language.fold import find
from voicesim.transcript.model import WEAK, Utterance, Word


@dataclass(frozen=True)
class Token:
    """A piece of an utterance's text from character `at` on, and the space behind it.

    Its time and probability are those of the transcript's word, where there is one.
    """

    text: str
    gap: str
    at: int
    word: Word | None = None

    @property
    def weak(self) -> bool:
        """Whether the transcriber was unsure of it."""
        return self.word is not None and self.word.probability < WEAK


@dataclass(frozen=True)
class Place:
    """Tokens `first` to `last`, both included."""

    first: int
    last: int


def tokens(utterance: Utterance) -> tuple[Token, ...]:
    """The utterance's text, cut at the words of the transcript; with the gaps it is the whole text again.

    Without words (the patient's lines have none), or when they are not those of the text, it is cut at
    its spaces.
    """
    text = utterance.text.strip()
    starts = _starts(text, utterance.words)
    if starts is None:
        return tuple(_token(match.group(), match.start()) for match in re.finditer(r"\S+\s*", text))
    ends = [*starts[1:], len(text)]
    return tuple(_token(text[a:b], a, word) for word, a, b in zip(utterance.words, [0, *starts[1:]], ends, strict=True))


def _starts(text: str, words: Sequence[Word]) -> list[int] | None:
    """Where each word begins in a text that has them all in this order; None when it has not."""
    starts, at = [], 0
    for word in words:
        bare = word.text.strip()
        start = text.find(bare, at)
        if not bare or start < 0:
            return None
        starts.append(start)
        at = start + len(bare)
    return starts or None


def _token(piece: str, at: int, word: Word | None = None) -> Token:
    bare = piece.rstrip()
    return Token(bare, " " if len(piece) > len(bare) else "", at, word)


def locate(evidence: Evidence, utterance: Utterance, within: Sequence[Token]) -> Place | None:
    """The tokens that a quote covers: by its words, else by its time; None when neither leads anywhere."""
    span = find(evidence.quote, utterance.text.strip())
    if span is not None:
        inside = [n for n, token in enumerate(within) if token.at < span[1] and token.at + len(token.text) > span[0]]
    else:
        inside = [
            n
            for n, token in enumerate(within)
            if token.word is not None and token.word.start < evidence.end and token.word.end > evidence.start
        ]
    return Place(inside[0], inside[-1]) if inside else None
