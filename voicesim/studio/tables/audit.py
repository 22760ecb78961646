"""Who did what, and when."""

from datetime import datetime

from sqlalchemy import DateTime, String
from sqlalchemy.orm import Mapped, Session, mapped_column

from voicesim.studio.database import Base, now


class AuditEntry(Base):
    """One deed. `who` is a name and not a reference: it stays when the person goes."""

    __tablename__ = "audit"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now, index=True)
    who: Mapped[str] = mapped_column(String(100))
    action: Mapped[str] = mapped_column(String(60))
    about: Mapped[str] = mapped_column(String(300), default="")


def record(session: Session, who: str, action: str, about: str = "") -> None:
    """Write down a deed; it is kept when the session's block ends well."""
    session.add(AuditEntry(who=who, action=action, about=about[:300]))
