"""Verdicts that wait for people, and what people said of verdicts."""

from datetime import datetime

from sqlalchemy import DateTime, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from voicesim.studio.database import Base, now


class Question(Base):
    """A verdict that a person may be asked about: one that is disputed or undecided, or any other, for samples.

    `lot` is drawn once for each; the lowest are the sample.
    """

    __tablename__ = "question"
    __table_args__ = (UniqueConstraint("place", "judge", "check"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    place: Mapped[str] = mapped_column(String(400), index=True)
    judge: Mapped[str] = mapped_column(String(120))
    check: Mapped[str] = mapped_column(String(120))
    group: Mapped[str] = mapped_column(String(20))
    outcome: Mapped[str] = mapped_column(String(20), index=True)
    lot: Mapped[int] = mapped_column(index=True, default=0)


class Review(Base):
    """A person's own verdict on one check of one visit, with the reason for it; each person has one a check.

    `likeness`: how a model finds the person's reason beside the judge's (same evidence, other reasons, misread rule).
    """

    __tablename__ = "review"
    __table_args__ = (UniqueConstraint("place", "judge", "check", "who"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    place: Mapped[str] = mapped_column(String(400), index=True)
    judge: Mapped[str] = mapped_column(String(120))
    check: Mapped[str] = mapped_column(String(120))
    outcome: Mapped[str] = mapped_column(String(20))
    reason: Mapped[str] = mapped_column(Text)
    who: Mapped[str] = mapped_column(String(100))
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now)
    judge_outcome: Mapped[str] = mapped_column(String(20))
    likeness: Mapped[str] = mapped_column(String(40), default="")
    likeness_why: Mapped[str] = mapped_column(Text, default="")
