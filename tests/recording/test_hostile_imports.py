"""Sound files and exports from strangers: bounded in memory, in events and in time; no key of theirs is stored."""

import json
import tracemalloc
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
import soundfile
from sound_files import wav_bytes

from voicesim.catalog.find import Catalogue
from voicesim.errors import RecordingError
from voicesim.recording.events import AgentSaid, ToolCall
from voicesim.recording.export_events import MOST_ENTRIES, read_export
from voicesim.recording.import_call import ImportOrder, import_call
from voicesim.recording.read import open_recording

CASE = Catalogue.here().case("cold-01-andi")
KEY = "sk-abcdefghijklmnopqrstuv"
SECOND = np.random.default_rng(1).integers(-3_000, 3_000, (24_000, 2)).astype(np.int16)


def imported(tmp_path: Path, export: Any) -> Path:
    (tmp_path / "call.wav").write_bytes(wav_bytes(SECOND))
    events = tmp_path / "call.json"
    events.write_text(export if isinstance(export, str) else json.dumps(export))
    import_call(ImportOrder((tmp_path / "call.wav",), CASE, tmp_path / "out" / "call", events=events))
    return tmp_path / "out" / "call"


def tools(**fields: Any) -> dict[str, Any]:
    return {
        "transcript_with_tool_calls": [
            {"role": "tool_call_invocation", "tool_call_id": "1", "name": "book", "arguments": "{}"} | fields
        ]
    }


FAR: dict[str, Any] = {
    "a beginning beyond all calendars": {"transcript_object": [], "start_timestamp": 1e300},
    "a beginning beyond all floats": {"transcript_object": [], "start_timestamp": 10**400},
    "a channel that is infinite": '{"sentences": [{"media_channel": 1e999, "transcript": "a", "start_time": 0}]}',
    "a time beyond all floats": {
        "sentences": [{"media_channel": 1, "transcript": "a", "start_time": 10**400, "end_time": 1}]
    },
    "an end beyond all floats": {"messages": [{"role": "bot", "secondsFromStart": 1, "endTime": 10**400, "time": 2}]},
    "an item beyond all calendars": {"items": [{"created_at": 1e300, "role": "user", "content": ["a"]}]},
    "an item beyond all floats": {"items": [{"created_at": 10**400, "role": "user", "content": ["a"]}]},
    "an object in objects without end": '{"call":' * 100_000,
    "words that are no list": {"transcript_object": [{"role": "agent", "words": {"0": 1}, "content": "a"}]},
    "more entries than a call has": {
        "sentences": [{"media_channel": 1, "transcript": "a", "start_time": 0, "end_time": 0}] * (MOST_ENTRIES + 1)
    },
}


@pytest.mark.parametrize("export", FAR)
def test_an_export_that_cannot_be_is_refused_and_leaves_nothing(tmp_path: Path, export: str) -> None:
    with pytest.raises(RecordingError, match=r"call\.json"):
        imported(tmp_path, FAR[export])
    assert not (tmp_path / "out").exists()


LARGE: dict[str, Any] = {
    "name": tools(name="n" * 3_000_000),
    "result": tools(role="tool_call_result", content={"a": ["x" * 4_000] * 1_000}),
    "arguments": tools(arguments="[" * 150 + "]" * 150),
    "keys": tools(arguments={str(n): n for n in range(75_000)}),
    "reason": {"transcript_object": [], "disconnection_reason": "x" * 20_000_000},
    "began": {"messages": [{"role": "bot", "message": "Hi"}], "startedAt": "x" * 20_000_000},
}


@pytest.mark.parametrize("part", LARGE)
def test_a_large_part_is_cut_or_left_out_and_the_recording_opens(tmp_path: Path, part: str) -> None:
    folder = imported(tmp_path, LARGE[part])
    manifest = open_recording(folder).manifest
    assert manifest.imported is not None
    assert sum(path.stat().st_size for path in folder.iterdir()) < 300_000
    left_out = [note for note in manifest.imported.notes if "left out" in note]
    assert bool(left_out) == (part in ("result", "keys")), manifest.imported.notes


