"""What a studio does by itself, and what brings one back: retention, and a backup put in its place."""

import shutil
from datetime import timedelta
from pathlib import Path

from sqlalchemy import select
from studio_server import running
from studio_visits import make_visit, own_case

from voicesim.recording import files
from voicesim.recording.manifest import Manifest
from voicesim.studio.database import back_up, now
from voicesim.studio.tables.people import SignIn
from voicesim.studio.upkeep import look_after


def visits(data: Path, **settings: object) -> list[str]:
    """The places of the visits that a studio over a folder lists, after its upkeep."""
    with running(data, **settings) as server:
        state = server.app.state.studio
        look_after(state.settings, state.database)
        return sorted(visit["place"] for visit in server.client("viewer").get("/api/visits").json()["visits"])


def called(data: Path, place: str, days_ago: float) -> None:
    """Make a recording one of so many days ago."""
    folder = data / "recordings" / place
    manifest = files.load(folder, files.MANIFEST, Manifest)
    when = (now() - timedelta(days=days_ago)).isoformat(timespec="seconds")
    files.save(folder, files.MANIFEST, manifest.model_copy(update={"started_at": when}))


def test_visits_past_their_time_are_deleted_with_their_sound_and_no_others(tmp_path: Path) -> None:
    case = own_case(tmp_path)
    for place, days in (("s/old", 31.0), ("s/young", 29.0)):
        make_visit(tmp_path / "recordings", place, case)
        called(tmp_path, place, days)
    assert visits(tmp_path, retention_days=30) == ["s/young"]
    assert not (tmp_path / "recordings" / "s" / "old").exists()
    assert (tmp_path / "recordings" / "s" / "young" / files.AUDIO).is_file()


def test_a_backup_taken_while_the_studio_runs_brings_people_and_visits_back(tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy"
    make_visit(data / "recordings", "s/call", own_case(data))
    with running(data) as server:
        assert server.client("clinician").get("/me").status_code == 200
        back_up(server.app.state.studio.database.engine, tmp_path / "backup.sqlite3")
        shutil.copytree(data, copy, ignore=shutil.ignore_patterns("studio.sqlite3*"))
    shutil.copy(tmp_path / "backup.sqlite3", copy / "studio.sqlite3")
    with running(copy) as server:
        assert server.client("viewer").get("/api/visits").json()["total"] == 1
        with server.app.state.studio.database.session() as session:
            assert session.scalar(select(SignIn.hash)) is not None  # the browser that was signed in still is
