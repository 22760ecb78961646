"""The active level of speech."""

import numpy as np
import pytest

from voicesim.audio.levels import active_level_db, speech_level
from voicesim.audio.samples import RATE


def tone(seconds: float, gain: float) -> np.ndarray:
    return gain * np.sin(2 * np.pi * 400 * np.arange(round(seconds * RATE)) / RATE)


def test_a_steady_tone_is_all_active() -> None:
    # 10 s at an amplitude of 0.1: 20 log10(0.1 / sqrt(2)) = -23.01 dBFS.
    level = speech_level(tone(10.0, 0.1))
    assert level.level_db == pytest.approx(-23.01, abs=0.1)
    assert level.activity == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("silence", [2.0, 10.0])
def test_silence_around_does_not_count_but_for_the_hangover(silence: float) -> None:
    # 4 s of tone stay active 0.2 s longer, and until the envelope has fallen: 4.0 of about 4.28 s, or -0.29 dB.
    quiet = np.zeros(round(silence * RATE))
    level = speech_level(np.concatenate([quiet, tone(4.0, 0.1), quiet]))
    assert level.level_db == pytest.approx(-23.01 - 0.29, abs=0.1)
    assert level.activity == pytest.approx(4.28 / (2 * silence + 4.0), abs=0.01)


def test_pauses_shorter_than_the_hangover_are_part_of_speech() -> None:
    # 0.1 s of tone, 0.1 s of nothing, again and again: half the power of the tone, -3.01 dB.
    words = np.tile(np.concatenate([tone(0.1, 0.1), np.zeros(RATE // 10)]), 50)
    assert active_level_db(words) == pytest.approx(-23.01 - 3.01, abs=0.15)


def test_louder_is_louder_by_as_much() -> None:
    wave = np.concatenate([tone(2.0, 0.02), np.zeros(RATE), tone(1.0, 0.05)])
    assert active_level_db(4.0 * wave) - active_level_db(wave) == pytest.approx(12.04, abs=0.05)


def test_silence_has_no_level() -> None:
    assert active_level_db(np.zeros(RATE)) == float("-inf")
    assert active_level_db(np.zeros(0)) == float("-inf")
