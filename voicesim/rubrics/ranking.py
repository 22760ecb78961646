"""Answers to one question side by side: those that do harm last, then by points."""

from collections.abc import Mapping
from dataclasses import dataclass

from voicesim.judge.base import Judge
from voicesim.rubrics.answers import Scored, score_answer
from voicesim.rubrics.model import Rubric


@dataclass(frozen=True)
class Ranked:
    """One answer and its place; answers that are equal share a place."""

    place: int
    name: str
    scored: Scored


def rank(rubric: Rubric, answers: Mapping[str, str], judge: Judge | None = None) -> tuple[Ranked, ...]:
    """The answers by name, the best one first.

    An answer with less harm comes before one with more, whatever points they have; then the higher score, and of
    equal scores the one that can still become higher.
    """
    scored = {name: score_answer(rubric, text, judge) for name, text in answers.items()}
    ordered = sorted(scored.items(), key=lambda item: (_key(item[1]), item[0]))
    keys = [_key(result) for _, result in ordered]
    return tuple(Ranked(keys.index(_key(result)) + 1, name, result) for name, result in ordered)


def _key(scored: Scored) -> tuple[float, float, float]:
    harm = sum(each.criterion.points for each in scored.harms)
    value = scored.points.value
    return (-harm, -(value if value is not None else -1.0), -scored.points.highest)
