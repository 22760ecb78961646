"""`voicesim init`: the project that it writes is right, runs as it is, and replaces nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

from voicesim.catalog.check import check
from voicesim.catalog.find import Catalogue, shipped
from voicesim.errors import UsageError
from voicesim.results.read import open_suite
from voicesim.suite.starting import FILES, start_project


def test_there_is_nothing_wrong_with_the_project(tmp_path: Path) -> None:
    came_with = shipped()
    assert came_with is not None
    written = start_project(tmp_path / "new" / "project")
    assert len(written) == len(FILES)
    catalogue = Catalogue((tmp_path / "new" / "project", came_with))
    assert [str(problem) for problem in check([tmp_path / "new" / "project"], catalogue).problems] == []


def test_what_is_there_is_not_touched_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "my_agent.py").write_text("mine")
    with pytest.raises(UsageError, match=r"there already: my_agent\.py"):
        start_project(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["my_agent.py"]
    assert (tmp_path / "my_agent.py").read_text() == "mine"


def test_the_project_runs_as_it_is(tmp_path: Path) -> None:
    start_project(tmp_path)
    suite = tmp_path / "suites" / "first.yaml"
    # Shorter than as it is, for the time of a test: one line, and half a minute of it.
    suite.write_text(
        suite.read_text().replace("[clean, my-line]", "[my-line]")
        + "limits: {max_duration: 28}\near: tiny.en\nwhisper: tiny.en\n"
    )
    command = [sys.executable, "-m", "voicesim", "suite", "suites/first.yaml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=600)
    assert (tmp_path / "recordings" / "first" / "suite.html").exists(), done.stderr
    (call,) = open_suite(tmp_path / "recordings" / "first").calls
    assert call.valid, call.reason
    transcript = call.transcript()
    assert transcript is not None
    assert "nurse line" in transcript.of("agent")[0].text.lower()
