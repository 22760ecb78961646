"""A suite on virtual time: the real voice, channel, detector, Whisper, mind and judge, and no waiting."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

AGENT = '''
"""A nurse who says three lines, each 0.8 s after the caller has ended, and then hangs up."""
import numpy as np
from hibari import Hibari

TRANSPORTS = (
    "Hello, how can I help?",
    "Are you short of breath, or do you have any chest pain right now?",
    "It is probably a cold. Take care, goodbye.",
)


def spoken(voice, text):
    sound = np.round(voice(text, seed=1) * 20000).astype(np.int16)
    return sound[np.flatnonzero(np.abs(sound) > 300)[0]:]  # the voice begins with a third of a second of nothing


class Nurse:
    def __init__(self):
        voice = Hibari()
        self.lines = [spoken(voice, text) for text in TRANSPORTS]
        self.out, self.heard, self.quiet = self.lines.pop(0), False, 0

    def tick(self, caller):
        loud = np.abs(caller.astype(int)).max() > 300
        self.heard, self.quiet = self.heard or loud, 0 if loud else self.quiet + 1
        if self.heard and self.quiet == 40 and not len(self.out):
            if not self.lines:
                return None
            self.out, self.heard = self.lines.pop(0), False
        block, self.out = self.out[:480], self.out[480:]
        return np.pad(block, (0, 480 - len(block)))


def build():
    return Nurse()
'''


def run(folder: Path, *more: str) -> tuple[int, dict[str, Any]]:
    command = [sys.executable, "-m", "voicesim", "run", "cold-01-andi", "--agent", "python:nurse:build"]
    command += [
        "--clock",
        "virtual",
        "--suite",
        "s",
        "--out",
        "calls",
        "--json",
        "--ear",
        "tiny.en",
        "--whisper",
        "tiny.en",
        *more,
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.fixture(scope="module")
def called(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, dict[str, Any], Path]:
    folder = tmp_path_factory.mktemp("first")
    (folder / "nurse.py").write_text(AGENT)
    code, told = run(folder)
    return code, told, folder


def test_a_call_runs_from_the_case_to_the_scorecard(called: tuple[int, dict[str, Any], Path]) -> None:
    code, told, folder = called
    (one,) = told["calls"]
    assert one["valid"]
    assert one["checks"]["breathing_now"] == "hit"
    assert one["checks"]["medications"] == "miss"
    assert code == (0 if one["gate"] == "passed" else 1)
    # The nurse speaks 40 ticks after the last loud one: 0.8 s, to the tick it was heard in.
    assert one["metrics"]["response_latency"]["median"] == pytest.approx(0.8, abs=0.03)
    page = (folder / one["scorecard"]).read_text()
    assert "Are you short of breath" in page


def test_the_same_seed_gives_the_same_recording_and_derived_files(
    called: tuple[int, dict[str, Any], Path], tmp_path: Path
) -> None:
    _, told, first = called
    (tmp_path / "nurse.py").write_text(AGENT)
    run(tmp_path)
    one = told["calls"][0]["recording"]
    names = ("audio.flac", "caller_clean.flac", "call.json", "events.jsonl", "transcript.json", "metrics.json")
    for name in (*names, "verdicts/cues.json", "scorecard.html"):
        assert (first / one / name).read_bytes() == (tmp_path / one / name).read_bytes(), name


def test_an_agent_on_a_wire_cannot_leave_real_time(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "voicesim", "run", "cold-01-andi", "--agent", "realtime", "--clock", "virtual"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "realtime runs in real time" in done.stderr
    assert list(tmp_path.iterdir()) == []
