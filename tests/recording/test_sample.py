"""The sample call that comes with voicesim: it loads, is small, and was made by voicesim itself."""

from pathlib import Path

from voicesim.recording.read import find_recordings, open_recording

SAMPLE = Path(__file__).parents[2] / "recordings" / "sample"


def test_the_sample_call_loads_and_is_small() -> None:
    (folder,) = find_recordings(SAMPLE)
    recording = open_recording(folder)
    assert recording.manifest.validity is not None
    assert recording.manifest.validity.valid
    assert not recording.manifest.repaired
    assert recording.duration == recording.manifest.duration
    assert len(recording.clean) == len(recording.agent)
    raw = ("call.json", "events.jsonl", "audio.flac", "caller_clean.flac")
    assert sum((folder / name).stat().st_size for name in raw) < 2_000_000