def test_keys_in_an_export_are_not_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLINIC_TOKEN", "own-secret-of-the-clinic")
    export = tools(arguments={"api_key": KEY, "own-secret-of-the-clinic": 1})
    export["transcript_with_tool_calls"].append({"role": "agent", "content": f"The key is {KEY}."})
    export["disconnection_reason"] = f"error: {KEY}"
    folder = imported(tmp_path, export)
    written = "".join(path.read_text() for path in (folder / "events.jsonl", folder / "call.json"))
    assert KEY not in written
    assert "own-secret-of-the-clinic" not in written
    call, said = open_recording(folder).events
    assert isinstance(call, ToolCall)
    assert call.arguments["api_key"] == "[removed]"
    assert isinstance(said, AgentSaid)
    assert said.text == "The key is [removed]."


def jumping(path: Path, rate: int, *at: float) -> Path:
    """A Matroska file of noise in which each tenth of a second begins at a time of its own."""
    with av.open(str(path), "w", format="matroska") as out:
        stream: Any = out.add_stream("pcm_s16le", rate=rate)
        stream.layout = "stereo"
        for second in at:
            noise = np.random.default_rng(1).integers(-3_000, 3_000, (1, rate // 10 * 2)).astype(np.int16)
            frame = av.AudioFrame.from_ndarray(noise, format="s16", layout="stereo")
            frame.sample_rate, frame.pts, frame.time_base = rate, round(second * rate), Fraction(1, rate)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


def test_a_clock_that_jumps_by_hours_fills_no_memory(tmp_path: Path) -> None:
    """A gap of an hour and a half at 192,000 Hz would be 8 GB at once."""
    path = jumping(tmp_path / "call.mkv", 192_000, 0.0, 1.0, 9_000.0)
    assert path.stat().st_size < 1_000_000
    tracemalloc.start()
    try:
        with pytest.raises(RecordingError, match="longer than 2 h"):
            import_call(ImportOrder((path,), CASE, tmp_path / "call"))
        assert tracemalloc.get_traced_memory()[1] < 200e6
    finally:
        tracemalloc.stop()


def test_many_small_jumps_are_told_in_a_few_words(tmp_path: Path) -> None:
    path = jumping(tmp_path / "call.mkv", 8_000, *(n * 0.2 for n in range(150)))
    manifest = import_call(ImportOrder((path,), CASE, tmp_path / "call"))
    assert manifest.imported is not None
    told = [note for note in manifest.imported.notes if "missing" in note]
    assert len(told) == 101
    assert told[-1] == "more sound is missing behind that"
    assert manifest.duration == pytest.approx(29.9, abs=0.15)  # the first gap is taken for a coder's lead


def test_hours_of_silence_in_a_small_file_are_refused_by_its_header(tmp_path: Path) -> None:
    path = tmp_path / "call.flac"
    with soundfile.SoundFile(path, "w", 8_000, 2, format="FLAC", subtype="PCM_16") as file:
        for _ in range(3):
            file.write(np.zeros((8_000 * 3_600, 2), np.int16))
    assert path.stat().st_size < 500_000
    with pytest.raises(RecordingError, match="longer than 2 h"):
        import_call(ImportOrder((path,), CASE, tmp_path / "call"))


@pytest.mark.parametrize(
    "content",
    [
        b"#EXTM3U\n#EXT-X-TARGETDURATION:10\nfile:///etc/passwd\n",
        b"ffconcat version 1.0\nfile /etc/passwd\n",
        b"v=0\no=- 0 0 IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n",
        b"<?xml version='1.0'?><MPD><Period/></MPD>",
    ],
)
def test_what_names_other_files_is_no_sound(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "call.wav"
    path.write_bytes(content)
    with pytest.raises(RecordingError, match="no sound file"):
        import_call(ImportOrder((path,), CASE, tmp_path / "call"))


def test_an_export_by_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text('{"sentences": []}')
    (tmp_path / "call.json").symlink_to(tmp_path / "secret.json")
    with pytest.raises(RecordingError, match="is a link"):
        read_export(tmp_path / "call.json")
