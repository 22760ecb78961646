"""The words of a sentence as everything that reads English goes by them: folded, contractions written out."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from voicesim.language.data import load
from voicesim.language.fold import Token, tokens
from voicesim.language.misheard import mended

HARD, SOFT = ";", ","
_PIECES = 4


@dataclass(frozen=True)
class Words:
    """The words of a sentence.

    `marks[i]` is what stands right before word i: `;` for a full stop, semicolon, colon or bracket, `,` for a comma or
    a dash, else nothing. `spans[i]` are the characters [start, end) that word i came from; those of one
    contraction share them.
    """

    texts: tuple[str, ...]
    marks: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.texts)

    def at(self, character: int) -> int:
        """The number of words that begin before a character."""
        return sum(start < character for start, _ in self.spans)


_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


@lru_cache(maxsize=8192)
def read(sentence: str, language: str = "en") -> Words:
    """The words of a sentence, numbers and units folded: `Don't take 2 of DayQuil's` is do not take 2 of dayquil 's.

    Letters that are said one by one (`a and e`) and common mishearings (`short of breadth`) are put into one form. Of
    another language than English the words are taken as they are written, in lower case.
    """
    if language != "en":
        matches = list(_WORD.finditer(sentence))
        ends = [0, *(word.end() for word in matches)]
        gaps = (_mark(sentence[before : word.start()]) for before, word in zip(ends, matches, strict=False))
        return Words(
            tuple(word.group().lower() for word in matches), tuple(gaps), tuple(word.span() for word in matches)
        )
    texts: list[str] = []
    marks: list[str] = []
    spans: list[tuple[int, int]] = []
    end = 0
    for token in tokens(sentence):
        mark = _mark(sentence[end : token.start])
        for text in _spelled_out(token, sentence[token.start : token.end]):
            texts.append(text)
            marks.append(mark)
            spans.append((token.start, token.end))
            mark = ""
        end = token.end
    return _mended(_joined(Words(tuple(texts), tuple(marks), tuple(spans))))


def _mark(between: str) -> str:
    if re.search(r"[;:.!?()]", between):
        return HARD
    return SOFT if re.search(r"[,–—]|\s-+\s", between) else ""


def _spelled_out(token: Token, written: str) -> Sequence[str]:
    """The words of a contraction; `'s` behind a noun stays a word of its own: it may be `is` or a possessive."""
    host, apostrophe, ending = written.lower().replace("’", "'").rpartition("'")
    if apostrophe and token.text == host + ending:
        table = load("clauses")["apostrophes"]
        if ending in table:
            return (*_one(host), table[ending])
        if ending == "s":
            return ("let", "us") if host == "let" else (host, "is" if host in table["s_of"].split() else "'s")
    return _one(token.text)


def _one(text: str) -> tuple[str, ...]:
    return tuple(load("clauses")["contractions"].get(text, text).split())


@cache
def _spoken_apart() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    return tuple((tuple(said.split()), tuple(meant.split())) for said, meant in load("clauses")["joined"])


def _joined(words: Words) -> Words:
    for said, meant in _spoken_apart():
        place = 0
        while said[0] in words.texts and place + len(said) <= len(words):
            last = place + len(said)
            if words.texts[place:last] == said and not any(words.marks[place + 1 : last]):
                words = _put(words, place, last, meant)
            place += 1
    return words


def _mended(words: Words) -> Words:
    """With long words that were heard in pieces (`para seat a mall`) as one."""
    place = 0
    while place < len(words):
        for last in range(min(place + _PIECES, len(words)), place + 1, -1):
            if not any(words.marks[place + 1 : last]) and (word := mended(words.texts[place:last])):
                words = _put(words, place, last, (word,))
                break
        place += 1
    return words


def _put(words: Words, first: int, last: int, meant: Sequence[str]) -> Words:
    """Other words in the place of [first, last); they cover the same characters."""
    span = (words.spans[first][0], words.spans[last - 1][1])
    return Words(
        (*words.texts[:first], *meant, *words.texts[last:]),
        (*words.marks[:first], words.marks[first], *[""] * (len(meant) - 1), *words.marks[last:]),
        (*words.spans[:first], *[span] * len(meant), *words.spans[last:]),
    )
