"""Every common format is read to the sample, and what is broken is refused by name."""

import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from sound_files import wav_bytes, write_sound

from voicesim.audio.samples import RATE, Pcm, Wave
from voicesim.errors import RecordingError
from voicesim.recording.sound_file import open_sound
from voicesim.recording.sources import at_24_khz

SECONDS = 3.0
FORMATS = [
    ("call.wav", "pcm_s16le", 8_000),
    ("call.wav", "pcm_s24le", 44_100),
    ("call.wav", "pcm_f32le", 48_000),
    ("call.wav", "pcm_mulaw", 8_000),
    ("call.wav", "pcm_alaw", 8_000),
    ("call.flac", "flac", 16_000),
    ("call.mp3", "libmp3lame", 16_000),
    ("call.mp3", "libmp3lame", 44_100),
    ("call.ogg", "libopus", 48_000),
    ("call.opus", "libopus", 24_000),
    ("call.m4a", "aac", 48_000),
    ("call.webm", "libopus", 48_000),
]


def chirps() -> Wave:
    """A short tone in the left channel at 1 s, and in the right one at 2 s."""
    t = np.arange(round(SECONDS * RATE)) / RATE
    tone = 0.5 * np.sin(2 * np.pi * 700 * t)
    left = np.where((t >= 1.0) & (t < 1.2), tone, 0.0)
    right = np.where((t >= 2.0) & (t < 2.2), tone, 0.0)
    return np.stack([left, right], axis=1).astype(np.float32)


def onset(channel: Pcm) -> float:
    return float(np.flatnonzero(np.abs(channel.astype(np.int32)) > 6_000)[0]) / RATE


@pytest.mark.parametrize(("name", "codec", "rate"), FORMATS)
def test_a_format_keeps_its_channels_and_its_clock(name: str, codec: str, rate: int, tmp_path: Path) -> None:
    path = write_sound(tmp_path / name, chirps(), rate, codec)
    sound = np.concatenate(list(at_24_khz(path, repair=False)))
    assert sound.shape[1] == 2
    assert len(sound) / RATE == pytest.approx(SECONDS, abs=0.06)  # coders fill up their last frame
    lead = 1_024 / rate if codec == "aac" else 0.0  # PyAV does not note the coder's own silence in front, FFmpeg does
    assert onset(sound[:, 0]) == pytest.approx(1.0 + lead, abs=0.005)
    assert onset(sound[:, 1]) == pytest.approx(2.0 + lead, abs=0.005)


@pytest.mark.parametrize("claimed", [0xFFFFFFFF, 0, 0x7FFFFFFF, 100])
def test_a_wav_header_that_lies_about_its_length_is_repaired_on_a_copy(claimed: int, tmp_path: Path) -> None:
    path = tmp_path / "call.wav"
    path.write_bytes(before := wav_bytes(np.full((24_000, 2), 1000, np.int16), claimed=claimed))
    with open_sound(path) as sound:
        assert sum(len(block) for block in sound.blocks()) == 24_000  # 1.000 s
        assert "its header tells of" in sound.info.notes[0]
    assert path.read_bytes() == before


def test_chunks_after_the_sound_are_no_sound(tmp_path: Path) -> None:
    path = tmp_path / "call.wav"
    path.write_bytes(wav_bytes(np.full((2_400, 2), 1000, np.int16)) + b"LIST" + (4).to_bytes(4, "little") + b"INFO")
    with open_sound(path) as sound:
        assert sum(len(block) for block in sound.blocks()) == 2_400
        assert sound.info.notes == ()


def test_a_file_that_was_cut_off_is_refused_and_read_as_far_as_it_goes_when_asked(tmp_path: Path) -> None:
    whole = wav_bytes(np.full((24_000, 2), 1000, np.int16))
    path = tmp_path / "call.wav"
    path.write_bytes(whole[: 44 + 12_000 * 4])
    with pytest.raises(RecordingError, match=r"cut off: its header tells of 1.00 s, and it holds 0.50 s; --repair"):
        list(at_24_khz(path, repair=False))
    assert sum(len(block) for block in at_24_khz(path, repair=True)) == 12_000


@pytest.mark.parametrize(("name", "codec"), [("call.flac", "flac"), ("call.ogg", "libopus"), ("call.m4a", "aac")])
def test_other_formats_that_were_cut_off_are_refused(name: str, codec: str, tmp_path: Path) -> None:
    noise = np.random.default_rng(0).normal(0, 0.1, (round(SECONDS * RATE), 2)).astype(np.float32)
    path = write_sound(tmp_path / name, noise, 48_000, codec)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(RecordingError, match=r"cut off|can(not)? be read"):
        list(at_24_khz(path, repair=False))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "the file is empty"),
        (b"Hello, this is a letter.\n" * 50, "no sound file that can be read"),
        (b"#EXTM3U\n#EXTINF:1,\n/etc/passwd\n", "no sound file that can be read"),
        (b"ffconcat version 1.0\nfile /etc/passwd\n", "no sound file that can be read"),
        (b"\x00" * 5_000, "no sound file that can be read"),
        (wav_bytes(np.zeros((0, 2), np.int16)), "there is no sound in it"),
        (wav_bytes(np.zeros((2_400, 3), np.int16)), "3 channels"),
        (wav_bytes(np.zeros((2_400, 2), np.int16), rate=4_000), "4,000 Hz"),
    ],
)
def test_what_is_no_call_is_refused_by_name(data: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "call.wav"
    path.write_bytes(data)
    with pytest.raises(RecordingError, match=says) as told:
        list(at_24_khz(path, repair=False))
    assert "call.wav" in str(told.value)


def test_a_long_file_is_read_in_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "long.wav"
    path.write_bytes(wav_bytes(np.zeros((20 * 60 * 8_000, 2), np.int16), rate=8_000))
    tracemalloc.start()
    count = sum(len(block) for block in at_24_khz(path, repair=False))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 20 * 60 * RATE
    assert peak < 40e6  # the whole would be 115 MB at 24,000 Hz, and twice that in float
