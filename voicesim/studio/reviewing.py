"""Review by people: which verdicts wait for them, what they say, and how far they agree."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from voicesim.bench.evaluation import Raters, raters
from voicesim.bench.labelling import Question as Asked
from voicesim.bench.labelling import Sheet, label, sheet
from voicesim.errors import UsageError
from voicesim.judge.gold import Label, append_gold, load_gold
from voicesim.judge.kept import load_verdicts
from voicesim.judge.model import Verdicts
from voicesim.studio.settings import Settings
from voicesim.studio.tables.audit import record
from voicesim.studio.tables.reviews import Question, Review

OPEN = ("disputed", "not_heard", "cannot_assess", "error")
"""Outcomes that a person has to decide."""
LABELS: tuple[Label, ...] = get_args(Label)
SAMPLE_SEED = 1
MOST = 200


def gold_file(settings: Settings) -> Path:
    """The labels of people, in the form that `voicesim judge-eval` reads."""
    return settings.data / "gold.jsonl"


def put_questions(session: Session, place: str, verdicts: Verdicts) -> None:
    """The verdicts of a visit as questions, in place of those that there were."""
    session.execute(delete(Question).where(Question.place == place))
    for verdict in verdicts.verdicts:
        session.add(
            Question(
                place=place, judge=verdicts.judge, check=verdict.check, group=verdict.group, outcome=verdict.outcome
            )
        )


def waiting(session: Session, who: str, kind: str, limit: int = MOST) -> list[Question]:
    """Questions that a person has not answered, critical ones first.

    `kind` is `disputed`, `undecided`, `differing` (people disagree) or `sampled` (twenty of the decided ones).
    """
    same = (Review.place == Question.place, Review.judge == Question.judge, Review.check == Question.check)
    answered = select(Review.id).where(*same, Review.who == who)
    chosen = select(Question).where(~answered.exists())
    if kind == "disputed":
        chosen = chosen.where(Question.outcome == "disputed")
    elif kind == "undecided":
        chosen = chosen.where(Question.outcome.in_(OPEN[1:]))
    elif kind == "differing":
        several = (
            select(Review.place)
            .where(*same)
            .group_by(Review.place)
            .having(func.count(func.distinct(Review.outcome)) > 1)
        )
        chosen = chosen.where(several.exists())
    else:
        ids = sorted(
            session.scalars(select(Question.id).where(Question.outcome.in_(("hit", "miss")), ~answered.exists()))
        )
        drawn = random.Random(SAMPLE_SEED).sample(ids, min(len(ids), 20))
        chosen = select(Question).where(Question.id.in_(drawn))
    critical_first = (Question.group != "critical", Question.id)
    return list(session.scalars(chosen.order_by(*critical_first).limit(limit)))


def question(settings: Settings, entry: Question) -> tuple[Sheet, Asked]:
    """The check and verdict of a question, with the words behind it. Raises UsageError when they are gone."""
    folder = settings.recordings / entry.place
    pages = sheet(folder, load_verdicts(folder, entry.judge))
    for asked in pages.questions:
        if asked.check.id == entry.check:
            return pages, asked
    raise UsageError(f"the verdict on {entry.check} of {entry.place} is gone")


def answer(session: Session, settings: Settings, entry: Question, outcome: str, reason: str, who: str) -> Review:
    """A person's verdict; it also becomes a label for the judge's evaluation. Raises UsageError without a reason."""
    if outcome not in LABELS:
        raise UsageError(f"a verdict is one of {', '.join(LABELS)}")
    if len(reason.strip()) < 3:
        raise UsageError("say why: a verdict without a reason helps nobody")
    key = {"place": entry.place, "judge": entry.judge, "check": entry.check, "who": who}
    if session.scalar(select(Review).filter_by(**key)):
        raise UsageError("you have answered this already")
    pages, asked = question(settings, entry)
    gold = gold_file(settings)
    right: Label = next(name for name in LABELS if name == outcome)
    append_gold(gold, [label(pages, asked, gold, who, right, reason.strip()[:2000])])
    review = Review(**key, outcome=outcome, reason=reason.strip()[:2000], judge_outcome=entry.outcome)
    session.add(review)
    record(session, who, "review", f"{entry.place} {entry.check}: {outcome}")
    return review


def reviews(session: Session, entry: Question) -> Sequence[Review]:
    """What people said of a verdict, the first one first."""
    key = {"place": entry.place, "judge": entry.judge, "check": entry.check}
    return session.scalars(select(Review).filter_by(**key).order_by(Review.id)).all()


def agreement(settings: Settings) -> tuple[Raters, ...]:
    """How far each two people agree on what both have answered."""
    path = gold_file(settings)
    return raters(load_gold(path)) if path.is_file() else ()
