"""Ctrl-C in a live call: a message, exit code 130, and a recording that says who hung up."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from voicesim.recording.read import open_recording

pytestmark = pytest.mark.live

MUTE = """
import numpy as np

class Mute:
    def tick(self, caller):
        return np.zeros(480, np.int16)
"""


def test_ctrl_c_even_twice_hangs_up_and_keeps_the_recording(tmp_path: Path) -> None:
    (tmp_path / "mute.py").write_text(MUTE)
    command = [sys.executable, "-u", "-m", "voicesim", "run", "cold-04-emergency-dyspnea"]
    command += ["--agent", "python:mute:Mute", "--suite", "s", "--out", "calls"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        while "patient" not in (line := process.stdout.readline()):
            assert line, process.stderr.read()
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=30)
    assert process.returncode == 130
    assert told == "voicesim: interrupted\n"
    (folder,) = (tmp_path / "calls" / "s").iterdir()
    recording = open_recording(folder)
    assert not recording.manifest.repaired
    assert recording.manifest.end_reason == "caller_hung_up"
    assert recording.manifest.validity is not None
    assert recording.manifest.validity.reason == "stopped"
    assert recording.duration > 1.0
