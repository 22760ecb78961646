"""Ctrl-C and SIGTERM in every step of a run: a message, exit code 130, and a recording that says who hung up."""

import contextlib
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from voicesim.recording.read import find_recordings, open_recording

pytestmark = pytest.mark.live

AGENTS = """
import time
import numpy as np

class Mute:
    def tick(self, caller):
        return np.zeros(480, np.int16)

class Stuck(Mute):
    ticks = 0
    def tick(self, caller):
        self.ticks += 1
        if self.ticks == 50:
            print("stuck", flush=True)
            while True:
                time.sleep(0.1)
        return np.zeros(480, np.int16)

class NeverStarts(Mute):
    async def start(self):
        print("stuck", flush=True)
        time.sleep(60)

class Greets(Mute):
    def __init__(self):
        from hibari import Hibari
        sound = Hibari()("Hello, this is the clinic. How can I help you today?", seed=1)
        self.out = np.round(sound * 20000).astype(np.int16)

    def tick(self, caller):
        block, self.out = self.out[:480], self.out[480:]
        return np.pad(block, (0, 480 - len(block)))
"""


@contextlib.contextmanager
def running(
    folder: Path, agent: str, *more: str, env: dict[str, str] | None = None
) -> Iterator["subprocess.Popen[str]"]:
    (folder / "agents.py").write_text(AGENTS)
    command = [sys.executable, "-u", "-m", "voicesim", "run", "cold-04-emergency-dyspnea"]
    command += ["--agent", f"python:agents:{agent}", "--suite", "s", "--out", "calls", *more]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_for(process: "subprocess.Popen[str]", word: str) -> None:
    assert process.stdout is not None
    assert process.stderr is not None
    while word not in (line := process.stdout.readline()):
        assert line, process.stderr.read()


def stopped(process: "subprocess.Popen[str]", *signals: signal.Signals, within: float) -> str:
    """Send signals; returns what was told on stderr."""
    for number in signals:
        process.send_signal(number)
    begun = time.monotonic()
    _, told = process.communicate(timeout=60)
    assert time.monotonic() - begun < within, told
    assert process.returncode == 130, told
    return told


@pytest.mark.parametrize("signals", [(signal.SIGINT, signal.SIGINT), (signal.SIGTERM,)])
def test_a_signal_even_twice_hangs_up_and_keeps_the_recording(
    tmp_path: Path, signals: tuple[signal.Signals, ...]
) -> None:
    with running(tmp_path, "Mute") as process:
        wait_for(process, "patient")
        assert stopped(process, *signals, within=15) == "voicesim: interrupted\n"
    (folder,) = find_recordings(tmp_path / "calls" / "s")
    recording = open_recording(folder)
    assert not recording.manifest.repaired
    assert recording.manifest.end_reason == "caller_hung_up"
    assert recording.manifest.validity is not None
    assert recording.manifest.validity.reason == "stopped"
    assert recording.duration > 1.0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_agent_that_is_stuck_in_its_own_code_does_not_keep_voicesim(tmp_path: Path, number: signal.Signals) -> None:
    with running(tmp_path, "Stuck") as process:
        wait_for(process, "stuck")
        stopped(process, number, within=15)
    (folder,) = find_recordings(tmp_path / "calls" / "s")
    recording = open_recording(folder)
    assert not recording.manifest.repaired
    assert recording.manifest.end_reason == "caller_hung_up"


def test_an_agent_that_never_starts_does_not_keep_voicesim(tmp_path: Path) -> None:
    with running(tmp_path, "NeverStarts") as process:
        wait_for(process, "stuck")
        stopped(process, signal.SIGINT, within=15)
    assert not (tmp_path / "calls" / "s").exists()


def test_virtual_time_can_be_stopped_too(tmp_path: Path) -> None:
    with running(tmp_path, "Stuck", "--clock", "virtual") as process:
        wait_for(process, "stuck")
        stopped(process, signal.SIGTERM, within=15)
    (folder,) = find_recordings(tmp_path / "calls" / "s")
    assert open_recording(folder).manifest.end_reason == "caller_hung_up"


@pytest.fixture
def silent_server() -> Iterator[str]:
    """The address of a server that takes every connection and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        held: list[socket.socket] = []

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    held.append(server.accept()[0])

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        server.shutdown(socket.SHUT_RDWR)
        for connection in held:
            connection.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_waiting_for_a_judges_server_can_be_stopped(
    tmp_path: Path, silent_server: str, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", silent_server)
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    more = ("--clock", "virtual", "--judge", "openai:some-model", "--max-duration", "20")
    with running(tmp_path, "Greets", *more) as process:
        wait_for(process, "judging")
        time.sleep(1.0)
        stopped(process, number, within=15)
    (folder,) = find_recordings(tmp_path / "calls" / "s")
    assert open_recording(folder).manifest.end_reason == "max_duration"
    assert (folder / "transcript.json").exists()
