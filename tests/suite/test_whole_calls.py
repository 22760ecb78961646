"""One case from its first ring to its scorecard, over lines to agents that know nothing of voicesim."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from voicesim.metrics.model import Metrics
from voicesim.recording.read import open_recording

pytestmark = pytest.mark.live

HERE = Path(__file__).parent


@contextmanager
def running(script: str) -> Iterator[str]:
    """A process that serves an agent; gives its URL."""
    command = [sys.executable, str(HERE / script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            word, _, url = process.stdout.readline().strip().partition(" ")
            assert word == "ready"
            yield url
        finally:
            process.terminate()


@pytest.mark.parametrize(
    ("kind", "script", "path"),
    [("twilio", "twilio_bot.py", ""), ("pcm", "pcm_server.py", ""), ("smallwebrtc", "webrtc_bot.py", "/start")],
)
def test_a_case_is_called_heard_and_scored(kind: str, script: str, path: str, tmp_path: Path) -> None:
    with running(script) as url:
        agent = f"{kind}:{url}{path}"
        command = [sys.executable, "-m", "voicesim", "run", "cold-01-andi", "--agent", agent]
        command += ["--max-duration", "200", "--out", str(tmp_path), "--suite", "s", "--json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=400, check=False)
    # It asks the one critical question and passes; 3 is a busy machine on which we were late.
    assert done.returncode in {0, 3}, done.stderr
    (told,) = json.loads(done.stdout)["calls"]
    folder = Path(told["recording"])
    recording = open_recording(folder)
    events, manifest = recording.events, recording.manifest
    assert next(event.line for event in events if event.type == "connected") == agent
    assert manifest.end_reason in {"agent_hung_up", "completed"}  # whoever is first after the goodbye
    assert manifest.validity is not None
    assert manifest.validity.valid or manifest.validity.reason == "late_harness"
    heard = " ".join(event.text.lower() for event in events if event.type == "heard")
    assert "nurse" in heard
    assert "breathing" in heard
    said = [event.text for event in events if event.type == "agent_said"]
    assert ("nurse line" in " ".join(said[:2])) == (kind == "smallwebrtc")  # the only one that tells its own words
    released = [fact for event in events if event.type == "caller_line" for fact in event.facts]
    assert released[:1] == ["breathing"]
    metrics = Metrics.model_validate_json((folder / "metrics.json").read_text())
    # The bots answer 0.8 s after they no longer hear a voice, and take a moment more to be sure.
    assert [turn.outcome for turn in metrics.turns][:2] == ["answered", "answered"]
    assert all(latency > 0.6 for latency in metrics.response_latency.values)
    assert told["checks"]["breathing_now"] == "hit"
    assert Path(told["scorecard"]).exists()
