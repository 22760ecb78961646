"""The folder of a call: whole after a normal end, repaired after a kill, untouched when healthy."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from voicesim.audio.samples import TICK, Pcm
from voicesim.errors import RecordingError, WriteError
from voicesim.recording import files
from voicesim.recording.events import Hangup, Warning_
from voicesim.recording.live import LiveRecording
from voicesim.recording.manifest import Manifest, Validity, bare_manifest
from voicesim.recording.read import find_recordings, open_recording
from voicesim.transcript.model import Transcript


def blank(call_id: str = "call") -> Manifest:
    return bare_manifest(call_id, "test")


def ended(manifest: Manifest, duration: float) -> Manifest:
    return manifest.model_copy(
        update={"duration": duration, "end_reason": "completed", "validity": Validity(valid=True)}
    )


def tone(count: int, value: int = 1000) -> Pcm:
    return np.full(count, value, np.int16)


def record(folder: Path, *, caller: int, agent: int) -> Manifest:
    with LiveRecording(folder, blank(folder.name)) as live:
        live.write("caller", 0, tone(caller, 1))
        live.write("clean", 0, tone(caller, 2))
        live.write("agent", 0, tone(agent, 3))
        live.event(Hangup(t=1.0, by="caller", reason="completed"))
        return live.finish(ended)


def test_agent_only_call_has_a_silent_left_channel(tmp_path: Path) -> None:
    record(tmp_path / "c", caller=0, agent=3 * 24_000)
    recording = open_recording(tmp_path / "c")
    assert recording.duration == 3.0
    assert not recording.caller.any()
    assert len(recording.agent) == len(recording.clean) == 3 * 24_000


def test_the_longer_channel_decides_and_nothing_is_cut(tmp_path: Path) -> None:
    manifest = record(tmp_path / "c", caller=2 * 24_000, agent=5 * 24_000)
    recording = open_recording(tmp_path / "c")
    assert manifest.duration == recording.duration == 5.0
    assert np.all(recording.agent == 3)
    assert np.all(recording.caller[: 2 * 24_000] == 1)
    assert not recording.caller[2 * 24_000 :].any()
    assert np.all(recording.clean[: 2 * 24_000] == 2)


def test_a_finished_call_leaves_only_its_own_files(tmp_path: Path) -> None:
    record(tmp_path / "c", caller=TICK, agent=TICK)
    assert sorted(path.name for path in (tmp_path / "c").iterdir()) == [
        "audio.flac",
        "call.json",
        "caller_clean.flac",
        "events.jsonl",
    ]


def test_reading_a_healthy_recording_touches_nothing(tmp_path: Path) -> None:
    record(tmp_path / "c", caller=TICK, agent=TICK)
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in (tmp_path / "c").iterdir()}
    recording = open_recording(tmp_path / "c")
    assert not recording.manifest.repaired
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in (tmp_path / "c").iterdir()} == before


KILLED = """
import sys, time
from pathlib import Path
import numpy as np
sys.path.insert(0, {tests!r})
from test_recording import blank
from voicesim.recording.events import Warning_
from voicesim.recording.live import LiveRecording
from voicesim.audio.samples import TICK
with LiveRecording(Path({folder!r}), blank()) as live:
    for tick in range(100):
        for channel in ("caller", "agent", "clean"):
            live.write(channel, tick * TICK, np.full(TICK, tick + 1, np.int16))
        live.event(Warning_(t=tick * 0.02, message="tick"))
    print("recorded", flush=True)
    time.sleep(60)
