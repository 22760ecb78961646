"""`voicesim run` as people type it: real WebRTC to every reference agent, cut short after some seconds."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from voicesim.recording.read import open_recording

pytestmark = pytest.mark.live


def test_one_case_calls_every_reference_agent_and_writes_their_scorecards(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "voicesim", "run", "cold-04-emergency-dyspnea"]
    command += ["--agent", "realtime", "--agent", "modular", "--max-duration", "40", "--at-once", "2"]
    command += ["--agent", "duplex"]
    command += ["--suite", "s", "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert done.stdout, done.stderr
    calls = json.loads(done.stdout)["calls"]
    assert [call["agent"] for call in calls] == ["realtime", "modular", "duplex"]
    for call in calls:
        assert (tmp_path / call["scorecard"]).stat().st_size > 50_000
        recording = open_recording(tmp_path / call["recording"])
        kinds = {event.type for event in recording.events}
        assert {"connected", "heard", "caller_line", "agent_said", "hangup"} <= kinds
        heard = " ".join(event.text for event in recording.events if event.type == "heard").lower()
        assert "nurse" in heard or "help" in heard  # the greeting, through Whisper
        assert recording.agent.any()
        assert recording.caller.any()
        assert recording.manifest.lateness is not None
        assert recording.manifest.lateness.ticks > 500
