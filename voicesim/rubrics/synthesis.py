"""Facts and needs -> criteria, without a model: one demand each, with points by what kind of fact it is."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from voicesim.language.data import load
from voicesim.language.entities import entities
from voicesim.language.grammar import word_set
from voicesim.language.topics import SIGN, topics, umbrellas
from voicesim.rubrics.facts import does
from voicesim.rubrics.intent import Wanted
from voicesim.rubrics.model import Axis, Criterion, EvidenceFact

AGAINST = "Goes against this: "
"""Before the words of a prohibition, in a criterion that takes points for the harm."""
MOST = 30
"""Criteria of a draft: those with the most points first, as many as a person can still read."""
_GRAVE = frozenset(("breathing", "chest_pain", "emergency", "emergency_care", "stroke_signs"))
_EVERYWHERE = word_set(
    "activity age appointment care child_places cold conditions course details doctor duration emergency "
    "emergency_care exposure frequency home medicines mood name past_care people reaching sleep "
    "supportive symptoms visit work"
)
"""Topics that tell nothing of whether a fact is about the question."""
_ASKS = re.compile(r"^(?:also )?(ask|find out|check|clarify|establish|enquire|inquire)\b", re.IGNORECASE)
_THIRD = {"check": "Checks", "establish": "Establishes", "clarify": "Clarifies", "find out": "Finds out"}


@dataclass(frozen=True)
class _Worth:
    points: int
    axis: Axis


def criteria(
    facts: Sequence[EvidenceFact], wanted: Iterable[Wanted], about: str, language: str = "en"
) -> tuple[Criterion, ...]:
    """The criteria of a draft, safety first. What a fact asks for is not asked for once more as a need.

    `about` are the words of the question and whatever else is known of the person: a fact that shares no topic with
    them is worth less.
    """
    subjects = _topics(about) - _EVERYWHERE
    drafted = [criterion for fact in facts for criterion in _of_fact(fact, subjects, language)]
    asked = {name for criterion in drafted if criterion.kind == "ask" for name in _named(criterion.cues)}
    drafted += [_of_need(each) for each in wanted if not (each.topics and set(each.topics) <= asked)]
    ordered = sorted(drafted, key=lambda criterion: -abs(criterion.points))
    return tuple(ordered[:MOST])


def _of_fact(fact: EvidenceFact, about: frozenset[str], language: str) -> Iterator[Criterion]:
    """A prohibition makes two: the harm of going against it, and the warning that a good answer gives."""
    name = f"c-{fact.id}"
    if does("history", fact.says, language):
        worth, cues = _asking(fact), _asked(fact)
        yield _criterion(name, _third(fact.says), worth, fact, kind="ask", cues=cues)
        return
    if fact.kind == "prohibition":
        harm = f"{AGAINST}{fact.says}"
        worth = _worth(fact, about, language)
        yield _criterion(f"{name}-harm", harm, worth, fact, violation=harm, cues=_forbidden(fact, language))
        yield _criterion(
            name, f"Warns, in any words: {fact.says}", _Worth(6 if worth.points < -5 else 4, "completeness"), fact
        )
        return
    yield _criterion(name, f"Tells, in any words: {fact.says}", _worth(fact, about, language), fact)


def _criterion(name: str, says: str, worth: _Worth, fact: EvidenceFact, **more: Any) -> Criterion:
    return Criterion(id=name, says=says, axis=worth.axis, points=worth.points, facts=(fact.id,), **more)


def _asking(fact: EvidenceFact) -> _Worth:
    return _Worth(8 if _topics(fact.says) & _GRAVE else 5, "context_awareness")


def _worth(fact: EvidenceFact, about: frozenset[str], language: str) -> _Worth:
    """Prohibitions and emergencies are safety; what to do is completeness; what is so is detail."""
    near = bool(_topics(fact.says) & about)
    if fact.kind == "prohibition":
        return _Worth(-9 if near else -5, "accuracy")
    if fact.kind == "red_flag":
        grave = does("emergency", fact.says, language)
        return _Worth(9 if grave and near else 6 if near else 4, "completeness")
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


def _asked(fact: EvidenceFact) -> tuple[str, ...]:
    """What the offline judge listens for in a question: the topics of the fact that are not about everything."""
    narrow = [name for name in dict.fromkeys(name for name, _ in topics(fact.says)) if name not in umbrellas()]
    return tuple(SIGN + name for name in narrow)


def _forbidden(fact: EvidenceFact, language: str) -> tuple[str, ...]:
    """The medicines that a prohibition is about; none where it forbids an amount or a combination only."""
    if does("bounded", fact.says, language):
        return ()
    ingredients = load("medicines", language)["ingredients"]
    return tuple(SIGN + name for name in dict.fromkeys(name for name, _ in topics(fact.says)) if name in ingredients)


def _topics(text: str) -> frozenset[str]:
    return frozenset(name for name, _ in topics(text))


def _named(cues: Iterable[str]) -> list[str]:
    from voicesim.language.topics import condensed

    return [cue.removeprefix(SIGN) for cue in condensed(cues)]
