"""The end of a run is told to other programs: signed, again after a fault of theirs, and nowhere else."""

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from sqlalchemy import select
from studio_server import Studio, running

from voicesim.studio.tables.visits import Run, Webhook
from voicesim.studio.webhooks import SIGNATURE, signature, tell_webhooks

SECRET = "of both sides"


class Listener:
    """A program that is told: it answers with these statuses, one after the other, and keeps what it was sent."""

    def __init__(self, *statuses: int) -> None:
        self.got: list[tuple[str, bytes]] = []
        left, got = list(statuses), self.got

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                got.append((self.headers[SIGNATURE], body))
                self.send_response(left.pop(0) if len(left) > 1 else left[0])
                self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Says nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/told"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Listen no more."""
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def studio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Studio]:
    """A studio with a run that has ended."""
    monkeypatch.setenv("TELLS", SECRET)
    with running(tmp_path) as server:
        with server.app.state.studio.database.session() as session:
            session.add(Run(id=7, asked={"case": "c"}, state="broken", problem="nobody answered"))
        yield server


def told(studio: Studio, url: str, env: str = "TELLS") -> str:
    """Tell a webhook, and wait for what is written down of it."""
    headers = {"x-csrf-token": studio.csrf("admin")}
    added = studio.client("admin").post("/api/webhooks", json={"url": url, "secret_env": env}, headers=headers)
    assert added.status_code == 201, added.text
    state = studio.app.state.studio
    tell_webhooks(state.database, state.settings, 7)
    until = time.monotonic() + 20
    while time.monotonic() < until:
        with state.database.session() as session:
            if last := str(session.scalar(select(Webhook.last)) or ""):
                return last
        time.sleep(0.05)
    raise AssertionError("nothing was written down")


def test_the_end_of_a_run_is_told_signed_and_again_after_a_fault(studio: Studio) -> None:
    listener = Listener(500, 200)
    try:
        assert told(studio, listener.url) == "answered 200"
    finally:
        listener.close()
    assert len(listener.got) == 2
    header, body = listener.got[1]
    assert header == signature(SECRET, body)
    sent = json.loads(body)
    assert (sent["run"], sent["state"], sent["problem"]) == (7, "broken", "nobody answered")
    assert SECRET.encode() not in b"".join(path.read_bytes() for path in studio.data.glob("studio.sqlite3*"))


def test_a_redirect_is_not_followed(studio: Studio) -> None:
    listener = Listener(307)
    try:
        assert told(studio, listener.url) == "answered 307"
    finally:
        listener.close()
    assert len(listener.got) == 1


def test_without_its_secret_nothing_is_sent(studio: Studio) -> None:
    listener = Listener(200)
    try:
        assert told(studio, listener.url, "NOT_SET") == "the secret's environment variable is not set"
    finally:
        listener.close()
    assert listener.got == []
