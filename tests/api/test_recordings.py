"""Recordings by the Python API: export, import, replay on virtual time, redact, and a case out of a call."""

import shutil
from pathlib import Path

import pytest

import voicesim

SAMPLE = Path(__file__).parents[2] / "recordings" / "sample" / "cold-04-emergency-dyspnea"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sample call, transcribed."""
    folder = tmp_path_factory.mktemp("sample") / "call"
    shutil.copytree(SAMPLE, folder)
    voicesim.transcribe(folder, whisper="tiny.en")
    return folder


def test_a_call_goes_out_as_stereo_and_comes_back_as_a_recording(sample: Path, tmp_path: Path) -> None:
    (wav,) = voicesim.export_recordings([sample], "wav", tmp_path / "out")
    back = voicesim.import_recording(wav, "cold-04-emergency-dyspnea", tmp_path / "back")
    there = voicesim.open_recording(sample)
    assert abs(back.duration - there.duration) < 0.02
    assert back.manifest.imported is not None
    with pytest.raises(voicesim.UsageError, match="something already"):
        voicesim.import_recording(wav, "cold-04-emergency-dyspnea", tmp_path / "back")


def test_words_are_taken_out_of_a_copy(sample: Path, tmp_path: Path) -> None:
    copy = voicesim.redact_recording(voicesim.open_recording(sample), tmp_path / "copy", words=["flu"])
    text = (copy.folder / "transcript.json").read_text()
    assert "[redacted]" in text
    assert "the flu" not in text
    assert "the flu" in (sample / "transcript.json").read_text()


def test_a_case_is_drafted_and_passes_the_check(sample: Path, tmp_path: Path) -> None:
    (tmp_path / "drafted.yaml").write_text(voicesim.draft_case(sample, "drafted"))
    assert voicesim.load_case(tmp_path / "drafted.yaml").id == "drafted"


def test_the_recorded_patient_calls_another_agent(
    sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    result = voicesim.replay_recording(
        sample, "python:quiet_agent:Agent", clock="virtual", out=tmp_path, whisper="tiny.en", ear="tiny.en"
    )
    assert result.manifest.replayed is not None
    said = [utterance.text for utterance in result.transcript.of("caller")]
    assert said[0].startswith("I've had the flu for two days")
    assert result.scorecard.is_file()
