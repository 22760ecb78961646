"""Which documents a question is about."""

from collections.abc import Sequence

from voicesim.rubrics.documents import Document
from voicesim.rubrics.retrieval import Hit, Retriever, retrieve

_SHARE = 0.5
"""Of the best document's score, from which another one is about the question as well."""
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


def _score(document: Document, hits: Sequence[Hit]) -> float:
    own = sorted((hit.score for hit in hits if hit.passage.source == document.source.id), reverse=True)
    return sum(own[:_BEST])


def _sorted(documents: Sequence[Document], scores: dict[str, float]) -> list[Document]:
    return sorted(documents, key=lambda document: (-scores[document.source.id], document.source.id))
