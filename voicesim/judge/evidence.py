"""Is the quote really there, said by the side that can prove the check, and not cut to mean something else?"""

import re
from collections.abc import Sequence

from voicesim.judge.model import Evidence
from voicesim.language.fold import find, find_quote, fold
from voicesim.language.polarity import cut_off
from voicesim.language.words import read
from voicesim.transcript.model import GUESSED, Side, Transcript, Utterance, Word

PROVES: Side = "agent"
"""Whose words can prove a check: ask, tell and avoid all speak of what the agent said."""

SHORTEST = 12
"""Characters that a quote needs, unless it is the whole utterance."""


_LABEL = re.compile(
    r"^[\s*\"“'\[(]*(?:agent|assistant|A)\d*\s*(?:\([^)]*\))?\s*[\])]?\s*(?:[*]*\s*[:\-–—]|\])[*\s]*", re.IGNORECASE
)
_MARKS = " \t\n\"“”'‘’…*"


def can_prove(transcript: Transcript) -> tuple[Utterance, ...]:
    """The utterances that can prove a check: those of the proving side that hold words."""
    return tuple(utterance for utterance in transcript.of(PROVES) if fold(utterance.text))


def verify(quote: str, utterance: Utterance) -> Evidence | None:
    """The quote with its seconds, or None when it is not accepted.

    Accepted is what stands in the utterance word for word and without a gap, after folding case,
    punctuation and number forms; that has at least 12 characters or is the whole utterance; that the side
    which can prove a check said; that does not leave out a negation which governs it (`take it` out of
    `do not take it`); and whose words are no mere guesses of the transcriber.
    """
    if utterance.side != PROVES:
        return None
    quote = _LABEL.sub("", quote).strip(_MARKS)
    whole = fold(quote) == fold(utterance.text) and bool(fold(quote))
    span = find(quote, utterance.text)
    if span is None or (len(quote.strip()) < SHORTEST and not whole):
        return None
    said = read(utterance.text)
    if not whole and cut_off(utterance.text, said.at(span[0]), said.at(span[1])):
        return None
    words = utterance.words
    place = find_quote(quote, [word.text for word in words])
    if place is not None and _guesses(words[place[0] : place[1]]):
        return None
    start, end = (utterance.start, utterance.end) if place is None else (words[place[0]].start, words[place[1] - 1].end)
    return Evidence(utterance=utterance.id, quote=quote.strip(), start=start, end=end)


def guessed(text: str, utterance: Utterance) -> bool:
    """Whether the transcriber made half of the words of a text, or more, out of next to nothing."""
    place = find_quote(text, [word.text for word in utterance.words]) if fold(text) else None
    return place is not None and _guesses(utterance.words[place[0] : place[1]])


def _guesses(words: Sequence[Word]) -> bool:
    return 2 * sum(word.probability < GUESSED for word in words) >= len(words) > 0
