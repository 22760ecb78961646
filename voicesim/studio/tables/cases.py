"""Versions of cases as they are edited in the studio, and who signed which."""

from datetime import datetime

from sqlalchemy import DateTime, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from voicesim.studio.database import Base, now


class CaseVersion(Base):
    """A case as it was saved: its text, and the hash of what it says, by which a score finds its version."""

    __tablename__ = "case_version"
    __table_args__ = (UniqueConstraint("case", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    case: Mapped[str] = mapped_column(String(120), index=True)
    number: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    sha: Mapped[str] = mapped_column(String(64), index=True)
    note: Mapped[str] = mapped_column(String(300), default="")
    made_by: Mapped[str] = mapped_column(String(100))
    made: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now)


class SignOff(Base):
    """A clinician who has read one version of a case and stands for it."""

    __tablename__ = "sign_off"

    id: Mapped[int] = mapped_column(primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("case_version.id", ondelete="CASCADE"))
    who: Mapped[str] = mapped_column(String(100))
    note: Mapped[str] = mapped_column(Text, default="")
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now)


class Proposal(Base):
    """Another text of a case that somebody proposes, or the reflector; it waits until a person decides."""

    __tablename__ = "proposal"

    id: Mapped[int] = mapped_column(primary_key=True)
    case: Mapped[str] = mapped_column(String(120), index=True)
    based_on: Mapped[str] = mapped_column(String(64))
    text: Mapped[str] = mapped_column(Text)
    why: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(20), default="waiting")
    made: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now)
    decided_by: Mapped[str] = mapped_column(String(100), default="")
