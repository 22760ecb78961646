"""`voicesim suite` on virtual time: killed half-way and started again it ends as if nobody had disturbed it."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from steady_agent import steady

from voicesim.recording.read import find_recordings, open_recording
from voicesim.results.read import open_suite

AGENTS = (
    steady(170)
    + '''


class Brisk(Steady):
    def tick(self, caller):
        return None if self.ticks > 120 else super().tick(caller)


class Slow(Steady):
    """So slow that a call on virtual time lasts for minutes."""
    def tick(self, caller):
        time.sleep(0.5)
        return np.zeros(480, np.int16)


class DiesOnce(Steady):
    """Takes its whole process with it, the first time that anybody calls it."""
    def tick(self, caller):
        if self.ticks == 100:
            try:
                os.close(os.open("died", os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        return super().tick(caller)
'''
)
SUITE = """\
id: matrix
cases: [cold-01-andi, cold-04-emergency-dyspnea]
profiles: [clean, telephone]
agents: ["python:agents:Steady", "python:agents:Brisk"]
clock: virtual
ear: tiny.en
whisper: tiny.en
"""
SMALL = """\
id: small
cases: [cold-01-andi]
agents: ["python:agents:DiesOnce"]
repeats: 3
clock: virtual
ear: tiny.en
whisper: tiny.en
"""


def command(name: str, *more: str) -> list[str]:
    return [sys.executable, "-m", "voicesim", "suite", f"{name}.yaml", "--out", "calls", "--at-once", "2", *more]


def prepared(folder: Path) -> Path:
    (folder / "agents.py").write_text(AGENTS)
    (folder / "matrix.yaml").write_text(SUITE)
    (folder / "small.yaml").write_text(SMALL)
    return folder


def run(folder: Path, name: str = "matrix") -> tuple[int, list[dict[str, Any]]]:
    done = subprocess.run(command(name, "--json"), cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    assert done.stdout, done.stderr
    calls: list[dict[str, Any]] = json.loads(done.stdout)["calls"]
    return done.returncode, calls


def content(folder: Path) -> dict[str, bytes]:
    """Every file of the suite but what pages say of the moment."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix in (".json", ".jsonl", ".flac")
    }


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = prepared(tmp_path_factory.mktemp("undisturbed"))
    _, calls = run(folder)
    assert len(calls) == 2 * 2 * 2
    assert all(call["end_reason"] == "agent_hung_up" for call in calls)
    return folder


def test_every_planned_call_is_made_and_read_back(undisturbed: Path) -> None:
    suite = open_suite(undisturbed / "calls" / "matrix")
    assert len(suite.calls) == 8
    assert {call.state for call in suite.calls} <= {"passed", "failed", "unscored"}
    assert all(call.scorecard for call in suite.calls)
    assert [call.planned.seed for call in suite.of(case="cold-01-andi", profile="clean")] == [0, 0]


def test_the_same_command_again_makes_nothing_anew(undisturbed: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in undisturbed.rglob("*.flac")}
    code, calls = run(undisturbed)
    assert {path: path.stat().st_mtime_ns for path in undisturbed.rglob("*.flac")} == before
    assert len(calls) == 8
    assert code == 1  # nothing was asked of anybody


def test_killed_half_way_and_started_again_it_ends_the_same(undisturbed: Path, tmp_path: Path) -> None:
    prepared(tmp_path)
    calls = tmp_path / "calls" / "matrix"
    with subprocess.Popen(command("matrix"), cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as begun:
        while not list(calls.glob("*/audio.flac")):
            assert begun.poll() is None, begun.stderr and begun.stderr.read()
            time.sleep(0.05)
        begun.kill()
    suite = open_suite(calls)
    assert 1 <= len([call for call in suite.calls if call.manifest]) < 8
    run(tmp_path)
    assert content(calls) == content(undisturbed / "calls" / "matrix")


def test_a_signal_leaves_whole_recordings_and_ends_with_130(tmp_path: Path) -> None:
    prepared(tmp_path)
    calls = tmp_path / "calls" / "slow"
    (tmp_path / "slow.yaml").write_text(SMALL.replace("small", "slow").replace("DiesOnce", "Slow"))
    with subprocess.Popen(
        command("slow"), cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as begun:
        while sum("connected" in path.read_text() for path in calls.glob("*/events.jsonl")) < 2:
            assert begun.poll() is None, begun.stderr and begun.stderr.read()
            time.sleep(0.05)
        begun.send_signal(signal.SIGINT)
        _, told = begun.communicate(timeout=60)
    assert begun.returncode == 130, told
    stopped = [open_recording(path).manifest for path in find_recordings(calls)]
    assert {manifest.validity and manifest.validity.reason for manifest in stopped} == {"stopped"}
    assert not any(manifest.repaired for manifest in stopped)


def test_only_what_has_changed_is_made_anew(undisturbed: Path) -> None:
    calls = undisturbed / "calls" / "matrix"
    before = {path: path.stat().st_mtime_ns for path in calls.rglob("*.flac")}
    changed = SUITE.replace("[clean, telephone]", "[clean, street_10db]")
    (undisturbed / "changed.yaml").write_text(changed)
    _, made = run(undisturbed, "changed")
    assert len(made) == 2 * 2 * 2
    after = {path: path.stat().st_mtime_ns for path in calls.rglob("*.flac")}
    assert {path: after[path] for path in before} == before
    assert {path.parent.name.split("_")[-2] for path in set(after) - set(before)} == {"10db"}


def test_a_call_whose_process_dies_is_lost_and_the_others_are_made(tmp_path: Path) -> None:
    code, calls = run(prepared(tmp_path), "small")
    assert sorted(call["end_reason"] for call in calls) == ["agent_hung_up", "agent_hung_up", "harness_error"]
    (lost,) = (call for call in calls if call["state"] == "invalid")
    assert "the process ended" in lost["reason"]
    assert code == 3
    # Started again, the call is made in the place of the one that was cut off.
    _, again = run(tmp_path, "small")
    assert [call["state"] for call in again] == ["unscored"] * 3
    assert {call["recording"] for call in again} == {call["recording"] for call in calls}
