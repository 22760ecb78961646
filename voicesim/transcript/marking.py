"""Words that are taken out of every text of a recording, and the mark that takes their place."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from rapidfuzz.distance import Levenshtein

MARK = "[redacted]"
LIKE = 4
"""Letters from which a word a letter away from a redacted one is taken for it."""
KEPT_KEYS = frozenset(
    (
        *("id", "sha256", "type", "kind", "group", "intent", "side", "source", "persona"),
        *("engine", "model", "tag", "outcome", "check", "judge", "by", "cues", "utterance", "version", "language"),
        "key",
    )
)
"""Keys of files whose values are no text of the call."""
FREE_KEYS = frozenset(("arguments", "result", "state", "state_before"))
"""Keys under which stands what a tool was given or gave back: there every key and value may be text of the call."""
WORD = re.compile(r"\w[\w'’]*")

_Parts = tuple[str, ...]


class Marker:
    """Some phrases by how their first word is written: each word of a text is held against a few of them only."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._by_word: defaultdict[str, list[_Parts]] = defaultdict(list)
        self._by_shape: defaultdict[tuple[int, str], list[_Parts]] = defaultdict(list)
        self._heads: set[_Parts] = set()
        self._tails: set[_Parts] = set()
        for phrase in phrases:
            if parts := _words(phrase):
                self._by_word[parts[0]].append(parts)
                self._by_shape[len(parts[0]), parts[0][0]].append(parts)
                self._heads |= {parts[:size] for size in range(1, len(parts))}
                self._tails |= {parts[-size:] for size in range(1, len(parts))}

    def places(self, text: str) -> list[tuple[int, int]]:
        """Where a text holds one of the phrases, as characters [start, end), in order, joined where they overlap."""
        words = [(match.group().casefold(), match.start(), match.end()) for match in WORD.finditer(text)]
        spans = []
        for at, (word, start, _) in enumerate(words):
            for parts in self._beginning_with(word):
                inside = words[at : at + len(parts)]
                if len(inside) == len(parts) and all(_alike(part, inside[n][0]) for n, part in enumerate(parts)):
                    spans.append((start, inside[-1][2]))
        joined: list[tuple[int, int]] = []
        for start, end in sorted(spans):
            if joined and start <= joined[-1][1]:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((start, end))
        return joined

    def marked(self, text: str) -> str:
        """A text with a mark in the place of every phrase."""
        for start, end in reversed(self.places(text)):
            text = f"{text[:start]}{MARK}{text[end:]}"
        return text

    def json(self, value: Any, key: str = "", *, free: bool = False) -> Any:
        """Plain data with marks in its texts; an utterance's words are marked as its text is.

        `free` is what a tool was given or gave back: its keys, and its numbers, are text of the call as well.
        """
        free = free or key in FREE_KEYS
        if isinstance(value, dict):
            changed = {
                (self.marked(name) if free else name): self.json(item, name, free=free) for name, item in value.items()
            }
            if isinstance(value.get("words"), list) and isinstance(value.get("text"), str):
                changed["words"] = self._marked_words(value["text"], value["words"])
            if isinstance(value.get("quote"), str):
                changed["quote"] = self._marked_quote(value["quote"])
            return changed
        if isinstance(value, list):
            return [self.json(item, key, free=free) for item in value]
        if free and isinstance(value, int | float) and not isinstance(value, bool) and self.places(str(value)):
            return MARK
        return self.marked(value) if isinstance(value, str) and (free or key not in KEPT_KEYS) else value

    def _beginning_with(self, word: str) -> Iterator[_Parts]:
        """The words of each phrase whose first is a word of a text, or may be a letter away from it."""
        bare = word.removesuffix("'s").removesuffix("’s")
        yield from dict.fromkeys((*self._by_word.get(word, ()), *self._by_word.get(bare, ())))
        if len(word) >= LIKE and word.isalpha():
            yield from (parts for parts in self._by_shape.get((len(word), word[0]), ()) if parts[0] != word)

    def _marked_words(self, text: str, words: list[Any]) -> list[Any]:
        written = [(match.start(), match.end()) for match in re.finditer(r"\S+", text)]
        hidden = self.places(text)
        if len(written) != len(words):
            return [] if hidden else words
        return [
            {**word, "text": MARK} if any(first < end and last > start for start, end in hidden) else word
            for word, (first, last) in zip(words, written, strict=True)
        ]

    def _marked_quote(self, quote: str) -> str:
        """A quote with marks; where it cuts a phrase at one of its edges, it is a mark as a whole."""
        parts = _words(quote)
        cut = any(parts[:size] in self._tails or parts[-size:] in self._heads for size in range(1, len(parts) + 1))
        return MARK if cut else self.marked(quote)


def _words(text: str) -> _Parts:
    return tuple(match.group().casefold() for match in WORD.finditer(text))


def _alike(part: str, word: str) -> bool:
    if part == word or part == word.removesuffix("'s").removesuffix("’s"):
        return True
    same_start = len(part) == len(word) >= LIKE and part[0] == word[0] and part.isalpha()
    return same_start and Levenshtein.distance(part, word) <= 1
