"""Which passages of a library answer a question: BM25, and passages that overlap are one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from voicesim.language.entities import entities
from voicesim.language.grammar import word_set
from voicesim.rubrics.documents import Document, Passage

MOST = 40
"""Passages that are kept for a question."""
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SAME = 0.8
"""Share of the words of the shorter passage from which two of one document say the same."""


@dataclass(frozen=True)
class Hit:
    """A passage and how well it fits the question; scores compare only within one question."""

    passage: Passage
    score: float


class Retriever(Protocol):
    """Finds passages. `name` says how, in the rubric's file."""

    @property
    def name(self) -> str: ...

    def find(self, question: str, documents: Sequence[Document], most: int) -> list[Hit]:
        """The passages that fit best, the best one first; none that does not fit at all."""
        ...


@dataclass(frozen=True)
class Bm25:
    """Okapi BM25 over words, with the headings and the title of a passage's document as part of it.

    Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009; computed by bm25s.
    """

    name: str = "bm25"

    def find(self, question: str, documents: Sequence[Document], most: int) -> list[Hit]:
        """As `Retriever.find`."""
        import bm25s

        passages = [(document, passage) for document in documents for passage in document.passages]
        texts = [words(f"{document.source.title} {part.heading} {part.text}") for document, part in passages]
        asked = words(question)
        known = {word for text in texts for word in text}
        asked = [word for word in asked if word in known]
        if not asked:
            return []
        index = bm25s.BM25()
        index.index(texts, show_progress=False)
        scores = index.get_scores(asked)
        ranked = sorted(range(len(passages)), key=lambda place: (-float(scores[place]), place))
        return [Hit(passages[place][1], float(scores[place])) for place in ranked[:most] if scores[place] > 0]


def retrieve(question: str, documents: Sequence[Document], retriever: Retriever, most: int = MOST) -> list[Hit]:
    """The passages for a question; of two of one document that say the same, the one that says more is kept."""
    hits: list[Hit] = []
    for hit in retriever.find(question, documents, most * 2):
        place = next((number for number, other in enumerate(hits) if _overlap(hit.passage, other.passage)), None)
        if place is None:
            hits.append(hit)
        elif len(hit.passage.text) > len(hits[place].passage.text):
            hits[place] = Hit(hit.passage, hits[place].score)
    return hits[:most]


def _overlap(first: Passage, second: Passage) -> bool:
    if first.source != second.source:
        return False
    mine, other = set(words(first.text)), set(words(second.text))
    return bool(mine and other) and len(mine & other) >= _SAME * min(len(mine), len(other))


def words(text: str) -> list[str]:
    """The words of a text, plurals cut, and the medicines and conditions in it by their common names."""
    said = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    plain = [word.removesuffix("s") if len(word) > 3 and not word.endswith("ss") else word for word in said]
    named = [entity.key for entity in entities(text) if entity.kind in ("medicine", "condition")]
    return [word for word in [*plain, *named] if word not in _EMPTY]


@lru_cache(maxsize=8192)
def content(text: str) -> frozenset[str]:
    """The words of a text that say what it is about, each once; figures and words that demand are not among them."""
    return frozenset(word for word in words(text) if word not in _DEMANDS and not word[0].isdigit())


_DEMANDS = word_set(
    """ask asks avoid avoided call don't ever give given helps keep let made make must need needed never nobody not
    one please recommend recommended say says somebody someone something start take taken taking tell tells told use
    used using want"""
)
_EMPTY = word_set(
    """a about after all also am an and any are as at be because been before but by can did do does for from get had has
    have he her him his how i if in into is it its just like may me more my no not now of off on one or our out over
    she should so some than that the their them then there they thi this to too up was we were what when where which
    who will with would you your"""
)
"""Words that say nothing of a subject."""
