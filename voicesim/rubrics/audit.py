"""What is wrong with a rubric, found by code: each finding names the criterion and what would be right."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from voicesim.language.entities import alike, entities
from voicesim.rubrics.documents import Document
from voicesim.rubrics.facts import does, quoted
from voicesim.rubrics.model import SAFETY, Criterion, Rubric
from voicesim.rubrics.retrieval import content
from voicesim.rubrics.synthesis import AGAINST

Rule = Literal[
    "duplicate",
    "contradiction",
    "tier",
    "old_source",
    "two_demands",
    "not_checkable",
    "no_safety",
    "no_source",
    "quote_not_found",
]
_SAME = 0.8
_BOTH = 0.6
"""Share of their words from which two criteria are the same, and from which they speak of the same thing."""
YEARS = 5.0
_DAYS = 365.25


@dataclass(frozen=True)
class Finding:
    """One thing to repair; `criterion` is its id, "" where it is of the whole rubric."""

    rule: Rule
    criterion: str
    says: str

    def __str__(self) -> str:
        return f"{self.criterion or 'the rubric'}: {self.says}"


@dataclass(frozen=True)
class Limits:
    """How old a source may be (years), and the day from which that is counted."""

    today: date
    years: float = YEARS


def audit(rubric: Rubric, limits: Limits, documents: Sequence[Document] = ()) -> tuple[Finding, ...]:
    """All findings of code, rule by rule. With documents, quotes are looked up in them."""
    findings = [finding for rule in RULES for finding in rule(rubric)]
    return (*findings, *_old(rubric, limits), *_lost_quotes(rubric, documents))


def _duplicates(rubric: Rubric) -> Iterator[Finding]:
    for first, second in _pairs(rubric.criteria):
        same_side = (first.points > 0) == (second.points > 0) and first.kind == second.kind
        if same_side and _alike(first, second, _SAME):
            yield Finding("duplicate", second.id, f"asks for the same as {first.id}; keep one of them")


def _contradictions(rubric: Rubric) -> Iterator[Finding]:
    """Two that cannot both be met: the same demand and its contrary, or another figure for the same thing."""
    for first, second in _pairs(rubric.criteria):
        if first.kind != second.kind or not _alike(first, second, _BOTH):
            continue
        if _against(first) != _against(second):
            yield Finding("contradiction", second.id, f"wants the contrary of {first.id}")
        elif other := _other_figure(first, second):
            yield Finding("contradiction", second.id, f"has another figure than {first.id}: {other}")


def _tiers(rubric: Rubric) -> Iterator[Finding]:
    """Safety is 8 to 10 points. Whether something is safety is told by its facts, else by its words."""
    kinds = {fact.id: fact.kind for fact in rubric.facts}
    for criterion in rubric.criteria:
        prohibited = any(kinds[name] == "prohibition" for name in criterion.facts)
        grave = does("safety", criterion.says) and not criterion.facts
        if (prohibited or grave) and abs(criterion.points) < SAFETY and does("emergency", criterion.says):
            yield Finding(
                "tier", criterion.id, f"is about safety and worth {criterion.points}; safety is 8 to 10 points"
            )
        elif criterion.tier == "safety" and not (criterion.facts or criterion.needs or grave):
            yield Finding(
                "tier", criterion.id, f"is worth {criterion.points}, and nothing shows that it is about safety"
            )


def _doubled(rubric: Rubric) -> Iterator[Finding]:
    for criterion in rubric.criteria:
        if not criterion.facts and does("several", criterion.says):
            yield Finding("two_demands", criterion.id, "makes two demands; split it, so that each can be met alone")


def _unseen(rubric: Rubric) -> Iterator[Finding]:
    for criterion in rubric.criteria:
        if not criterion.facts and does("unseen", criterion.says):
            yield Finding("not_checkable", criterion.id, "cannot be checked from words; say what has to be said")


def _unsafe(rubric: Rubric) -> Iterator[Finding]:
    flags = [fact.id for fact in rubric.facts if fact.kind == "red_flag"]
    if flags and not any(criterion.tier == "safety" for criterion in rubric.criteria):
        yield Finding("no_safety", "", f"has a red flag ({flags[0]}) and no criterion of safety (8 to 10 points)")


def _unfounded(rubric: Rubric) -> Iterator[Finding]:
    for criterion in rubric.criteria:
        if not (criterion.facts or criterion.needs) and not criterion.signed:
            yield Finding("no_source", criterion.id, "points at no fact and at nothing in the question")


def _old(rubric: Rubric, limits: Limits) -> Iterator[Finding]:
    for source in rubric.sources:
        if source.published is None:
            yield Finding("old_source", "", f"source {source.id} has no date")
        elif (age := (limits.today - date.fromisoformat(source.published)).days / _DAYS) > limits.years:
            yield Finding("old_source", "", f"source {source.id} is {age:.0f} years old; at most {limits.years:g}")


def _lost_quotes(rubric: Rubric, documents: Sequence[Document]) -> Iterator[Finding]:
    known = {document.source.id: document for document in documents}
    for fact in rubric.facts if documents else ():
        document = known.get(fact.source)
        if document is None:
            yield Finding("quote_not_found", "", f"fact {fact.id}: its source {fact.source} is not in the folder")
        elif not quoted(fact.quote, document):
            yield Finding("quote_not_found", "", f"fact {fact.id}: its quote is not in {fact.source}")


RULES: tuple[Callable[[Rubric], Iterator[Finding]], ...] = (
    _duplicates,
    _contradictions,
    _tiers,
    _doubled,
    _unseen,
    _unsafe,
    _unfounded,
)


def _pairs(criteria: Sequence[Criterion]) -> Iterator[tuple[Criterion, Criterion]]:
    for number, first in enumerate(criteria):
        for second in criteria[number + 1 :]:
            yield first, second


def _alike(first: Criterion, second: Criterion, share: float) -> bool:
    mine, other = _core(first), _core(second)
    figures = [{str(entity.value) for entity in entities(each.says) if entity.value} for each in (first, second)]
    if share == _SAME and figures[0] != figures[1]:
        return False
    return bool(mine and other) and len(mine & other) >= share * max(len(mine), len(other))


def _core(criterion: Criterion) -> frozenset[str]:
    return content(criterion.says) - {"word", "against", "goe"}


def _against(criterion: Criterion) -> bool:
    """Whether a criterion wants something not to be done: it takes points for doing it, or gives them for a warning."""
    says = criterion.says
    if says.startswith(AGAINST):
        return does("prohibition", says.removeprefix(AGAINST))
    return does("prohibition", says.partition(": ")[2] or says) != (criterion.points < 0)


def _other_figure(first: Criterion, second: Criterion) -> str:
    mine, others = ([entity for entity in entities(each.says) if entity.value] for each in (first, second))
    if not _alike(first, second, _SAME - 0.1) and not (mine and others):
        return ""
    for figure in mine:
        rivals = [other for other in others if getattr(other.value, "unit", "") == getattr(figure.value, "unit", None)]
        if rivals and not any(alike(figure, other) for other in rivals):
            return f"{figure.text} against {rivals[0].text}"
    return ""
