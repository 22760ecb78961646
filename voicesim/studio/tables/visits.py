"""The visits: an index of the recordings, which can be made anew from their folders, and the queue of those to run."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, DateTime, ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from voicesim.studio.database import Base, now


class Visit(Base):
    """A recording, as lists and searches need it. `place` is its folder under the recordings: SUITE/CALL.

    `state` is what the call came to (passed, failed, unscored, invalid); `said` is everything that was said in it.
    """

    __tablename__ = "visit"

    id: Mapped[int] = mapped_column(primary_key=True)
    place: Mapped[str] = mapped_column(String(400), unique=True)
    suite: Mapped[str] = mapped_column(String(255), index=True)
    call: Mapped[str] = mapped_column(String(255))
    case: Mapped[str] = mapped_column(String(120), index=True)
    case_sha: Mapped[str] = mapped_column(String(64), index=True)
    agent: Mapped[str] = mapped_column(String(300), index=True)
    persona: Mapped[str] = mapped_column(String(120))
    profile: Mapped[str] = mapped_column(String(120))
    mind: Mapped[str] = mapped_column(String(120))
    started: Mapped[str] = mapped_column(String(40), index=True)
    duration: Mapped[float | None]
    end_reason: Mapped[str] = mapped_column(String(40))
    state: Mapped[str] = mapped_column(String(20), index=True)
    reason: Mapped[str] = mapped_column(Text)
    score: Mapped[float | None]
    judge: Mapped[str] = mapped_column(String(120))
    manual: Mapped[bool]
    draft: Mapped[bool]
    stamp: Mapped[str] = mapped_column(String(80))
    said: Mapped[str] = mapped_column(Text)


class Run(Base):
    """A visit that somebody asked for: what was asked, how far it is, and where its recording is."""

    __tablename__ = "run"

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id", ondelete="SET NULL"))
    asked: Mapped[dict[str, Any]] = mapped_column(JSON)
    state: Mapped[str] = mapped_column(String(20), index=True, default="queued")
    step: Mapped[str] = mapped_column(String(100), default="")
    problem: Mapped[str] = mapped_column(Text, default="")
    place: Mapped[str] = mapped_column(String(400), default="")
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now)
    started: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    ended: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class ShareLink(Base):
    """A link by which whoever has it reads one card, until it expires or is taken back."""

    __tablename__ = "share_link"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    place: Mapped[str] = mapped_column(String(400), index=True)
    made_by: Mapped[str] = mapped_column(String(100))
    expires: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    revoked: Mapped[bool] = mapped_column(default=False)


class Webhook(Base):
    """Where the end of every run is told. An environment variable, named here, holds what signs it."""

    __tablename__ = "webhook"

    id: Mapped[int] = mapped_column(primary_key=True)
    url: Mapped[str] = mapped_column(String(500))
    secret_env: Mapped[str] = mapped_column(String(100))
    made_by: Mapped[str] = mapped_column(String(100))
    last: Mapped[str] = mapped_column(String(200), default="")
