"""Which documents a question is about, and which live sources fit it."""

from collections.abc import Sequence

from voicesim.errors import UsageError
from voicesim.language.entities import entities
from voicesim.registry import EVIDENCE
from voicesim.rubrics.documents import Document
from voicesim.rubrics.retrieval import Hit, Retriever, retrieve

_SHARE = 0.5
"""Of the best document's score, from which another one is about the question as well."""
_OF_MEDICINES = ("openfda", "dailymed")
_BEST = 3
"""Passages of a document by which it is scored: a long one does not win by its length."""


def route(question: str, documents: Sequence[Document], retriever: Retriever, case: str = "") -> tuple[Document, ...]:
    """The documents that fit, the best one first; those that name the case come before all others.

    A document's score is the sum of its three best passages.
    """
    hits = retrieve(question, documents, retriever, most=200)
    scores = {document.source.id: _score(document, hits) for document in documents}
    best = max(scores.values(), default=0.0)
    named = [document for document in documents if case and case in document.cases]
    near = [doc for doc in documents if doc not in named and best > 0 and scores[doc.source.id] >= _SHARE * best]
    return (*_sorted(named, scores), *([] if named else _sorted(near, scores)))


def sources_for(question: str, wanted: Sequence[str]) -> tuple[str, ...]:
    """The live sources, of those wanted, that can know something: labels only where a medicine is named."""
    named = any(entity.kind == "medicine" for entity in entities(question))
    return tuple(name for name in wanted if named or name not in _OF_MEDICINES)


def look_up(question: str, wanted: Sequence[str]) -> tuple[tuple[Document, ...], tuple[str, ...]]:
    """The documents that live sources give, and what went wrong with some of them; one that fails costs only itself.

    Raises UsageError for a source that there is not.
    """
    sources = [(name, EVIDENCE.load(name)()) for name in wanted]
    documents: dict[str, Document] = {}
    notes = []
    for name, source in sources:
        if name not in sources_for(question, wanted):
            continue
        try:
            documents |= {document.source.id: document for document in source.search(question)}
        except UsageError as error:
            notes.append(f"{name}: {error}")
    return tuple(documents.values()), tuple(notes)


def _score(document: Document, hits: Sequence[Hit]) -> float:
    own = sorted((hit.score for hit in hits if hit.passage.source == document.source.id), reverse=True)
    return sum(own[:_BEST])


def _sorted(documents: Sequence[Document], scores: dict[str, float]) -> list[Document]:
    return sorted(documents, key=lambda document: (-scores[document.source.id], document.source.id))
