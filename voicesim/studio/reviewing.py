"""Review by people: which verdicts wait for them, what they say, and how far they agree."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from voicesim.bench import figures
from voicesim.bench.evaluation import Raters, raters
from voicesim.bench.labelling import Question as Asked
from voicesim.bench.labelling import Sheet, label, sheet
from voicesim.bench.rates import rate
from voicesim.errors import UsageError, VoicesimError
from voicesim.judge.gold import Label, label_of, load_gold, put_gold
from voicesim.judge.kept import load_verdicts
from voicesim.judge.model import Verdicts
from voicesim.studio.database import Database
from voicesim.studio.likeness import likeness
from voicesim.studio.model import model_of
from voicesim.studio.settings import Settings
from voicesim.studio.tables.audit import record
from voicesim.studio.tables.reviews import Question, Review

OPEN = ("disputed", "not_heard", "cannot_assess", "error")
"""Outcomes that a person has to decide."""
LABELS: tuple[Label, ...] = get_args(Label)
SAMPLE_SEED = 1
LEAST_SAMPLED, SAMPLED = 20, 0.05
"""How many decided verdicts are drawn for people: at least so many, and this share of all."""
MOST = 200


def gold_file(settings: Settings) -> Path:
    """The labels of people, in the form that `voicesim judge-eval` reads."""
    return settings.data / "gold.jsonl"


def put_questions(session: Session, place: str, verdicts: Verdicts) -> None:
    """The verdicts of a visit as questions. One that was there keeps its number: somebody may be reading it."""
    before = {(entry.judge, entry.check): entry for entry in session.scalars(select(Question).filter_by(place=place))}
    for verdict in verdicts.verdicts:
        entry = before.pop((verdicts.judge, verdict.check), None)
        if entry is None:
            lot = _lot(place, verdicts.judge, verdict.check)
            entry = Question(place=place, judge=verdicts.judge, check=verdict.check, lot=lot)
            session.add(entry)
        entry.group, entry.outcome = verdict.group, verdict.outcome
    for entry in before.values():
        session.delete(entry)


def _lot(place: str, judge: str, check: str) -> int:
    """The number by which a verdict is drawn: the lowest are in the sample, the same for everybody."""
    name = f"{SAMPLE_SEED} {place} {judge} {check}"
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") >> 1


def waiting(session: Session, who: str, kind: str, limit: int = MOST) -> list[Question]:
    """What a person may look at, critical checks first: `disputed`, `undecided` and `sampled` verdicts that this person
    has not answered, and `differing` ones, on which people disagree.
    """
    same = (Review.place == Question.place, Review.judge == Question.judge, Review.check == Question.check)
    chosen = select(Question)
    if kind == "differing":
        several = select(Review.place).where(*same).group_by(Review.place)
        chosen = chosen.where(several.having(func.count(func.distinct(Review.outcome)) > 1).exists())
    else:
        chosen = chosen.where(~select(Review.id).where(*same, Review.who == who).exists())
    if kind == "disputed":
        chosen = chosen.where(Question.outcome == "disputed")
    elif kind == "undecided":
        chosen = chosen.where(Question.outcome.in_(OPEN[1:]))
    elif kind == "sampled":
        chosen = chosen.where(Question.id.in_(_sample(session)))
    critical_first = (Question.group != "critical", Question.id)
    return list(session.scalars(chosen.order_by(*critical_first).limit(limit)))


def _sample(session: Session) -> list[int]:
    """The decided verdicts that are drawn for people: a share of all of them, and not fewer than some."""
    decided = Question.outcome.in_(("hit", "miss"))
    count = session.scalar(select(func.count()).select_from(Question).where(decided)) or 0
    size = min(max(LEAST_SAMPLED, round(count * SAMPLED)), MOST)
    return list(session.scalars(select(Question.id).where(decided).order_by(Question.lot, Question.id).limit(size)))


def question(settings: Settings, entry: Question) -> tuple[Sheet, Asked]:
    """The check and verdict of a question, with the words behind it. Raises UsageError when they are gone."""
    folder = settings.recordings / entry.place
    pages = sheet(folder, load_verdicts(folder, entry.judge))
    for asked in pages.questions:
        if asked.check.id == entry.check:
            return pages, asked
    raise UsageError(f"the verdict on {entry.check} of {entry.place} is gone")


def answer(session: Session, settings: Settings, entry: Question, outcome: str, reason: str, who: str) -> Review:
    """A person's verdict; it also becomes a label for the judge's evaluation, in place of an earlier one of theirs.

    Raises UsageError without a reason, and for a second answer.
    """
    if outcome not in LABELS:
        raise UsageError(f"a verdict is one of {', '.join(LABELS)}")
    if len(reason.strip()) < 3:
        raise UsageError("say why: a verdict without a reason helps nobody")
    key = {"place": entry.place, "judge": entry.judge, "check": entry.check, "who": who}
    if session.scalar(select(Review).filter_by(**key)):
        raise UsageError("you have answered this already")
    pages, asked = question(settings, entry)
    right: Label = next(name for name in LABELS if name == outcome)
    review = Review(**key, outcome=outcome, reason=reason.strip()[:2000], judge_outcome=asked.verdict.outcome)
    session.add(review)
    record(session, who, "review", f"{entry.place} {entry.check}: {outcome}")
    session.flush()
    gold = gold_file(settings)
    row = label(pages, asked, gold, who, right, review.reason)
    put_gold(gold, row.model_copy(update={"item": entry.place}))
    return review


def compare_reasons(settings: Settings, database: Database, review_id: int) -> None:
    """Let the studio's model say how a person's reason compares with the judge's, or why it could not."""
    with database.session() as session:
        review = session.get(Review, review_id)
        if review is None:
            return
        given = {"place": review.place, "judge": review.judge, "check": review.check}
        entry = session.scalar(select(Question).filter_by(**given))
        outcome, reason = next(name for name in LABELS if name == review.outcome), review.reason
    says, why = "", ""
    try:
        if entry is not None:
            compared = likeness(question(settings, entry)[1], outcome, reason, model_of(settings))
            says, why = compared.says, compared.why
    except VoicesimError as error:
        says, why = "not compared", str(error)
    with database.session() as session:
        session.execute(update(Review).where(Review.id == review_id).values(likeness=says, likeness_why=why[:500]))


def reviews(session: Session, entry: Question) -> Sequence[Review]:
    """What people said of a verdict, the first one first."""
    key = {"place": entry.place, "judge": entry.judge, "check": entry.check}
    return session.scalars(select(Review).filter_by(**key).order_by(Review.id)).all()


def agreement(settings: Settings) -> tuple[Raters, ...]:
    """How far each two people agree on what both have answered, and then how far people agree with each judge.

    Raises UsageError when the file of labels was spoiled by hand.
    """
    path = gold_file(settings)
    rows = load_gold(path) if path.is_file() else ()
    judged = [(row, row.outcome) for row in rows if row.judge and row.outcome is not None]
    with_judges = []
    for judge in sorted({row.judge for row, _ in judged}):
        pairs = Counter[tuple[str, str]]((row.label, label_of(said)) for row, said in judged if row.judge == judge)
        same = sum(count for (person, said), count in pairs.items() if person == said)
        rated = rate(same, pairs.total())
        with_judges.append(Raters(one="people", other=judge, agreement=rated, kappa=figures.kappa(pairs)))
    return (*raters(rows), *with_judges)
