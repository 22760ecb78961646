"""Long words that speech recognition wrote in pieces, found by their sound."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache, lru_cache

from voicesim.language.data import load

_UNHEARD = re.compile(r"[aeiouyhw]+")
_SOUNDS = (
    ("ph", "f"),
    ("nd", "n"),
    ("ck", "k"),
    ("ce", "s"),
    ("ci", "s"),
    ("cy", "s"),
    ("c", "k"),
    ("q", "k"),
    ("z", "s"),
    ("x", "ks"),
)
_ALIKE = str.maketrans("vdbgj", "ftpkk")
_LONG = 5
_PIECE = 6
_LIKE = {_LONG: 0.8}
_LIKE_LONGER = 0.45
_LIKE_LETTER = 0.75
"""Of one letter and a word: `a panic` is no `opening`."""
_VOWELS = "aeiouy"


def sound(word: str) -> str:
    """The consonants of a word as they sound, those that are easily confused put together.

    >>> sound("paracetamol"), sound("paraseatamall")
    ('prstml', 'prstml')
    """
    for written, heard in _SOUNDS:
        word = word.replace(written, heard)
    return re.sub(r"(.)\1+", r"\1", _UNHEARD.sub("", word).translate(_ALIKE))


@lru_cache(maxsize=32768)
def mended(texts: Sequence[str]) -> str | None:
    """The long word that some short ones sound like, where they do not all make sense by themselves; else None.

    >>> mended(("para", "seat", "a", "mall"))
    'paracetamol'
    """
    joined, heard = "".join(texts), sound("".join(texts))
    if len(joined) < _LONG or not joined.isalpha() or all(word in familiar() for word in texts):
        return None
    if {texts[0], texts[-1]} & _short_words():
        return None
    if any(len(word) > _LONG and word in _long_words() for word in texts):
        return None
    longest = max(texts, key=len)  # "e mergency" is one word, "in addition" two
    if len(longest) > _PIECE and any(len(word) > 1 for word in texts if word is not longest):
        return None
    likely = [
        word
        for word in _by_sound().get(heard, ())
        if not any(text.startswith(word) for text in texts) and _begins_and_ends_alike(joined, word)
    ]
    alike = max(_LIKE_LETTER if len(texts) == 2 and min(map(len, texts)) == 1 else 0.0, _LIKE_LONGER)
    ranked = sorted(likely, key=lambda word: -SequenceMatcher(None, joined, word).ratio())
    if not ranked or SequenceMatcher(None, joined, ranked[0]).ratio() < _LIKE.get(len(ranked[0]), alike):
        return None
    return ranked[0]


def _begins_and_ends_alike(word: str, other: str) -> bool:
    word, other = word.rstrip("e"), other.rstrip("e")
    pairs = ((word[0], other[0]), (word[-1], other[-1]))
    return all(sound(a) == sound(b) and (a in _VOWELS) == (b in _VOWELS) for a, b in pairs)


@cache
def familiar() -> frozenset[str]:
    """Words that make sense by themselves: those of every conversation, of clauses and negations, and of topics."""
    closed = (
        str(row.get("words", ""))
        for file in ("clauses", "negation", "people")
        for row in load(file)["entries"].values()
    )
    listed = load("topics")["topics"].values()
    topical = (
        str(word) for topic in listed for word in (*topic["cues"], *topic.get("also", ())) if " " not in str(word)
    )
    return frozenset(" ".join((load("plain")["words"], *closed, *topical)).split())


@cache
def _short_words() -> frozenset[str]:
    """Words that speech recognition gets right: no long word begins or ends with one."""
    return frozenset(load("clauses")["short"].split())


@cache
def _long_words() -> frozenset[str]:
    """The long words of topics and medicines."""
    listed = [
        *load("medicines")["ingredients"].values(),
        *(topic["cues"] for topic in load("topics")["topics"].values()),
    ]
    words = {
        word for cues in listed for cue in cues for word in str(cue).split() if word.isalpha() and len(word) >= _LONG
    }
    return frozenset(words) - frozenset(load("plain")["words"].split())


@cache
def _by_sound() -> dict[str, list[str]]:
    by_sound: dict[str, list[str]] = {}
    for word in sorted(_long_words()):
        by_sound.setdefault(sound(word), []).append(word)
    return by_sound
