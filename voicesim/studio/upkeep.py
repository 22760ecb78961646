"""What a studio does by itself: visits older than its retention are deleted, with their sound, and sign-ins expire."""

import logging
import shutil
import threading
from datetime import timedelta

from sqlalchemy import delete, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from voicesim.studio.database import Database, now
from voicesim.studio.indexing import forget
from voicesim.studio.settings import Settings
from voicesim.studio.tables.audit import record
from voicesim.studio.tables.people import SignIn
from voicesim.studio.tables.visits import Visit

EVERY = 3600.0
_LOG = logging.getLogger("voicesim.studio")


class Upkeep:
    """A thread that looks after things once an hour."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings, self._database = settings, database
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="upkeep", daemon=True)

    def start(self) -> None:
        """Begin, with a first look at once."""
        self._thread.start()

    def close(self) -> None:
        """End."""
        self._closing.set()
        self._thread.join(5.0)

    def _loop(self) -> None:
        while True:
            try:
                look_after(self._settings, self._database)
            except (SQLAlchemyError, OSError):
                _LOG.exception("the upkeep is tried again later")
            if self._closing.wait(EVERY):
                return


def look_after(settings: Settings, database: Database) -> None:
    """Delete what is older than it may be."""
    with database.session() as session:
        session.execute(delete(SignIn).where(SignIn.expires < now()))
        if settings.retention_days is None:
            return
        oldest = (now() - timedelta(days=settings.retention_days)).isoformat(timespec="seconds")
        for place in session.scalars(select(Visit.place).where(Visit.started != "", Visit.started < oldest)).all():
            delete_visit(session, settings, place, "retention")


def delete_visit(session: Session, settings: Settings, place: str, who: str) -> None:
    """Remove a visit with its sound, and everything that was made from it."""
    folder = settings.recordings / place
    if folder.is_symlink():
        folder.unlink()
    elif folder.is_dir():
        shutil.rmtree(folder)
    forget(session, place)
    record(session, who, "delete visit", place)
