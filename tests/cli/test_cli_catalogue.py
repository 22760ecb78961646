"""`voicesim check` and `voicesim list` as a user calls them."""

import json
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


def test_list_without_a_word_shows_everything_there_is_to_call_with(folder: Path) -> None:
    found = json.loads(voicesim(folder, "list", "--json").stdout)
    assert list(found) == ["cases", "personas", "profiles", "voices", "accents"]
    assert {"hibari", "pyttsx3"} <= {row["engine"] for row in found["voices"]}
    assert all(found.values())
