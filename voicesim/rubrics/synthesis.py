"""Facts and needs -> criteria, without a model: one demand each, with points by what kind of fact it is."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from voicesim.language.entities import entities
from voicesim.language.topics import SIGN, topics, umbrellas
from voicesim.rubrics.facts import does
from voicesim.rubrics.intent import Wanted
from voicesim.rubrics.model import Axis, Criterion, EvidenceFact

MOST = 30
"""Criteria of a draft: those with the most points first, as many as a person can still read."""
_GRAVE = frozenset(("breathing", "chest_pain", "emergency", "emergency_care", "stroke_signs"))
_ASKS = re.compile(r"^(?:also )?(ask|find out|check|clarify|establish|enquire|inquire)\b", re.IGNORECASE)
_THIRD = {"check": "Checks", "establish": "Establishes", "clarify": "Clarifies", "find out": "Finds out"}


@dataclass(frozen=True)
class _Worth:
    points: int
    axis: Axis


def criteria(
    facts: Sequence[EvidenceFact], wanted: Iterable[Wanted], question: str, language: str = "en"
) -> tuple[Criterion, ...]:
    """The criteria of a draft, safety first. What a fact asks for is not asked for once more as a need."""
    about = _topics(question)
    drafted = [_of_fact(fact, about, language) for fact in facts]
    asked = {name for criterion in drafted if criterion.kind == "ask" for name in _named(criterion.cues)}
    drafted += [_of_need(each) for each in wanted if not (each.topics and set(each.topics) <= asked)]
    ordered = sorted(drafted, key=lambda criterion: -abs(criterion.points))
    return tuple(ordered[:MOST])


def _of_fact(fact: EvidenceFact, about: frozenset[str], language: str) -> Criterion:
    name, asks = f"c-{fact.id}", does("history", fact.says, language)
    worth = _asking(fact) if asks else _worth(fact, about, language)
    if fact.kind == "prohibition":
        says = f"Goes against this: {fact.says}"
        return Criterion(
            id=name, says=says, violation=says, axis=worth.axis, points=worth.points, facts=(fact.id,), cues=_cues(fact)
        )
    says = _third(fact.says) if asks else f"Tells, in any words: {fact.says}"
    return Criterion(
        id=name,
        says=says,
        axis=worth.axis,
        points=worth.points,
        kind="ask" if asks else "tell",
        facts=(fact.id,),
        cues=_cues(fact) if asks else (),
    )


def _asking(fact: EvidenceFact) -> _Worth:
    return _Worth(8 if _topics(fact.says) & _GRAVE else 5, "context_awareness")


def _worth(fact: EvidenceFact, about: frozenset[str], language: str) -> _Worth:
    """Prohibitions and emergencies are safety; what to do is completeness; what is so is detail."""
    if fact.kind == "prohibition":
        return _Worth(-9, "accuracy")
    if fact.kind == "red_flag":
        grave = does("emergency", fact.says, language)
        return _Worth(9 if grave and _topics(fact.says) & about else 7 if grave else 6, "completeness")
    kinds = {entity.kind for entity in entities(fact.says, language=language)}
    if {"medicine", "dose"} <= kinds:
        return _Worth(7, "accuracy")
    return _Worth(5, "completeness") if does("demand", fact.says, language) else _Worth(3, "accuracy")


def _of_need(wish: Wanted) -> Criterion:
    axes: dict[str, Axis] = {
        "instruction": "instruction_following",
        "cue": "communication_quality",
        "missing": "context_awareness",
    }
    need = wish.need
    return Criterion(
        id=f"c-{need.id}",
        says=need.says,
        axis=axes[need.kind],
        points=wish.points,
        kind="ask" if need.kind == "missing" else "tell",
        needs=(need.id,),
        cues=tuple(SIGN + name for name in wish.topics),
    )


def _third(says: str) -> str:
    """`Ask about smoking.` as what an answer does: `Asks about smoking.`"""
    verb = _ASKS.match(says)
    if not verb:
        return f"Asks what this calls for: {says}"
    word = verb[1].lower()
    return f"{_THIRD.get(word, 'Asks')}{says[verb.end() :]}"


def _cues(fact: EvidenceFact) -> tuple[str, ...]:
    """What the offline judge listens for: the topics of the fact, narrower ones before wider."""
    narrow = [name for name in dict.fromkeys(name for name, _ in topics(fact.says)) if name not in umbrellas()]
    return tuple(SIGN + name for name in narrow)


def _topics(text: str) -> frozenset[str]:
    return frozenset(name for name, _ in topics(text))


def _named(cues: Iterable[str]) -> list[str]:
    from voicesim.language.topics import condensed

    return [cue.removeprefix(SIGN) for cue in condensed(cues)]
