"""Word times against sound whose words lie at known places."""

import numpy as np
import pytest

from voicesim.audio.samples import RATE, Wave, samples
from voicesim.stt.align import _model, align
from voicesim.stt.letters import sounds
from voicesim.stt.model import HeardWord


def said(*texts: str, pause: float = 0.4) -> tuple[Wave, list[float]]:
    """Pieces spoken by hibari with digital silence of `pause` seconds around each, and where each begins."""
    from hibari import Hibari

    engine = Hibari()
    parts: list[Wave] = [np.zeros(samples(pause), np.float32)]
    starts = []
    for text in texts:
        clip = np.asarray(engine(text, seed=3), np.float32)
        loud = np.flatnonzero(np.abs(clip) > 0.02 * np.abs(clip).max())
        starts.append(sum(map(len, parts)) / RATE)
        parts += [clip[loud[0] : loud[-1] + 1], np.zeros(samples(pause), np.float32)]
    return np.concatenate(parts), starts


def words(*timed: tuple[str, float, float]) -> list[HeardWord]:
    return [HeardWord(text, start, end, 0.9) for text, start, end in timed]


def test_a_word_dragged_into_the_pause_before_it_goes_back_to_its_sound() -> None:
    wave, (one, other) = said("Fever.", "Measure.")
    # Whisper had the second word begin where the first one ended.
    heard = words(("Fever.", one - 0.05, one + 0.5), ("Measure.", other - 0.35, other + 0.4))
    first, second = align(wave, heard, one, len(wave) / RATE - 0.4)
    assert first.start == pytest.approx(one, abs=0.05)
    assert second.start == pytest.approx(other, abs=0.05)
    assert first.end <= other
    assert [first.text, second.text] == ["Fever.", "Measure."]


def test_words_that_no_dictionary_has_and_figures_are_placed_too() -> None:
    wave, (one, other) = said("Losartan.", "Fifty.")
    heard = words(("Losartan,", one - 0.05, one + 0.5), ("50.", other - 0.1, other + 0.3))
    first, second = align(wave, heard, one, len(wave) / RATE - 0.4)
    assert [first.start, second.start] == pytest.approx([one, other], abs=0.06)


def test_the_same_sound_gives_the_same_times_whatever_was_aligned_before() -> None:
    wave, (one, other) = said("Fever.", "Measure.")
    heard = words(("Fever.", one, one + 0.5), ("Measure.", other, other + 0.4))
    _model.cache_clear()
    before = align(wave, heard, one, other + 0.5)
    assert align(wave, heard, one, other + 0.5) == before
    align(wave[::-1].copy(), words(("Nothing", 0.5, 0.9)), 0.4, 1.0)
    assert align(wave, heard, one, other + 0.5) == before


def test_what_cannot_be_spoken_or_found_keeps_whispers_times() -> None:
    silence = np.zeros(RATE, np.float32)
    dots = words(("...", 0.2, 0.4))
    assert align(silence, dots, 0.1, 0.9) == dots
    assert align(silence, [], 0.1, 0.9) == []
    # far more words than the sound has room for
    many = words(*[("extraordinary", 0.1, 0.12)] * 40)
    assert align(silence, many, 0.1, 0.9) == many


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("losartan", "L AA S AA R T AE N"),
        ("ibuprofen", "IH B AH P R AA F EH N"),
        ("phase", "F AE S"),  # the last e is silent
        ("Missed", "M IH S EH D"),  # a doubled letter is one sound
        ("123", ""),
    ],
)
def test_letters_become_sounds(word: str, expected: str) -> None:
    assert sounds(word) == expected
