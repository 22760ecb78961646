"""A rubric as the checks of a case, and back."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from voicesim.catalog.model import Case, Check, Cited, Demand, Group, Patient, Reference
from voicesim.catalog.signature import Signature
from voicesim.errors import UsageError, near
from voicesim.rubrics.model import (
    COMPLETENESS,
    MOST_POINTS,
    SAFETY,
    Criterion,
    EvidenceFact,
    Rubric,
    Source,
)

_DIGITS = 4
"""Of a check's weight."""


def checks(rubric: Rubric) -> tuple[Check, ...]:
    """The criteria as checks: weights are their points without sign, made to add up to 1.

    Criteria of safety are critical, questions are must_ask, the rest is close; negative points are `avoid`.
    """
    weights = shares([abs(criterion.points) for criterion in rubric.criteria])
    return tuple(_check(criterion, weight, rubric) for criterion, weight in zip(rubric.criteria, weights, strict=True))


def shares(points: Sequence[int]) -> list[float]:
    """Weights in proportion to points, rounded to four digits, that add up to exactly 1.

    What rounding leaves over goes to those it took most from (largest remainder).

    >>> shares([9, 9, 9])
    [0.3334, 0.3333, 0.3333]
    """
    unit = 10**_DIGITS
    exact = [unit * point / sum(points) for point in points]
    rounded = [max(1, int(value)) for value in exact]
    order = sorted(range(len(points)), key=lambda place: (rounded[place] - exact[place], place))
    for step in range(abs(unit - sum(rounded))):
        place = order[step % len(order)] if sum(rounded) < unit else max(range(len(rounded)), key=rounded.__getitem__)
        rounded[place] += 1 if sum(rounded) < unit else -1
    return [value / unit for value in rounded]


def _check(criterion: Criterion, weight: float, rubric: Rubric) -> Check:
    avoid = criterion.points < 0
    return Check(
        **_demand(criterion) | {"violation": (criterion.violation or criterion.says) if avoid else ""},
        id=criterion.id,
        group=_group(criterion),
        kind="avoid" if avoid else criterion.kind,
        weight=weight,
        expect=f"Does not do this: {criterion.says}" if avoid else criterion.says,
        sources=cited(criterion, rubric),
    )


def _demand(entry: Demand) -> dict[str, Any]:
    """What a check and a criterion have in common."""
    return {name: getattr(entry, name) for name in Demand.model_fields}


def _group(criterion: Criterion) -> Group:
    if abs(criterion.points) >= SAFETY:
        return "critical"
    return "must_ask" if criterion.kind == "ask" and criterion.points > 0 else "close"


def cited(criterion: Criterion, rubric: Rubric) -> tuple[Cited, ...]:
    """What a criterion stands on: of each of its facts the source and the words."""
    sources = {source.id: source for source in rubric.sources}
    facts = {fact.id: fact for fact in rubric.facts}
    pairs = [(facts[name], sources[facts[name].source]) for name in criterion.facts]
    return tuple(
        Cited(title=source.title, publisher=source.publisher, url=source.url, published=source.published, quote=f.quote)
        for f, source in pairs
    )


def to_case(rubric: Rubric, base: Case | None = None) -> Case:
    """A case with the rubric's criteria as its checks: `base` with another rubric, or one whose patient has only the
    question to say. It is a draft until a person has signed every check.
    """
    status = "reviewed" if rubric.signed else "draft"
    if base is not None:
        keep = {check.id for check in base.rubric} & {criterion.id for criterion in rubric.criteria}
        urgent = base.urgent if base.urgent and base.urgent.instruction in keep else None
        return Case.model_validate(
            {**base.model_dump(), "rubric": checks(rubric), "clinical_status": status, "urgent": urgent}
        )
    patient = Patient(name="Sam", age=40, sex="not told", persona="calm-professional", says_first=rubric.question)
    references = tuple(
        Reference(source=source.publisher or source.title, topic=source.title, fact=_first(rubric.facts, source))
        for source in rubric.sources
        if any(fact.source == source.id for fact in rubric.facts)
    )
    return Case(
        id=rubric.id,
        title=rubric.question[:80],
        language=rubric.language,
        clinical_status=status,
        references=references,
        patient=patient,
        rubric=checks(rubric),
    )


def _first(facts: Sequence[EvidenceFact], source: Source) -> str:
    return next(fact.says for fact in facts if fact.source == source.id)


def from_case(case: Case) -> Rubric:
    """The checks of a case as criteria: the heaviest of each group has the most points its group allows.

    Checks of code and of order say nothing that an answer could be scored by, and are left out. Raises ValueError
    when no check is left.
    """
    scorable = [check for check in case.rubric if check.kind in ("ask", "tell", "avoid")]
    sources, facts = _evidence(scorable)
    return Rubric(
        id=case.id,
        version=case.version,
        question=case.patient.says_first,
        case=case.id,
        language=case.language,
        drafted_by="the checks of the case",
        sources=sources,
        facts=facts,
        criteria=tuple(_criterion(check, _points(check, scorable), facts) for check in scorable),
    )


def _points(check: Check, checks: Sequence[Check]) -> int:
    heaviest = max(other.weight for other in checks if (other.group == "critical") == (check.group == "critical"))
    most, least = (MOST_POINTS, SAFETY) if check.group == "critical" else (SAFETY - 1, COMPLETENESS - 1)
    size = least + round((most - least) * check.weight / heaviest)
    return -size if check.kind == "avoid" else size


def _evidence(checks: Sequence[Check]) -> tuple[tuple[Source, ...], tuple[EvidenceFact, ...]]:
    from voicesim.catalog.load import id_from_name
    from voicesim.rubrics.facts import kind_of

    sources: dict[str, Source] = {}
    facts: list[EvidenceFact] = []
    for check in checks:
        for cite in check.sources:
            name = id_from_name(Path(cite.title))
            sources[name] = Source(
                id=name, title=cite.title, publisher=cite.publisher, url=cite.url, published=cite.published
            )
            number = sum(fact.id.startswith(f"{check.id}-") for fact in facts) + 1
            facts.append(
                EvidenceFact(
                    id=f"{check.id}-{number}",
                    kind=kind_of(cite.quote) or "positive",
                    says=cite.quote,
                    source=name,
                    quote=cite.quote,
                )
            )
    return tuple(sources.values()), tuple(facts)


def _criterion(check: Check, points: int, facts: Sequence[EvidenceFact]) -> Criterion:
    return Criterion(
        **_demand(check),
        id=check.id,
        says=check.violation if check.kind == "avoid" else check.expect,
        axis="context_awareness"
        if check.kind == "ask"
        else "accuracy"
        if check.group == "critical"
        else "completeness",
        points=points,
        kind="ask" if check.kind == "ask" else "tell",
        facts=tuple(fact.id for fact in facts if fact.id.startswith(f"{check.id}-")),
    )


def signed(rubric: Rubric, by: str, on: date, only: Sequence[str] = ()) -> Rubric:
    """The rubric with a person's name behind its criteria, or some of them. Raises UsageError for one it lacks."""
    known = {criterion.id for criterion in rubric.criteria}
    lost = next((name for name in only if name not in known), None)
    if lost is not None:
        raise UsageError(f"rubric {rubric.id} has no criterion {lost!r}.{near(lost, known)}")
    name = Signature(by=by, on=on.isoformat())
    criteria = tuple(
        criterion.model_copy(update={"signed": name}) if not only or criterion.id in only else criterion
        for criterion in rubric.criteria
    )
    return rubric.model_copy(update={"criteria": criteria})
