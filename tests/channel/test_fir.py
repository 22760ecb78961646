"""Filters with memory."""

from collections.abc import Callable

import numpy as np
import pytest

from voicesim.audio.samples import RATE
from voicesim.channel.effect import Sound
from voicesim.channel.fir import Fir, around, band_pass, low_pass
from voicesim.channel.spectrum import SpeechSpectrum

RANDOM = np.random.default_rng(5)
SPEECH = SpeechSpectrum.average()


@pytest.mark.parametrize("block", [1, 480, 1_000])
def test_blocks_in_a_row_are_the_whole_at_once(block: int) -> None:
    taps, signal = band_pass(300, 3_400), RANDOM.standard_normal(6_000)
    fir = Fir(taps)
    blocks = [fir.process(signal[at : at + block]) for at in range(0, len(signal), block)]
    np.testing.assert_allclose(np.concatenate(blocks), np.convolve(signal, taps)[: len(signal)], atol=1e-12)


def test_a_click_comes_out_at_the_delay() -> None:
    fir = Fir(band_pass(300, 3_400))
    click = np.zeros(2_400)
    click[100] = 1.0
    assert np.argmax(np.abs(fir.process(click))) == 100 + fir.delay


@pytest.mark.parametrize(("low", "high"), [(300, 3_400), (50, 7_000), (200, 12_000)])
def test_a_band_passes_what_is_inside_and_stops_what_is_outside(low: float, high: float) -> None:
    response = 20 * np.log10(np.abs(np.fft.rfft(band_pass(low, high), RATE)) + 1e-9)  # bins of 1 Hz
    inside = response[int(low) : min(int(high), RATE // 2 - 200)]
    assert np.abs(inside).max() < 0.1
    assert response[: max(int(low) - 150, 0)].max(initial=-100) < -60
    assert response[int(high) + 150 :].max(initial=-100) < -60


def test_a_loop_is_filtered_without_a_seam() -> None:
    loop, taps = RANDOM.standard_normal(5_000), low_pass(3_000, 121)
    twice = np.convolve(np.tile(loop, 2), taps)[5_000:10_000]
    np.testing.assert_allclose(around(loop, taps), twice, atol=1e-12)


def passing(low: float, high: float) -> Callable[[Sound], Sound]:
    return lambda hz: np.asarray((hz >= low) & (hz < high), float)


def test_the_share_of_speech_in_a_band() -> None:
    assert SPEECH.share(lambda hz: np.ones(len(hz))) == 1.0
    assert SPEECH.share(passing(1, 12_000)) == pytest.approx(1.0)
    # Halves add up, and most of the power of speech is below 1 kHz.
    assert SPEECH.share(passing(1, 800)) + SPEECH.share(passing(800, 12_000)) == pytest.approx(1.0)
    assert 0.8 < SPEECH.share(passing(50, 1_000)) < 0.97


def test_the_share_of_a_voice_is_its_own() -> None:
    seconds = np.arange(RATE) / RATE
    # Amplitudes 1 and 2: a fifth of the power at 200 Hz, four fifths at 1 kHz.
    voice = (np.sin(2 * np.pi * 200 * seconds) + 2 * np.sin(2 * np.pi * 1_000 * seconds)).astype(np.float32)
    assert SpeechSpectrum.of(voice).share(passing(300, 3_400)) == pytest.approx(0.8, abs=0.001)
