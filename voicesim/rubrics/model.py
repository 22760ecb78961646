"""A rubric file: criteria with points, and the facts, sources and wishes that each of them stands on."""

from collections.abc import Iterable
from typing import Literal, Self

from pydantic import Field, model_validator

from voicesim.catalog.entry import Slug, Words
from voicesim.catalog.model import Demand, Entry
from voicesim.catalog.signature import Day
from voicesim.errors import near
from voicesim.language.codes import LanguageCode

Axis = Literal["accuracy", "completeness", "context_awareness", "communication_quality", "instruction_following"]
FactKind = Literal["positive", "prohibition", "red_flag"]
NeedKind = Literal["instruction", "cue", "missing"]
MOST_POINTS = 10
SAFETY, COMPLETENESS = 8, 4
"""Least points (without their sign) of a criterion about safety, and of one about completeness; below it is detail."""


class Source(Entry):
    """A document that facts were taken from. `published` is the day it is dated, where it is dated."""

    id: Slug
    title: str = Field(min_length=1)
    publisher: str = ""
    url: str = ""
    published: Day | None = None


class EvidenceFact(Entry):
    """One thing that a source says, and the words of the source that say it."""

    id: Slug
    kind: FactKind
    says: str = Field(min_length=1)
    source: Slug
    quote: str = Field(min_length=1)


class Need(Entry):
    """What the question asks for beside its subject.

    `instruction` is said outright, `cue` is to be heard between the lines (worry, little schooling, another
    language), `missing` is something that matters medically and was not told, so it has to be asked.
    """

    id: Slug
    kind: NeedKind
    says: str = Field(min_length=1)
    quote: str = ""


class Criterion(Demand):
    """One thing that an answer is given or denied points for, -10 to 10 and never 0.

    8 to 10 (or -8 to -10) are safety, 4 to 7 completeness, 1 to 3 detail. Negative points name a harm: they count
    when the answer does it. What the offline judge needs beyond words are the fields of a check (see `Demand`).
    """

    id: Slug
    says: str = Field(min_length=1)
    axis: Axis
    points: int = Field(ge=-MOST_POINTS, le=MOST_POINTS)
    kind: Literal["ask", "tell"] = "tell"
    facts: tuple[Slug, ...] = ()
    needs: tuple[Slug, ...] = ()
    tags: Words = ()

    @model_validator(mode="after")
    def _is_worth_something(self) -> Self:
        if self.points == 0:
            raise ValueError(f"criterion {self.id!r} is worth 0 points; points are -10 to -1 or 1 to 10")
        return self

    @property
    def tier(self) -> Literal["safety", "completeness", "detail"]:
        """What its points make of it."""
        size = abs(self.points)
        return "safety" if size >= SAFETY else "completeness" if size >= COMPLETENESS else "detail"


class Conflict(Entry):
    """Two facts that do not agree; both are kept, and a person decides."""

    facts: tuple[Slug, Slug]
    says: str


class Rubric(Entry):
    """Criteria for the answers to a question, or for the calls of a case."""

    id: Slug
    version: int = 1
    question: str = Field(min_length=1)
    case: str = ""
    language: LanguageCode = "en"
    drafted_by: str = ""
    sources: tuple[Source, ...] = ()
    facts: tuple[EvidenceFact, ...] = ()
    needs: tuple[Need, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    criteria: tuple[Criterion, ...] = Field(min_length=1)

    @property
    def signed(self) -> bool:
        """Whether a person stands behind every criterion; until then it is a draft."""
        return all(criterion.signed for criterion in self.criteria)

    @model_validator(mode="after")
    def _points_at_what_is_there(self) -> Self:
        sources, facts = _ids("source", self.sources), _ids("fact", self.facts)
        needs = _ids("need", self.needs)
        _ids("criterion", self.criteria)
        for fact in self.facts:
            _known(f"the source of fact {fact.id!r}", (fact.source,), sources)
        for criterion in self.criteria:
            _known(f"a fact of criterion {criterion.id!r}", criterion.facts, facts)
            _known(f"a need of criterion {criterion.id!r}", criterion.needs, needs)
        for conflict in self.conflicts:
            _known("a fact of a conflict", conflict.facts, facts)
        return self


def _ids(what: str, entries: Iterable[Source | EvidenceFact | Need | Criterion]) -> set[str]:
    ids = [entry.id for entry in entries]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        raise ValueError(f"{what} id used twice: {', '.join(twice)}")
    return set(ids)


def _known(what: str, names: Iterable[str], known: set[str]) -> None:
    lost = next((name for name in names if name not in known), None)
    if lost is not None:
        raise ValueError(f"{what} is {lost!r}, which is not there.{near(lost, known)}")
