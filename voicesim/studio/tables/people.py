"""Who may use the studio, and what they have in hand: signed-in browsers, tokens, invitations."""

from datetime import datetime

from sqlalchemy import DateTime, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column, relationship

from voicesim.studio.database import Base, now


class Person(Base):
    """Somebody with a role. Without a password hash they sign in by OIDC only, as `subject`."""

    __tablename__ = "person"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(100), unique=True)
    password_hash: Mapped[str | None] = mapped_column(String(300))
    subject: Mapped[str | None] = mapped_column(String(300), unique=True)
    role: Mapped[str] = mapped_column(String(20))
    active: Mapped[bool] = mapped_column(default=True)
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now)


class SignIn(Base):
    """A browser that somebody signed in with. Only a hash of what its cookie holds is kept."""

    __tablename__ = "sign_in"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"))
    csrf: Mapped[str] = mapped_column(String(64))
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now)
    expires: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    person: Mapped[Person] = relationship(lazy="joined")


class Token(Base):
    """What a program signs in with in somebody's name; only its hash is kept."""

    __tablename__ = "token"

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(100))
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now)
    used: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    person: Mapped[Person] = relationship(lazy="joined")


class Invitation(Base):
    """A link that makes one account with a role, once."""

    __tablename__ = "invitation"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    role: Mapped[str] = mapped_column(String(20))
    expires: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    used: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
