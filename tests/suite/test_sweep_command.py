"""`voicesim sweep` on virtual time: each point is called once, and a sweep that is made longer goes on."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from steady_agent import steady

AGENT = steady(500)
COMMAND = (
    "sweep", "cold-05-benign-nocturnal-cough", "--agent", "python:steady:Steady", "--virtual",
    "--whisper", "tiny.en", "--ear", "tiny.en", "--out", "calls",
)  # fmt: skip
FOLDER = "calls/sweep_cold-05-benign-nocturnal-cough_python-steady-Steady_loss"


def sweep(folder: Path, *more: str) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "voicesim", *COMMAND, *more]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    return done.returncode, done.stdout, done.stderr


def recordings(folder: Path) -> dict[str, int]:
    """The calls of the sweep, and when each was made."""
    return {path.parent.name: path.stat().st_mtime_ns for path in (folder / FOLDER).glob("*/audio.flac")}


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], dict[str, int]]:
    folder = tmp_path_factory.mktemp("sweep")
    (folder / "steady.py").write_text(AGENT)
    code, out, error = sweep(folder, "--axis", "loss=0,0.3", "--json")
    assert code == 0, error
    return folder, json.loads(out), recordings(folder)


def test_every_point_and_the_control_are_called(swept: tuple[Path, dict[str, Any], dict[str, int]]) -> None:
    folder, told, made = swept
    assert sorted(made) == ["control_01", "loss-0.3_01", "loss-0_01"]
    assert [point["values"] for point in told["points"]] == [["0"], ["0.3"]]
    heard = [point["figures"]["wer_line"]["value"] for point in told["points"]]
    assert heard[1] >= heard[0]
    assert all(call["state"] != "invalid" for point in told["points"] for call in point["calls"])
    assert (folder / FOLDER / "sweep.html").is_file()
    # The line measured is the line that was asked for.
    metrics = json.loads((folder / FOLDER / "loss-0.3_01" / "metrics.json").read_text())
    assert metrics["line"]["asked_loss"] == 0.3
    assert metrics["line"]["lost"]["share"] > 0.2


def test_a_longer_sweep_makes_only_what_is_missing(swept: tuple[Path, dict[str, Any], dict[str, int]]) -> None:
    folder, _, made = swept
    code, out, error = sweep(folder, "--axis", "loss=0,0.3,0.6", "--json")
    assert code == 0, error
    assert [point["values"] for point in json.loads(out)["points"]] == [["0"], ["0.3"], ["0.6"]]
    again = recordings(folder)
    assert {name: when for name, when in again.items() if name in made} == made
    assert set(again) - set(made) == {"loss-0.6_01"}


def test_what_is_wrong_is_told_before_any_call(tmp_path: Path) -> None:
    (tmp_path / "steady.py").write_text(AGENT)
    code, _, error = sweep(tmp_path, "--axis", "snr=20,loud")
    assert code == 2
    assert "'loud' must be a number from -20 to 60" in " ".join(error.split())
    assert not (tmp_path / "calls").exists()
