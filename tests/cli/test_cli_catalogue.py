"""`voicesim check` and `voicesim list` as a user calls them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PERSONA = "id: plain\ntitle: Plain speaker\nrate: 1.0\n"
CASE = """\
id: sore-throat
title: A sore [red] throat
patient: {name: Ada, age: 30, sex: female, persona: plain, says_first: "My throat hurts."}
rubric:
  - {id: breathing, group: critical, kind: ask, weight: 0.6, expect: "Asks about breathing."}
  - {id: rest, group: close, kind: tell, weight: 0.4, expect: "Recommends rest."}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cases").mkdir()
    (tmp_path / "personas").mkdir()
    (tmp_path / "cases/throat.yaml").write_text(CASE)
    (tmp_path / "personas/plain.yaml").write_text(PERSONA)
    return tmp_path


def voicesim(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "voicesim", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_check_passes_what_is_right(folder: Path) -> None:
    done = voicesim(folder, "check", "cases")
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 file checked, no problems\n", "")


def test_check_prints_each_problem_and_ends_in_2(folder: Path) -> None:
    (folder / "cases/throat.yaml").write_text(CASE.replace("0.4", "0.3").replace("title:", "titel:"))
    done = voicesim(folder, "check", "cases/throat.yaml", "nope.yaml")
    assert done.returncode == 2
    assert done.stdout.splitlines() == [
        "cases/throat.yaml:1: title: is missing",
        "cases/throat.yaml:2: titel: unknown key. Did you mean title?",
        "cases/throat.yaml:4: rubric: weights of the rubric add up to 0.9, not 1.0 (0.1 too little)",
        "nope.yaml: there is no such file or folder",
        "1 file checked, 4 problems",
    ]
    assert done.stderr == ""


def test_check_for_machines_has_file_key_line_and_message(folder: Path) -> None:
    (folder / "cases/throat.yaml").write_text(CASE.replace("persona: plain", "persona: plan"))
    done = voicesim(folder, "check", "cases", "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout) == {
        "files": ["cases/throat.yaml"],
        "notes": [],
        "problems": [
            {
                "message": "there is no persona 'plan'. Did you mean plain?",
                "file": "cases/throat.yaml",
                "key": "patient.persona",
                "line": 3,
            }
        ],
    }


def test_check_without_a_path_looks_at_this_directory_and_the_shipped_catalogue(folder: Path) -> None:
    (folder / "cases/throat.yaml").write_text("id: [")
    done = voicesim(folder, "check", "--json")
    assert done.returncode == 2
    found = json.loads(done.stdout)
    assert [problem["file"] for problem in found["problems"]] == ["cases/throat.yaml"]
    assert "cases/throat.yaml" in found["files"]
    assert any(name.endswith("cold-01-andi.yaml") for name in found["files"])


def test_check_names_a_voice_that_no_engine_has(folder: Path) -> None:
    (folder / "personas/plain.yaml").write_text(PERSONA + "voice: {engine: hibari, name: hart}\n")
    done = voicesim(folder, "check", "personas")
    assert done.returncode == 2
    assert done.stdout.startswith("personas/plain.yaml:4: voice.name: hibari has no voice 'hart'.")


def test_list_shows_own_and_shipped_entries(folder: Path) -> None:
    cases = json.loads(voicesim(folder, "list", "cases", "--json").stdout)["cases"]
    own = next(case for case in cases if case["id"] == "sore-throat")
    assert own == {
        "id": "sore-throat",
        "title": "A sore [red] throat",
        "persona": "plain",
        "checks": 2,
        "critical": 1,
        "file": "cases/throat.yaml",
    }
    assert len(cases) == 12


def test_list_prints_titles_as_they_are_written(folder: Path) -> None:
    done = voicesim(folder, "list", "cases")
    assert done.returncode == 0
    assert "A sore [red] throat" in done.stdout
    assert "cold-04-emergency-dyspnea" in done.stdout


def test_list_shows_the_rest_when_one_file_is_broken(folder: Path) -> None:
    (folder / "cases/broken.yaml").write_text("id: [")
    done = voicesim(folder, "list", "cases")
    assert done.returncode == 2
    assert "sore-throat" in done.stdout
    assert done.stderr.startswith("voicesim: cases/broken.yaml:1: broken YAML")


def test_list_for_machines_shows_everything_that_can_be_named(folder: Path) -> None:
    listed = json.loads(voicesim(folder, "list", "--json").stdout)
    assert list(listed)[:4] == ["cases", "agents", "personas", "profiles"]
    assert {"minds", "judges", "voices", "accents", "faults", "rules", "tags"} <= set(listed)
    assert {"hibari", "pyttsx3"} <= {row["engine"] for row in listed["voices"]}
    assert {"slow_answer", "fell_silent"} <= {row["name"] for row in listed["faults"]}


def test_list_begins_with_what_a_first_call_needs_and_names_the_rest(folder: Path) -> None:
    lines = [line.strip() for line in voicesim(folder, "list").stdout.splitlines()]
    titles = [line for line in lines if line in {"cases", "agents", "personas", "profiles", "voices", "tags"}]
    assert titles == ["cases", "agents", "personas", "profiles"]
    assert lines[-1] == "More: voicesim list minds | judges | voices | accents | faults | rules | tags"


def test_open_tells_the_newest_scorecard(folder: Path) -> None:
    assert "no scorecard here yet" in voicesim(folder, "open", "--no-show").stderr
    for name, time in (("a", 1000), ("b", 3000), ("c", 2000)):
        page = folder / "recordings" / name / "scorecard.html"
        page.parent.mkdir(parents=True)
        page.write_text("page")
        os.utime(page, (time, time))
    assert voicesim(folder, "open", "--no-show").stdout.strip() == "recordings/b/scorecard.html"
    assert voicesim(folder, "open", "recordings/c", "--no-show").stdout.strip() == "recordings/c/scorecard.html"
