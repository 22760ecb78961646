"""Searching everything that was said: SQLite's FTS5, or the text search of PostgreSQL."""

import re
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, func, literal_column, select, text
from sqlalchemy.orm import Session, defer

from voicesim.studio.tables.visits import Visit

PAGE = 50
LONGEST = 200
"""Letters of a search that are looked at."""


@dataclass(frozen=True)
class Filters:
    """Which visits are wanted; "" is any. `words` must all have been said. `played` is `person` or `machine`.

    `page` counts from 1. A request's query holds them by these names.
    """

    words: str = ""
    case: str = ""
    agent: str = ""
    state: str = ""
    suite: str = ""
    played: str = ""
    page: int = 1


@dataclass(frozen=True)
class Hits:
    """A page of visits, newest first, and how many there are in all."""

    visits: tuple[Visit, ...]
    total: int
    page: int

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return max(1, -(-self.total // PAGE))


def visits(session: Session, filters: Filters) -> Hits:
    """The visits that a filter lets through."""
    ids = list(session.scalars(_chosen(session, filters).order_by(Visit.started.desc(), Visit.id.desc())))
    total = len(ids)
    page = min(max(1, filters.page), max(1, -(-total // PAGE)))
    ids = ids[(page - 1) * PAGE : page * PAGE]
    rows = session.scalars(select(Visit).where(Visit.id.in_(ids)).options(defer(Visit.said))).all()
    by_id = {visit.id: visit for visit in rows}
    return Hits(tuple(by_id[number] for number in ids), total, page)


def choices(session: Session) -> dict[str, list[str]]:
    """What there is to choose from: cases, agents and suites of the visits."""
    columns = {"case": Visit.case, "agent": Visit.agent, "suite": Visit.suite}
    return {name: sorted(session.scalars(select(column).distinct())) for name, column in columns.items()}


def put(session: Session, number: int, said: str) -> None:
    """Make what was said in a visit searchable. PostgreSQL does that by its index."""
    if _sqlite(session):
        session.execute(text("DELETE FROM visit_words WHERE rowid = :id"), {"id": number})
        session.execute(text("INSERT INTO visit_words(rowid, said) VALUES (:id, :said)"), {"id": number, "said": said})


def drop(session: Session, number: int) -> None:
    """Forget what was said in a visit."""
    if _sqlite(session):
        session.execute(text("DELETE FROM visit_words WHERE rowid = :id"), {"id": number})


def _chosen(session: Session, filters: Filters) -> Select[int]:
    wanted: list[ColumnElement[bool]] = []
    for name in ("case", "agent", "state", "suite"):
        if value := getattr(filters, name).replace("\x00", ""):
            wanted.append(getattr(Visit, name) == value)
    if filters.played:
        wanted.append(Visit.manual == (filters.played == "person"))
    words = re.findall(r"\w+", filters.words[:LONGEST])[:20]
    if words:
        wanted.append(_said(session, words))
    return select(Visit.id).where(*wanted)


def _said(session: Session, words: list[str]) -> ColumnElement[bool]:
    if _sqlite(session):
        query = " ".join(f'"{word}"*' for word in words)
        hits = text("SELECT rowid FROM visit_words WHERE visit_words MATCH :words").bindparams(words=query)
        return Visit.id.in_(hits.columns(Visit.id).scalar_subquery())
    query = " & ".join(f"{word}:*" for word in words)
    # A column that only PostgreSQL has: the words as the migration lets it keep them.
    return literal_column("visit.words").op("@@")(func.to_tsquery(text("'simple'"), query))


def _sqlite(session: Session) -> bool:
    return session.get_bind().dialect.name == "sqlite"
