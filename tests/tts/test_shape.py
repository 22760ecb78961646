"""Level, ends, pace and pitch of any sound."""

import numpy as np
import pytest

from voicesim.audio.levels import ACTIVE_LEVEL_DB, active_level_db
from voicesim.audio.samples import RATE, Wave, samples
from voicesim.tts.shape import PEAK, level, restyle, trim


def tone(seconds: float, gain: float, hz: float = 200.0) -> Wave:
    return (gain * np.sin(2 * np.pi * hz * np.arange(samples(seconds)) / RATE)).astype(np.float32)


def test_any_loudness_becomes_the_same_active_level() -> None:
    wave = np.concatenate([np.zeros(RATE, np.float32), tone(1.0, 0.1), np.zeros(3 * RATE, np.float32)])
    assert active_level_db(level(np.float32(8.0) * wave)) == pytest.approx(ACTIVE_LEVEL_DB, abs=0.01)
    assert active_level_db(np.zeros(RATE, np.float32)) == float("-inf")


def test_peaks_are_limited_and_the_rest_is_untouched() -> None:
    wave = np.concatenate([tone(2.0, 0.05), tone(0.005, 5.0)])
    shaped = level(wave)
    assert np.abs(shaped).max() <= PEAK
    gain = shaped[100] / wave[100]
    np.testing.assert_allclose(shaped[: samples(2.0)], gain * wave[: samples(2.0)], rtol=1e-5, atol=1e-7)


def test_silent_ends_go_and_a_weak_end_stays() -> None:
    # 30 dB under the rest: as weak as a final f, and kept.
    wave = np.concatenate([np.zeros(9_000, np.float32), tone(0.5, 0.2), tone(0.1, 0.2 * 10 ** (-30 / 20))])
    wave = np.concatenate([wave, 1e-4 * tone(0.4, 1.0)])  # 66 dB under it: not speech
    assert len(trim(wave)) / RATE == pytest.approx(0.6, abs=0.010)
    assert not len(trim(np.zeros(RATE, np.float32)))


@pytest.mark.parametrize(("rate", "pitch"), [(1.0, 1.0), (1.25, 0.8), (0.8, 1.25), (1.1, 1.1), (0.5, 1.6), (2.0, 0.6)])
def test_length_is_the_rate_and_frequency_is_the_pitch(rate: float, pitch: float) -> None:
    shaped = restyle(tone(2.0, 0.3, 300.0), rate, pitch)
    assert len(shaped) / RATE == pytest.approx(2.0 / rate, abs=0.03)
    middle = shaped[RATE // 4 : RATE // 4 + RATE // 2]
    peak = 2 * np.argmax(np.abs(np.fft.rfft(middle * np.hanning(len(middle)))))  # bins of 2 Hz
    assert peak == pytest.approx(300.0 * pitch, abs=4.0)
