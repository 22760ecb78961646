"""Passages -> atomic facts of three kinds, each with the words of its source that say it."""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from voicesim.language.entities import entities
from voicesim.language.fold import find, fold
from voicesim.language.patterns import patterns, plain
from voicesim.rubrics.documents import Document
from voicesim.rubrics.model import Conflict, EvidenceFact, FactKind
from voicesim.rubrics.retrieval import Hit

_LONGEST = 60
"""Words of a sentence from which it says more than one thing can be checked by."""
_SHORTEST = 3
_KINDS: tuple[tuple[str, FactKind], ...] = (
    ("history", "positive"),
    ("prohibition", "prohibition"),
    ("no_emergency", "positive"),
    ("red_flag", "red_flag"),
    ("demand", "positive"),
)
_TELLS = ("dose", "number", "duration", "medicine")


def does(name: str, sentence: str, language: str = "en") -> bool:
    """Whether a sentence holds a pattern of the language's file `guidance`, such as `prohibition`."""
    return bool(_pattern(name, language).search(plain(sentence)))


@cache
def _pattern(name: str, language: str) -> re.Pattern[str]:
    return next(pattern.expression for pattern in patterns("guidance", language) if pattern.name == name)


def kind_of(sentence: str, language: str = "en") -> FactKind | None:
    """What a sentence of guidance is; None for one that demands nothing and names no medicine or figure."""
    for name, kind in _KINDS:
        if does(name, sentence, language):
            return kind
    telling = any(entity.kind in _TELLS for entity in entities(sentence, language=language))
    return "positive" if telling else None


def extract(hits: Sequence[Hit], language: str = "en") -> tuple[EvidenceFact, ...]:
    """The sentences of passages that are facts, word for word, in the order of the hits; each said once."""
    facts: list[EvidenceFact] = []
    said: set[tuple[str, ...]] = set()
    for hit in hits:
        for sentence in hit.passage.sentences:
            words = fold(sentence)
            kind = kind_of(sentence, language) if _SHORTEST <= len(words) <= _LONGEST else None
            if kind is None or words in said or sentence.rstrip().endswith("?"):
                continue
            said.add(words)
            name = f"{hit.passage.source}-{sum(fact.source == hit.passage.source for fact in facts) + 1}"
            facts.append(EvidenceFact(id=name, kind=kind, says=sentence, source=hit.passage.source, quote=sentence))
    return tuple(facts)


def quoted(quote: str, document: Document) -> bool:
    """Whether a quote stands in one passage of a document, word for word, case and punctuation aside."""
    return any(find(quote, passage.text) is not None for passage in document.passages)


def verified(
    facts: Iterable[EvidenceFact], documents: Iterable[Document]
) -> tuple[tuple[EvidenceFact, ...], tuple[str, ...]]:
    """The facts whose quote is in their source, and of each other what was wrong with it."""
    known = {document.source.id: document for document in documents}
    proven: list[EvidenceFact] = []
    dropped: list[str] = []
    for fact in facts:
        document = known.get(fact.source)
        if document is None:
            dropped.append(f"fact {fact.id}: there is no source {fact.source!r}")
        elif not quoted(fact.quote, document):
            dropped.append(f"fact {fact.id}: its quote is not in {fact.source}: {fact.quote!r}")
        else:
            proven.append(fact)
    return tuple(proven), tuple(dropped)


def conflicts(facts: Sequence[EvidenceFact], language: str = "en") -> tuple[Conflict, ...]:
    """Pairs of facts of different sources that name the same medicines or conditions and do not agree.

    They do not agree when one forbids what the other allows, or when they give different figures of the same unit.
    """
    read = [_Read(fact, language) for fact in facts]
    disagreeing = []
    for number, first in enumerate(read):
        for second in read[number + 1 :]:
            if first.fact.source != second.fact.source and (why := _disagree(first, second)):
                disagreeing.append(Conflict(facts=(first.fact.id, second.fact.id), says=why))
    return tuple(disagreeing)


class _Read:
    """A fact with what is compared of it."""

    def __init__(self, fact: EvidenceFact, language: str) -> None:
        self.fact = fact
        named = entities(fact.says, language=language)
        self.medicines = frozenset(entity.key for entity in named if entity.kind == "medicine")
        self.subjects = self.medicines | {entity.key for entity in named if entity.kind == "condition"}
        self.figures = {getattr(entity.value, "unit", ""): str(entity.value) for entity in named if entity.value}


def _disagree(first: _Read, second: _Read) -> str:
    same = first.subjects == second.subjects and bool(first.subjects)
    kinds = {first.fact.kind, second.fact.kind}
    if same and first.medicines and kinds == {"prohibition", "positive"}:
        return f"one forbids and the other allows: {', '.join(sorted(first.subjects))}"
    units = [unit for unit in first.figures if unit and unit in second.figures]
    if same and first.fact.kind == second.fact.kind:
        for unit in units:
            if first.figures[unit] != second.figures[unit]:
                return f"{first.figures[unit]} against {second.figures[unit]}"
    return ""
