import json
from pathlib import Path

import pytest
from made_recording import line, make_recording
from speechlike import placed_pcm
from typer.testing import CliRunner

from voicesim.cli.app import build
from voicesim.metrics.model import Metrics
from voicesim.recording import files
from voicesim.transcript.model import Transcript

COMMANDS = (("transcribe", "voicesim.cli.transcribe:transcribe", ""), ("check", "voicesim.cli.check:check", ""))


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A folder with one call in it: the patient speaks at 1.0-2.0 s, the agent at 2.8-3.5 s."""
    make_recording(tmp_path / "one", placed_pcm(5.0, (2.8, 3.5)), placed_pcm(5.0, (1.0, 2.0)), [line(1.0, 2.0)])
    return tmp_path


def test_transcribing_a_folder_writes_transcript_and_measures_of_each_call_in_it(suite: Path) -> None:
    result = CliRunner().invoke(build(COMMANDS), ["transcribe", str(suite), "--json"])
    assert result.exit_code == 0
    (row,) = json.loads(result.stdout)["recordings"]
    assert (row["agent_utterances"], row["patient_utterances"]) == (1, 1)
    assert row["median_latency"] == pytest.approx(0.8, abs=0.005)
    transcript = files.load(suite / "one", files.TRANSCRIPT, Transcript)
    assert (transcript.model, transcript.language) == ("base", "en")
    metrics = files.load(suite / "one", files.METRICS, Metrics)
    assert metrics.response_latency.values == (row["median_latency"],)
    before = (suite / "one" / files.TRANSCRIPT).read_bytes()
    again = CliRunner().invoke(build(COMMANDS), ["transcribe", str(suite / "one")])
    assert "1 agent and 1 patient utterances, median latency 80" in again.stdout
    assert (suite / "one" / files.TRANSCRIPT).read_bytes() == before


def test_a_folder_without_a_recording_is_a_usage_error(tmp_path: Path) -> None:
    result = CliRunner().invoke(build(COMMANDS), ["transcribe", str(tmp_path)])
    assert result.exit_code == 2
    assert "no recording here" in result.stderr
