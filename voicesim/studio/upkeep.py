"""What a studio does by itself: it finds new recordings, deletes visits that are too old, and forgets old sign-ins."""

import logging
import shutil
import threading
from datetime import timedelta
from itertools import chain, repeat

from sqlalchemy import delete, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from voicesim.studio.database import Database, now
from voicesim.studio.indexing import forget, index
from voicesim.studio.settings import Settings
from voicesim.studio.tables.audit import record
from voicesim.studio.tables.people import SignIn
from voicesim.studio.tables.visits import Visit

FIRST, EVERY = 45.0, 300.0
"""Seconds until the second look, by when calls of a studio that was killed are whole, and from each to the next."""
_LOG = logging.getLogger("voicesim.studio")


class Upkeep:
    """A thread that looks after things every few minutes."""

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
        for pause in chain((FIRST,), repeat(EVERY)):
            try:
                look_after(self._settings, self._database)
            except (SQLAlchemyError, OSError):
                _LOG.exception("the upkeep is tried again later")
            if self._closing.wait(pause):
                return


def look_after(settings: Settings, database: Database) -> None:
    """Find what was recorded by others or cut off, and delete what is older than it may be."""
    index(database, settings.recordings)
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
