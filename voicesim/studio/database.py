"""The studio's database: SQLite in one file, or PostgreSQL by a URL. It indexes; the recordings stay folders."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Session, sessionmaker

from voicesim.errors import UsageError

BUSY = 5.0
"""Seconds that a write to SQLite waits for another one."""
_DRIVERS = {"postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg"}


class Base(DeclarativeBase):
    """What every table of the studio is."""


class Database:
    """Sessions of one database. Close it when the studio ends."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._sessions = sessionmaker(engine, expire_on_commit=False)

    @property
    def dialect(self) -> str:
        """`sqlite` or `postgresql`."""
        return self.engine.dialect.name

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A session that commits when its block ends well, and takes everything back when it does not."""
        with self._sessions.begin() as session:
            yield session

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def open_database(url: str) -> Database:
    """Open a database by its URL, and bring its tables forward to this version.

    The file of SQLite is copied first when there is something to change. Raises UsageError for a URL that names no
    database, or a database that cannot be reached.
    """
    try:
        engine = _engine(url)
        _forward(engine)
    except SQLAlchemyError as error:
        detail = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise UsageError(f"the studio's database cannot be opened: {detail}") from error
    return Database(engine)


def now() -> datetime:
    """The time now, in UTC."""
    return datetime.now(UTC)


def _engine(url: str) -> Engine:
    scheme, separator, rest = url.partition("://")
    address = f"{_DRIVERS.get(scheme, scheme)}{separator}{rest}"
    if not address.startswith("sqlite"):
        return create_engine(address, pool_pre_ping=True, pool_size=10, connect_args={"connect_timeout": 5})
    engine = create_engine(address, connect_args={"timeout": BUSY, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _: object) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", f"busy_timeout={BUSY * 1000:.0f}"):
            connection.execute(f"PRAGMA {pragma}")

    return engine


def _forward(engine: Engine) -> None:
    """Run the migrations that this database has not seen."""
    from alembic import command
    from alembic.config import Config
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with engine.connect() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
    if current == ScriptDirectory.from_config(config).get_current_head():
        return
    if current is not None and engine.dialect.name == "sqlite":
        back_up(engine, Path(f"{engine.url.database}.before-{current}"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def back_up(engine: Engine, to: Path) -> None:
    """Copy a SQLite database, whole even while others write to it."""
    source, copy = sqlite3.connect(str(engine.url.database)), sqlite3.connect(to)
    try:
        source.backup(copy)
    finally:
        source.close()
        copy.close()
