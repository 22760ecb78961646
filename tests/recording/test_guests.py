"""Recordings that come from somebody else: what is forged in them costs a message, never a file or the memory."""

import gc
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile
from made_recording import make_recording

from voicesim.audio.samples import RATE
from voicesim.errors import RecordingError
from voicesim.recording import files
from voicesim.recording.events import EVENTS_LIMIT, MOST_EVENTS, Warning_
from voicesim.recording.live import LiveRecording
from voicesim.recording.manifest import bare_manifest
from voicesim.recording.read import find_recordings, open_recording
from voicesim.transcript.model import Transcript

SECOND = np.full(RATE, 1000, np.int16)


@pytest.fixture
def guest(tmp_path: Path) -> Path:
    """A whole recording of one second, as somebody sent it."""
    make_recording(tmp_path / "guest", SECOND, SECOND, [Warning_(t=0.5, message="seen")])
    return tmp_path / "guest"


@pytest.fixture
def treasure(tmp_path: Path) -> Path:
    """A folder of the user's that a recording has no business with."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "thesis.txt").write_text("years of work")
    return folder


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["live", "verdicts", ".audio.flac.tmp", "audio.flac", "call.json", "events.jsonl"])
def test_a_link_in_a_recording_is_refused_by_name_and_what_it_leads_to_is_untouched(
    guest: Path, treasure: Path, name: str
) -> None:
    target = treasure if name in ("live", "verdicts") else treasure / "thesis.txt"
    if name == "call.json":
        target = Path(os.path.relpath((guest / name).rename(treasure / "call.json"), guest))
    (guest / name).unlink(missing_ok=True)
    (guest / name).symlink_to(target)
    before = snapshot(treasure)
    with pytest.raises(RecordingError, match=f"{name} is a link"):
        open_recording(guest)
    assert snapshot(treasure) == before
    assert (guest / name).is_symlink()


@pytest.mark.parametrize("name", ["live/agent.pcm", "live/lock", "verdicts/cues.json"])
def test_a_link_one_folder_further_down_is_refused_too(guest: Path, treasure: Path, name: str) -> None:
    (guest / name).parent.mkdir()
    (guest / name).symlink_to(treasure / "thesis.txt")
    before = snapshot(treasure)
    with pytest.raises(RecordingError, match=f"{Path(name).name} is a link"):
        open_recording(guest)
    assert snapshot(treasure) == before


def test_a_file_behind_a_link_is_neither_read_nor_written_even_without_opening_the_recording(
    guest: Path, treasure: Path
) -> None:
    (guest / "verdicts").symlink_to(treasure)
    (treasure / "cues.json").write_text("{}")
    with pytest.raises(RecordingError, match="verdicts is a link"):
        files.load(guest, "verdicts/cues.json", Transcript)
    with pytest.raises(RecordingError, match="verdicts is a link"):
        files.save(guest, "verdicts/other.json", bare_manifest("x", "x"))
    assert sorted(path.name for path in treasure.iterdir()) == ["cues.json", "thesis.txt"]


def test_a_recording_may_be_reached_through_a_link(guest: Path, tmp_path: Path) -> None:
    (tmp_path / "latest").symlink_to(guest)
    assert open_recording(tmp_path / "latest").duration == 1.0


def test_files_in_live_that_are_not_voicesims_stay(guest: Path) -> None:
    (guest / "live").mkdir()
    (guest / "live" / "notes.txt").write_text("mine")
    (guest / "live" / "agent.pcm").write_bytes(b"\0" * 10)
    assert open_recording(guest).duration == 1.0
    assert [path.name for path in (guest / "live").iterdir()] == ["notes.txt"]


def test_an_empty_live_folder_never_costs_the_sound(guest: Path) -> None:
    audio = (guest / files.AUDIO).read_bytes()
    (guest / "live").mkdir()
    assert open_recording(guest).duration == 1.0
    assert (guest / files.AUDIO).read_bytes() == audio


@pytest.mark.parametrize("left", [0, 12_000])
def test_a_repair_never_makes_sound_shorter(guest: Path, left: int) -> None:
    # The manifest says that the call never ended; live/ holds 0 or 0.5 s of it, the FLAC files 1 s.
    before = snapshot(guest)
    (guest / "live").mkdir()
    for name in ("caller", "agent", "clean"):
        (guest / "live" / f"{name}.pcm").write_bytes(b"\1\0" * left)
    recording = open_recording(guest)
    assert recording.manifest.repaired
    assert recording.manifest.duration == 1.0
    assert {name: snapshot(guest)[name] for name in (files.AUDIO, files.CLEAN)} == {
        name: before[name] for name in (files.AUDIO, files.CLEAN)
    }


def test_a_repair_takes_what_is_longer_in_live(guest: Path) -> None:
    (guest / "live").mkdir()
    for name in ("caller", "agent", "clean"):
        (guest / "live" / f"{name}.pcm").write_bytes(b"\7\0" * 36_000)
    recording = open_recording(guest)
    assert recording.duration == 1.5
    assert np.all(recording.agent == 7)


def test_a_repair_keeps_a_whole_file_and_makes_the_missing_one_as_long(guest: Path) -> None:
    audio = (guest / files.AUDIO).read_bytes()
    (guest / files.CLEAN).unlink()
    (guest / "live").mkdir()
    (guest / "live" / "clean.pcm").write_bytes(b"\7\0" * 12_000)
    recording = open_recording(guest)
    assert (guest / files.AUDIO).read_bytes() == audio
    assert np.all(recording.clean[:12_000] == 7)
    assert not recording.clean[12_000:].any()
    assert len(recording.clean) == RATE


def test_sound_files_of_two_lengths_without_live_sound_are_refused(guest: Path) -> None:
    soundfile.write(guest / files.CLEAN, np.zeros((12_000, 1), np.int16), RATE, format="FLAC")
    (guest / "live").mkdir()
    before = snapshot(guest)
    with pytest.raises(RecordingError, match=r"caller_clean\.flac: 12000 samples shorter than audio\.flac"):
        open_recording(guest)
    assert {name: snapshot(guest)[name] for name in before} == before


def peak_of(work: Callable[[], object]) -> int:
    gc.collect()
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def refused(folder: Path, match: str) -> Callable[[], object]:
    def opening() -> None:
        with pytest.raises(RecordingError, match=match):
            open_recording(folder).agent  # noqa: B018

    return opening


def test_hours_of_silence_in_a_small_flac_are_refused_undecoded(guest: Path) -> None:
    with soundfile.SoundFile(guest / files.AUDIO, "w", RATE, 2, subtype="PCM_16", format="FLAC") as file:
        for _ in range(13):
            file.write(np.zeros((600 * RATE, 2), np.int16))
    assert (guest / files.AUDIO).stat().st_size < 2_000_000
    assert peak_of(refused(guest, r"audio\.flac has 2\.2 h of sound; a call has at most 2 h")) < 5_000_000


def test_a_header_that_claims_twelve_hours_is_refused(guest: Path) -> None:
    content = bytearray((guest / files.AUDIO).read_bytes())
    # STREAMINFO: the samples of the file are the last 36 bits before the MD5 sum, in the bytes 21 to 25.
    content[22:26] = (12 * 3600 * RATE).to_bytes(4, "big")
    (guest / files.AUDIO).write_bytes(content)
    assert peak_of(refused(guest, r"audio\.flac has 12\.0 h of sound")) < 5_000_000


def test_sparse_live_files_are_refused_unread(guest: Path) -> None:
    (guest / "live").mkdir()
    with (guest / "live" / "agent.pcm").open("wb") as file:
        file.truncate(2**40)
    assert peak_of(refused(guest, r"agent\.pcm has 1,099,511\.6 MB; .* at most")) < 5_000_000
    assert (guest / files.AUDIO).is_file()


def test_a_gigabyte_of_events_is_refused_unread(guest: Path) -> None:
    with (guest / files.EVENTS).open("r+b") as file:
        file.truncate(2**30)
    assert peak_of(refused(guest, r"events\.jsonl has 1,073\.7 MB")) < 5_000_000


def test_more_small_events_than_a_call_can_have_are_refused(guest: Path) -> None:
    line = b'{"type":"warning","t":0.0,"message":""}\n'
    count = MOST_EVENTS + 1
    assert count * len(line) < EVENTS_LIMIT
    (guest / files.EVENTS).write_bytes(line * count)
    with pytest.raises(RecordingError, match="more than 250,000 events"):
        open_recording(guest)


def test_one_endless_event_is_refused(guest: Path) -> None:
    nested = b"[" + b"[]," * 5_000_000 + b"[]]"
    (guest / files.EVENTS).write_bytes(b'{"type":"usage","t":0.0,"response_id":"","usage":{"x":' + nested + b"}}\n")
    assert peak_of(refused(guest, r"events\.jsonl:1: more than 1,048,576 bytes")) < 5_000_000


def test_a_derived_file_of_a_hundred_megabytes_is_refused_unread(guest: Path) -> None:
    with (guest / files.TRANSCRIPT).open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(RecordingError, match=r"transcript\.json has 100\.0 MB"):
        files.load(guest, files.TRANSCRIPT, Transcript)


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999"])
@pytest.mark.parametrize(
    "line", ['{"type":"warning","t":%s,"message":""}', '{"type":"late","t":1,"what":"tick","seconds":%s}']
)
def test_a_time_that_is_no_number_is_refused_with_its_line(guest: Path, line: str, value: str) -> None:
    with (guest / files.EVENTS).open("a") as file:
        file.write(line % value + "\n")
    with pytest.raises(RecordingError, match=r"events\.jsonl:2"):
        open_recording(guest)


def test_a_manifest_with_a_duration_that_is_no_number_is_refused(guest: Path) -> None:
    text = (guest / files.MANIFEST).read_text()
    (guest / files.MANIFEST).write_text(text.replace('"duration": 1.0', '"duration": NaN'))
    with pytest.raises(RecordingError, match=r"call\.json"):
        open_recording(guest)


@pytest.mark.parametrize("name", [files.MANIFEST, files.EVENTS, files.AUDIO, "live/agent.pcm"])
def test_a_pipe_in_the_place_of_a_file_is_refused_and_never_waited_for(guest: Path, name: str) -> None:
    (guest / name).parent.mkdir(exist_ok=True)
    (guest / name).unlink(missing_ok=True)
    os.mkfifo(guest / name)
    code = "import sys, pathlib, voicesim.recording.read as r; r.open_recording(pathlib.Path(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-c", code, guest], capture_output=True, text=True, check=False, timeout=30)
    assert "RecordingError" in done.stderr


def test_a_blank_line_and_a_byte_order_mark_are_passed_over(guest: Path) -> None:
    events = open_recording(guest).events
    content = (guest / files.EVENTS).read_bytes()
    for odd in (b"\xef\xbb\xbf" + content, content + b"\n", content + b"  \r\n\n", content.replace(b"\n", b"\r\n\r\n")):
        (guest / files.EVENTS).write_bytes(odd)
        assert open_recording(guest).events == events
    manifest = (guest / files.MANIFEST).read_bytes()
    (guest / files.MANIFEST).write_bytes(b"\xef\xbb\xbf" + manifest)
    assert open_recording(guest).manifest.call_id == "made"


def test_a_folder_name_that_is_not_utf_8_is_told(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    make_recording(tmp_path / "whole", SECOND)
    (tmp_path / "whole").rename(folder)
    (found,) = find_recordings(tmp_path)
    with pytest.raises(RecordingError, match=r"caf\\xe9: this name is not UTF-8"):
        open_recording(found)


def test_what_voicesim_writes_it_can_read_however_much_an_agent_tells(tmp_path: Path) -> None:
    manifest = bare_manifest("call", "test")
    with LiveRecording(tmp_path / "c", manifest) as live:
        big = Warning_(t=0.0, message="x" * 900_000)
        for _ in range(EVENTS_LIMIT // 900_000 + 5):
            live.event(big)
        live.finish(lambda old, duration: old.model_copy(update={"duration": duration}))
    last = open_recording(tmp_path / "c").events[-1]
    assert isinstance(last, Warning_)
    assert "more events than a recording can hold" in last.message


def test_a_folder_with_something_in_it_is_not_recorded_into(tmp_path: Path, treasure: Path) -> None:
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / files.EVENTS).symlink_to(treasure / "thesis.txt")
    before = snapshot(treasure)
    with (
        pytest.raises(RecordingError, match="or something else"),
        LiveRecording(tmp_path / "c", bare_manifest("c", "t")),
    ):
        pass
    assert snapshot(treasure) == before


def test_a_discarded_call_leaves_nothing_and_takes_nothing_along(tmp_path: Path) -> None:
    (tmp_path / "suite").mkdir()
    with LiveRecording(tmp_path / "suite" / "a" / "b", bare_manifest("b", "t")) as live:
        live.discard()
    assert list((tmp_path / "suite").iterdir()) == []
    (tmp_path / "suite" / "agent.log").write_text("kept")
    with LiveRecording(tmp_path / "suite" / "b", bare_manifest("b", "t")) as live:
        live.discard()
    assert [path.name for path in (tmp_path / "suite").iterdir()] == ["agent.log"]
