"""kill -9 at each moment of a run: the recording loads, at most 100 ms are lost, and nothing keeps running."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from processes import descendants, gone_within

from voicesim.recording.read import Recording, find_recordings, open_recording
from voicesim.scratch import scratch_folder

pytestmark = pytest.mark.live

AGENT = '''
"""Speaks for two seconds, hangs up after four, and takes its time where a test asks for it."""
import asyncio, os
import numpy as np

SLOW = os.environ["SLOW"]


class Agent:
    ticks = 0

    async def start(self):
        if SLOW == "connect":
            print("connecting", flush=True)
            await asyncio.sleep(60)

    def tick(self, caller):
        self.ticks += 1
        if self.ticks > 200:
            return None
        return np.full(480, 3000 if self.ticks < 100 else 0, np.int16)

    async def stop(self):
        if SLOW == "hang-up":
            print("hanging up", flush=True)
            await asyncio.sleep(60)
'''


def killed(folder: Path, agent: str, slow: str, moment: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Recording, str]:
    """Run one call, kill voicesim when it prints a moment; returns the recording and the line that was printed."""
    (folder / "agent.py").write_text(AGENT)
    (folder / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(folder / "tmp"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("SLOW", slow)
    command = [sys.executable, "-u", "-m", "voicesim", "run", "cold-01-andi", "--agent", agent]
    command += ["--suite", "s", "--out", "calls", "--max-duration", "30"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while not re.search(moment, line := process.stdout.readline()):
            assert line, "it ended before that"
        left = descendants(process.pid)
        process.kill()
    assert [command for process, command in left.items() if not gone_within(process, 5)] == []
    with scratch_folder():
        assert len(list((folder / "tmp").iterdir())) == 1  # the one that this very line has made
    (call,) = find_recordings(folder / "calls")
    return open_recording(call), line


Killed = Callable[[str, str, str], tuple[Recording, str]]


@pytest.fixture
def kill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Killed:
    return lambda agent, slow, moment: killed(tmp_path, agent, slow, moment, monkeypatch)


def test_killed_while_it_connects(kill: Killed) -> None:
    recording, _ = kill("python:agent:Agent", "connect", "connecting")
    assert recording.manifest.repaired
    assert recording.duration == 0.02
    assert recording.manifest.end_reason == "harness_error"


@pytest.mark.parametrize("agent", ["python:agent:Agent", "realtime"])
def test_killed_in_the_middle_of_a_call(kill: Killed, agent: str) -> None:
    recording, line = kill(agent, "", r"\d  patient ")
    told = float(line.split()[0])
    assert recording.manifest.repaired
    assert recording.duration >= told - 0.1
    assert recording.duration > 1.0
    assert len(recording.clean) == len(recording.agent)
    assert any(event.type == "caller_line" for event in recording.events)


def test_killed_while_it_hangs_up(kill: Killed) -> None:
    recording, _ = kill("python:agent:Agent", "hang-up", "hanging up")
    assert not recording.manifest.repaired
    assert recording.manifest.end_reason == "agent_hung_up"
    assert recording.duration == pytest.approx(4.0, abs=0.05)


def test_killed_while_it_transcribes(kill: Killed) -> None:
    recording, _ = kill("python:agent:Agent", "", "transcribing")
    assert not recording.manifest.repaired
    assert recording.manifest.end_reason == "agent_hung_up"
    assert (
        subprocess.run([sys.executable, "-m", "voicesim", "transcribe", recording.folder], check=False).returncode == 0
    )
    assert not [path for path in recording.folder.iterdir() if path.suffix == ".tmp"]


def test_killed_while_it_judges(kill: Killed) -> None:
    recording, _ = kill("python:agent:Agent", "", "judging")
    assert not recording.manifest.repaired
    for step in ("score", "report"):
        done = subprocess.run([sys.executable, "-m", "voicesim", step, recording.folder], check=False)
        assert done.returncode != 2
    assert (recording.folder / "scorecard.html").exists()


STARTER = """
import os
from voicesim.call.worker_pool import worker
from voicesim.transports.inprocess import load_agent

with worker() as pool:
    pool.submit(load_agent, "agent:Agent").exception()
    print(pool.submit(os.getpid).result(), flush=True)
    pool.submit(load_agent, "hangs:Agent").result()
"""


def test_a_worker_that_has_an_agent_in_it_ends_with_a_killed_voicesim(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("class Agent:\n    def tick(self, caller):\n        return None\n")
    (tmp_path / "hangs.py").write_text("import time\ntime.sleep(60)\n")
    with subprocess.Popen([sys.executable, "-c", STARTER], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        agents = int(process.stdout.readline())
        process.kill()
    assert gone_within(agents, 5)
