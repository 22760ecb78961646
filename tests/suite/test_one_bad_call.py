"""A suite in which a call goes wrong: it says so, the others are made, and it never ends as if all were well."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from voicesim.catalog.find import Catalogue
from voicesim.catalog.suite_file import CallLimits, SuiteFile
from voicesim.errors import RecordingError, UsageError
from voicesim.judge.gate import exit_code
from voicesim.recording.read import open_recording
from voicesim.suite.matrix import planned_calls
from voicesim.suite.plan import Plan, suite_folder

AGENTS = '''
"""Agents that speak a tone, and each have a fault in the second call."""
import os, signal
import numpy as np

calls = 0


class Tone:
    def __init__(self):
        global calls
        calls += 1
        self.call, self.ticks = calls, 0

    def tick(self, caller):
        self.ticks += 1
        if self.call == 2 and self.ticks == 40:
            self.fault()
        return None if self.ticks > 80 else np.zeros(480, np.int16)

    def fault(self):
        pass


class Leaves(Tone):
    def fault(self):
        os._exit(0)


class KillsTheWorker(Tone):
    def fault(self):
        import multiprocessing
        for worker in multiprocessing.active_children():
            os.kill(worker.pid, signal.SIGKILL)


class NeverThere(Tone):
    async def start(self):
        if self.call == 2:
            raise ConnectionError("nobody at home")


class NotEvenMade(Tone):
    def __init__(self):
        super().__init__()
        if self.call == 2:
            raise RuntimeError("no licence")
'''


def run(folder: Path, agent: str, *more: str, repeats: int = 3) -> "subprocess.CompletedProcess[str]":
    (folder / "agents.py").write_text(AGENTS)
    command = [sys.executable, "-m", "voicesim", "run", "cold-01-andi", "--agent", f"python:agents:{agent}"]
    command += ["--clock", "virtual", "--suite", "s", "--out", "calls", "--repeats", str(repeats), "--json", *more]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)


def calls_of(done: "subprocess.CompletedProcess[str]") -> list[dict[str, Any]]:
    assert done.stdout, done.stderr
    calls: list[dict[str, Any]] = json.loads(done.stdout)["calls"]
    return calls


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        ("NeverThere", "the call: python:agents:NeverThere: start() failed: ConnectionError: nobody at home"),
        ("NotEvenMade", "the call: python:agents:NotEvenMade: NotEvenMade() failed: RuntimeError: no licence"),
    ],
)
def test_a_call_that_does_not_come_about_is_told_and_the_others_are_made(
    tmp_path: Path, agent: str, reason: str
) -> None:
    done = run(tmp_path, agent)
    first, second, third = calls_of(done)
    assert second["gate"] == "invalid"
    assert second["gate_reason"].startswith(reason)
    assert second["scorecard"] is None
    assert not (tmp_path / second["recording"]).exists()
    assert first["end_reason"] == third["end_reason"] == "agent_hung_up"
    assert Path(tmp_path / third["scorecard"]).exists()
    assert done.returncode == 3


def test_an_agent_that_leaves_in_the_second_of_three_calls_has_lost_that_line(tmp_path: Path) -> None:
    done = run(tmp_path, "Leaves")
    assert [call["end_reason"] for call in calls_of(done)] == ["agent_hung_up", "line_lost", "agent_hung_up"]
    assert "SystemExit: 0" in calls_of(done)[1]["end_detail"]
    assert done.returncode != 0


def test_a_killed_worker_costs_its_own_call_at_most(tmp_path: Path) -> None:
    done = run(tmp_path, "KillsTheWorker")
    first, second, third = calls_of(done)
    assert first["valid"]
    assert third["valid"]
    assert second["end_reason"] in ("harness_error", "agent_hung_up")
    assert second["scorecard"]


def test_a_step_that_fails_is_told_and_the_others_are_made(tmp_path: Path) -> None:
    (tmp_path / "fails.py").write_text(
        "import voicesim.suite.after as after\n"
        "scored = after.score_together\n"
        "def fails(folder, *rest):\n"
        "    if folder.name.endswith('_02'):\n"
        "        raise OverflowError('int too large to convert to float')\n"
        "    return scored(folder, *rest)\n"
        "after.score_together = fails\n"
    )
    (tmp_path / "agents.py").write_text(AGENTS)
    code = (
        "import sys, fails; from voicesim.cli.app import main; "
        "sys.argv = ['voicesim', 'run', 'cold-01-andi', '--agent', 'python:agents:Tone', '--clock', 'virtual', "
        "'--suite', 's', '--out', 'calls', '--repeats', '3', '--json']; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300
    )
    first, second, third = calls_of(done)
    assert second["gate_reason"] == "judging (cues): OverflowError: int too large to convert to float"
    assert second["end_reason"] == "agent_hung_up"
    assert first["judge"] == third["judge"] == "cues"
    assert "Traceback" in done.stderr
    assert done.returncode == 3
    assert open_recording(tmp_path / second["recording"]).manifest.validity is not None


def test_fewer_calls_than_planned_are_no_pass() -> None:
    assert exit_code([], 1) == 3
    assert exit_code(["passed"], 2) == 3
    assert exit_code(["passed", "passed"], 2) == 0
    assert exit_code(["passed", "failed"], 2) == 1


def plan(out: Path, suite: str, max_duration: float = 300.0) -> Plan:
    asked = SuiteFile(
        cases=("cold-01-andi",),
        agents=("python:agents:Tone",),
        limits=CallLimits.model_construct(max_duration=max_duration),
    )
    folder = suite_folder(out, suite)
    return Plan(planned_calls(asked, Catalogue.here(), folder), folder)


@pytest.mark.parametrize("suite", ["../..", "..", ".", "", "/etc", "a/b", "a\0b", "a\\b"])
def test_a_suite_stays_under_its_folder(tmp_path: Path, suite: str) -> None:
    with pytest.raises(UsageError, match="not a path"):
        suite_folder(tmp_path, suite)


def test_a_folder_name_that_is_not_utf_8_is_told_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="not UTF-8"):
        plan(tmp_path / os.fsdecode(b"caf\xe9"), "s").check()


def test_a_call_longer_than_a_recording_may_be_is_told(tmp_path: Path) -> None:
    plan(tmp_path, "s", 7200.0).check()
    with pytest.raises(UsageError, match="a call of 7201 s cannot be recorded; the longest is 7200 s"):
        plan(tmp_path, "s", 7201.0).check()


def test_a_folder_that_cannot_be_made_is_told_before_the_agent_is_reached(tmp_path: Path) -> None:
    (tmp_path / "calls").write_text("a file")
    done = run(tmp_path, "NeverThere", repeats=1)
    assert done.returncode == 2
    assert "calls/s: recordings cannot be put there: Not a directory" in done.stderr


def test_an_invalid_call_is_made_again_and_every_try_is_kept(tmp_path: Path) -> None:
    # The second call fails; made again, it is the agent's third and comes about.
    done = run(tmp_path, "NotEvenMade", "--rerun-invalid", "2", repeats=2)
    first, second = calls_of(done)
    assert [call["valid"] for call in (first, second)] == [True, True]
    assert second["call_id"].endswith("_02-try2")
