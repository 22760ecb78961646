"""A rubric drafted without a model: extracted from the evidence, sentence by sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

from voicesim.catalog.model import Case
from voicesim.errors import UsageError
from voicesim.rubrics.documents import Document
from voicesim.rubrics.facts import conflicts, extract
from voicesim.rubrics.intent import wanted
from voicesim.rubrics.model import Rubric
from voicesim.rubrics.retrieval import Bm25, Hit, Retriever
from voicesim.rubrics.routing import route
from voicesim.rubrics.synthesis import criteria


@dataclass(frozen=True)
class Question:
    """What a rubric is for: the words somebody asks with, and what is known of them without asking.

    `beside` is what only the author of a rubric knows; it decides what matters, and nothing is told by it.
    """

    id: str
    text: str
    known: str = ""
    beside: str = ""
    case: str = ""
    language: str = "en"


def of_case(case: Case) -> Question:
    """The question that a case's patient calls with. What the patient tells only when asked is not known yet."""
    patient = case.patient
    known = f"{patient.sex}, {patient.age} years old"
    beside = " ".join([case.title, *(fact.says for fact in patient.reveal_only_if_asked)])
    return Question(case.id, patient.says_first, known, beside, case.id, case.language)


def draft(question: Question, documents: Sequence[Document], retriever: Retriever | None = None) -> Rubric:
    """An extractive draft. Raises UsageError when no document is about the question."""
    finder = retriever or Bm25()
    chosen = route(question.text, documents, finder, question.case)
    hits = [Hit(passage, 1.0) for document in chosen for passage in document.passages]
    facts = extract(hits, question.language)
    if not facts:
        raise UsageError("none of the documents says anything about this question")
    needs = wanted(question.text, question.known, question.language)
    drafted = criteria(facts, needs, f"{question.text} {question.beside}", question.language)
    used = {name for criterion in drafted for name in criterion.facts}
    used_facts = tuple(fact for fact in facts if fact.id in used)
    return Rubric(
        id=question.id,
        question=question.text,
        case=question.case,
        language=question.language,
        drafted_by=f"extraction, {finder.name}",
        sources=tuple(doc.source for doc in chosen if any(fact.source == doc.source.id for fact in used_facts)),
        facts=used_facts,
        needs=tuple(each.need for each in needs if any(each.need.id in c.needs for c in drafted)),
        conflicts=conflicts(used_facts, question.language),
        criteria=drafted,
    )
