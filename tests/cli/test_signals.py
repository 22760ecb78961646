"""Ctrl-C and SIGTERM in the commands beside `run`: a message, exit code 130, and nothing half-written."""

import contextlib
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from voicesim.metrics.measure import measure
from voicesim.recording import files
from voicesim.recording.read import find_recordings, open_recording
from voicesim.transcript.model import Transcript, Utterance

pytestmark = pytest.mark.live

SAMPLE = Path(__file__).parents[2] / "recordings" / "sample"
AGAIN = """
import importlib, sys

module, name = sys.argv.pop(1).split(":")
place = importlib.import_module(module)
real = getattr(place, name)

def again(*args, **more):
    print("busy", flush=True)
    while True:
        real(*args, **more)

setattr(place, name, again)
from voicesim.cli.app import main
main()
"""
"""Does the real work of a command again and again, so that a signal comes in the middle of it."""
STEPS = {
    "transcribe": ("voicesim.suite.after:transcribe", ("transcribe", "call")),
    "score": ("voicesim.judge.run:score_together", ("score", "call")),
    "report": ("voicesim.report.write:write_scorecard", ("report", "call")),
    "say": ("voicesim.tts.synthesize:synthesize", ("say", "Hello there.", "-o", "said.wav")),
    "selftest": ("voicesim.selftest.timing:examine", ("selftest", "timing", "--transport", "virtual")),
}


def transcript_of(call_id: str, duration: float) -> Transcript:
    """A sentence of the agent's, without its words: commands need a transcript to do anything."""
    said = Utterance(
        id="A1",
        side="agent",
        start=0.5,
        end=1.5,
        text="Hello.",
        voiced=((0.5, 1.5),),
        words=(),
        intent=None,
        source="whisper",
    )
    return Transcript(call_id=call_id, duration=duration, language="en", model="none", utterances=(said,))


@contextlib.contextmanager
def running(folder: Path, *command: str) -> Iterator["subprocess.Popen[str]"]:
    (sample,) = find_recordings(SAMPLE)
    shutil.copytree(sample, folder / "call")
    recording = open_recording(folder / "call")
    transcript = transcript_of(recording.manifest.call_id, recording.duration)
    files.save(folder / "call", files.TRANSCRIPT, transcript)
    files.save(folder / "call", files.METRICS, measure(recording, transcript))
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, *command], cwd=folder, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def stops(process: "subprocess.Popen[str]", number: signal.Signals, folder: Path) -> None:
    process.send_signal(number)
    _, told = process.communicate(timeout=20)
    assert (process.returncode, "voicesim: interrupted\n" in told, "Traceback" in told) == (130, True, False), told
    assert [path.name for path in (folder / "call").rglob("*.tmp")] == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("step", STEPS)
def test_a_signal_ends_the_step(tmp_path: Path, step: str, number: signal.Signals) -> None:
    target, command = STEPS[step]
    with running(tmp_path, "-c", AGAIN, target, *command) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "busy\n"
        stops(process, number, tmp_path)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("command", [("doctor", "pcm:ws://{place}/ws"), ("score", "call", "--judge", "openai:m")])
def test_a_signal_ends_the_wait_for_a_server(
    tmp_path: Path, command: tuple[str, ...], number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        place = f"127.0.0.1:{server.getsockname()[1]}"
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://{place}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "any")
        server.settimeout(60)
        with running(tmp_path, "-m", "voicesim", *(part.format(place=place) for part in command)) as process:
            connection, _ = server.accept()
            with connection:
                assert connection.recv(10)  # asked, and never answered
                stops(process, number, tmp_path)


def test_a_signal_ends_the_reading_of_an_answer_that_never_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.getsockname()[1]}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "any")
        server.settimeout(60)
        with running(tmp_path, "-m", "voicesim", "score", "call", "--judge", "openai:m") as process:
            connection, _ = server.accept()
            connection.recv(100_000)
            connection.sendall(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
            )

            def drip() -> None:
                with contextlib.suppress(OSError):
                    while not over.wait(0.05):
                        connection.sendall(b"1\r\n \r\n")

            dripping = threading.Thread(target=drip)
            dripping.start()
            try:
                over.wait(1.0)
                stops(process, signal.SIGTERM, tmp_path)
            finally:
                over.set()
                dripping.join()
                connection.close()
