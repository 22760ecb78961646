"""Conversions at the edges: nothing overflows, nothing drifts, a lying header is forgiven."""

import struct
from pathlib import Path

import numpy as np
import pytest

from voicesim.audio import samples as sound
from voicesim.audio.sound_file import read_wav


def test_mixing_full_scale_channels_does_not_overflow() -> None:
    both = np.full((100, 2), -32760, np.int16)
    assert np.all(sound.mix_down(both) == -32760)


def test_float_samples_clip_to_int16_and_are_counted() -> None:
    result = sound.quantize(np.array([1.0, 1.5, -1.5]))
    assert result.pcm.tolist() == [32767, 32767, -32768]
    assert result.clipped == 2


def test_last_block_is_filled_with_zeros() -> None:
    clip = np.ones(round(1.013 * 16_000), np.int16)  # 16,208 samples are 50.65 blocks of 320
    cut = sound.blocks(clip, 320)
    assert len(cut) == 51
    assert all(len(block) == 320 for block in cut)
    assert int(cut[-1].sum()) == 16_208 - 50 * 320


def test_wav_header_that_claims_too_much_gives_what_is_there(tmp_path: Path) -> None:
    frames = np.full(24_000, 1000, "<i2").tobytes()
    head = (
        b"RIFF" + struct.pack("<I", 0xFFFFFFFF) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 24_000, 48_000, 2, 16)
    )
    (tmp_path / "stream.wav").write_bytes(head + b"data" + struct.pack("<I", 0xFFFFFFFF) + frames)
    assert len(read_wav(tmp_path / "stream.wav")) == 24_000


def test_a_file_that_is_no_sound_is_named(tmp_path: Path) -> None:
    (tmp_path / "noise.wav").write_text("not sound")
    with pytest.raises(ValueError, match=r"noise\.wav"):
        read_wav(tmp_path / "noise.wav")


def test_level_of_a_full_scale_sine_is_3_db_below_full_scale() -> None:
    t = np.arange(24_000) / 24_000
    # RMS of a sine is 1/sqrt(2) of its peak: 10 * log10(0.5) = -3.01 dB
    assert sound.rms_db(np.sin(2 * np.pi * 100 * t)) == pytest.approx(-3.01, abs=0.01)
    assert sound.rms_db(np.zeros(10)) == float("-inf")