"""


def test_a_killed_call_loads_and_is_marked_repaired(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    code = textwrap.dedent(KILLED).format(tests=str(Path(__file__).parent), folder=str(folder))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "recorded\n"
        with pytest.raises(RecordingError, match="being recorded right now"):
            open_recording(folder)
        process.send_signal(signal.SIGKILL)
    recording = open_recording(folder)
    assert recording.duration == 2.0  # all hundred ticks
    assert recording.manifest.repaired
    assert recording.manifest.end_reason == "harness_error"
    assert recording.manifest.validity is not None
    assert not recording.manifest.validity.valid
    assert np.array_equal(recording.agent[::TICK], np.arange(1, 101))
    assert len(recording.events) == 100
    assert not (folder / files.LIVE).exists()
    again = open_recording(folder)
    assert again.manifest == recording.manifest


def test_a_crash_between_flac_and_clean_up_does_not_mark_a_healthy_call(tmp_path: Path) -> None:
    record(tmp_path / "c", caller=TICK, agent=TICK)
    (tmp_path / "c" / files.LIVE).mkdir()
    assert not open_recording(tmp_path / "c").manifest.repaired
    assert not (tmp_path / "c" / files.LIVE).exists()


def test_a_call_killed_before_its_first_sample_loads(tmp_path: Path) -> None:
    with LiveRecording(tmp_path / "c", blank()):
        pass
    recording = open_recording(tmp_path / "c")
    assert recording.manifest.repaired
    assert recording.duration == 0.02
    assert not recording.agent.any()


def test_a_half_written_event_line_is_left_out(tmp_path: Path) -> None:
    record(tmp_path / "c", caller=TICK, agent=TICK)
    with (tmp_path / "c" / files.EVENTS).open("ab") as file:
        file.write(b'{"type":"warning","t":1.0,"mess')
    assert [event.type for event in open_recording(tmp_path / "c").events] == ["hangup"]


def test_a_broken_event_line_is_named(tmp_path: Path) -> None:
    record(tmp_path / "c", caller=TICK, agent=TICK)
    with (tmp_path / "c" / files.EVENTS).open("ab") as file:
        file.write(b'{"type":"unheard of","t":1.0}\n')
    with pytest.raises(RecordingError, match=r"events\.jsonl:2"):
        open_recording(tmp_path / "c")


def test_a_full_disk_is_told_and_leaves_a_loadable_call(tmp_path: Path) -> None:
    # The kernel refuses to grow a file beyond 48,000 bytes: one second of one channel.
    code = textwrap.dedent(
        f"""
        import resource, signal, sys
        from pathlib import Path
        import numpy as np
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        from test_recording import blank
        from voicesim.errors import WriteError
        from voicesim.recording.live import LiveRecording
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (48_000, 48_000))
        try:
            with LiveRecording(Path({str(tmp_path / "c")!r}), blank()) as live:
                for tick in range(100):
                    for channel in ("caller", "agent", "clean"):
                        live.write(channel, tick * 480, np.full(480, 1, np.int16))
        except WriteError as error:
            print(error)
        """
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "could not be written: File too large" in done.stdout
    assert open_recording(tmp_path / "c").duration == 1.0


def test_a_folder_is_never_recorded_over(tmp_path: Path) -> None:
    record(tmp_path / "c", caller=TICK, agent=TICK)
    with pytest.raises(RecordingError, match="there is a recording already"):
        record(tmp_path / "c", caller=TICK, agent=TICK)


def test_errors_name_the_folder(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="no recording here"):
        open_recording(tmp_path)
    with pytest.raises(RecordingError, match="no recording here or below"):
        find_recordings(tmp_path)
    record(tmp_path / "a" / "c", caller=TICK, agent=TICK)
    assert find_recordings(tmp_path) == [tmp_path / "a" / "c"]
    (tmp_path / "a" / "c" / files.AUDIO).unlink()
    with pytest.raises(RecordingError, match=r"audio\.flac is not there"):
        open_recording(tmp_path / "a" / "c")


def test_a_derived_file_of_another_version_says_that_it_can_be_made_again(tmp_path: Path) -> None:
    (tmp_path / files.TRANSCRIPT).write_text('{"made_of": "glass"}')
    with pytest.raises(RecordingError, match=r"transcript\.json: .*make it again"):
        files.load(tmp_path, files.TRANSCRIPT, Transcript)
    (tmp_path / files.MANIFEST).write_text('{"made_of": "glass"}')
    with pytest.raises(RecordingError) as broken:
        files.load(tmp_path, files.MANIFEST, Manifest)
    assert "again" not in str(broken.value)  # nothing else could make it


def test_a_derived_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    # The kernel refuses to grow a file beyond 1,000 bytes.
    code = textwrap.dedent(
        """
        import pathlib, resource, signal, sys
        from voicesim.recording import files
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))
        files.write_text(pathlib.Path(sys.argv[1]), "new" * 10_000)
        """
    )
    files.write_text(tmp_path / "x.json", "old")
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "x.json"], capture_output=True, text=True, check=False
    )
    assert "File too large" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]
    assert (tmp_path / "x.json").read_bytes() == b"old"


def test_what_a_killed_process_left_half_written_goes_with_the_next_write(tmp_path: Path) -> None:
    old, new = tmp_path / ".x.json.0123456789abcdef.tmp", tmp_path / ".x.json.fedcba9876543210.tmp"
    for scrap in (old, new):
        scrap.write_text("half")
    os.utime(old, (0, 0))
    files.write_text(tmp_path / "x.json", "whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == [new.name, "x.json"]  # who writes the new one may live


def test_write_errors_end_in_the_harness_exit_code() -> None:
    assert WriteError.exit_code == 3


def test_events_are_on_disk_as_they_happen(tmp_path: Path) -> None:
    with LiveRecording(tmp_path / "c", blank()) as live:
        live.event(Warning_(t=0.5, message="seen"))
        assert b'"seen"' in (tmp_path / "c" / files.EVENTS).read_bytes()
