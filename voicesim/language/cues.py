"""Cue words in a sentence."""

from collections.abc import Iterable
from functools import cache, lru_cache

from voicesim.language.data import load
from voicesim.language.words import Words, read

GAP = "..."
_WIDEST = 3
"""Words that `...` in a cue stands for at most."""

Place = tuple[int, int]
"""Words [first, last) of a sentence."""
_Part = tuple[str, ...]


def cue_in(cue: str, sentence: str, language: str = "en") -> bool:
    """Whether a cue occurs in a sentence.

    Case, punctuation, contractions and number forms are folded. A cue of several words matches them in a row; `...` in
    it stands for up to three words of the same clause (`getting ... air`). The last word of a cue is a word beginning
    (`smok` is in `smoking`), and a plural also finds its singular; words of three letters or fewer and numbers match
    whole (`ob` is neither in `probably` nor in `obvious`, `40` not in `4000`).
    """
    return bool(places(cue, sentence, language))


@lru_cache(maxsize=65536)
def places(cue: str, sentence: str, language: str = "en") -> tuple[Place, ...]:
    """Where a cue stands in a sentence, its words counted as `read` does."""
    parts, words = _parts(cue, language), read(sentence, language)
    if not parts:
        return ()
    ends = (_match(parts, words, start) for start in range(len(words)))
    return tuple((start, end) for start, end in enumerate(ends) if end is not None)


class Finder:
    """Many cues at once: which of them stand in a sentence, and where."""

    def __init__(self, cues: Iterable[str]) -> None:
        self._whole: dict[str, list[str]] = {}
        self._beginnings: dict[str, list[str]] = {}
        for cue in cues:
            if parts := _parts(cue):
                alone = len(parts) == 1 and len(parts[0]) == 1 and len(parts[0][0]) > 3
                head = _singular(parts[0][0]) if alone else parts[0][0]
                (self._beginnings if alone else self._whole).setdefault(head, []).append(cue)

    def find(self, sentence: str) -> list[tuple[str, Place]]:
        """Each cue with each of its places, in the order of the places."""
        hits: list[tuple[str, Place]] = []
        for word in dict.fromkeys(read(sentence).texts):
            likely = [*self._whole.get(word, ()), *(self._whole.get(word[:-1], ()) if word[-1] == "s" else ())]
            likely += [cue for size in range(4, len(word) + 1) for cue in self._beginnings.get(word[:size], ())]
            hits += [(cue, place) for cue in likely for place in places(cue, sentence)]
        return sorted(dict.fromkeys(hits), key=lambda pair: pair[1])


@lru_cache(maxsize=16384)
def _parts(cue: str, language: str = "en") -> tuple[_Part, ...]:
    """The runs of words that the gaps of a cue leave."""
    return tuple(texts for part in cue.split(GAP) if (texts := read(part, language).texts))


def _match(parts: tuple[_Part, ...], words: Words, start: int) -> int | None:
    """The word behind a cue that begins at a word, or None."""
    head, rest = parts[0], parts[1:]
    end = start + len(head)
    if end > len(words) or words.texts[start : end - 1] != head[:-1]:
        return None
    if not _is(head[-1], words.texts[end - 1], begins=not rest):
        return None
    if not rest:
        return end
    for place in range(end, min(end + _WIDEST + 1, len(words))):
        if words.marks[place]:
            return None
        if (last := _match(rest, words, place)) is not None:
            return last
    return None


def _is(cue: str, word: str, *, begins: bool) -> bool:
    if word == cue:
        return True
    if not begins:
        return False
    if cue[0].isdigit() or len(cue) <= 3:
        return not cue[0].isdigit() and word == cue + "s"
    return word.startswith(_singular(cue)) and word not in _other_words()


@cache
def _other_words() -> frozenset[str]:
    """Words that begin like a cue and mean something else: `pillow`, `number`, `think`."""
    return frozenset(load("topics")["other_words"].split())


def _singular(word: str) -> str:
    if len(word) < 5 or not word.endswith("s") or word.endswith("ss"):
        return word
    return word[:-2] if word.endswith("sses") else word[:-1]
