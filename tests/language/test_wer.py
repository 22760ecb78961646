"""What counts as a misheard word, and what does not."""

import pytest

from voicesim.language.wer import word_error_rate


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        ("thirty six", "36"),
        ("the 21st", "The twenty-first."),
        ("10:00 AM", "ten a m"),
        ("Doctor Hart", "Dr. Hart"),
        ("250 mg", "two hundred fifty milligrams"),
        ("It's 38.6°C, call 911!", "its thirty eight point six degrees celsius call nine one one"),
        ("1½ tablets for 4-6 weeks", "one and a half tablets for four to six weeks"),
    ],
)
def test_a_value_in_another_form_is_no_error(reference: str, hypothesis: str) -> None:
    assert word_error_rate(reference, hypothesis) == 0
    assert word_error_rate(hypothesis, reference) == 0


@pytest.mark.parametrize(
    ("reference", "hypothesis", "rate"),
    [
        ("$1", "1", 1 / 2),  # 1 dollar / 1: one word left out of two
        ("500 mg", "50 mg", 1 / 2),  # one of two changed
        ("take two of them", "take two", 2 / 4),  # two left out of four
        ("yes", "yes I do", 2 / 1),  # two added to one
        ("colour", "color", 1),  # spellings stay different words
        ("no", "", 1),
    ],
)
def test_words_changed_left_out_or_added_count(reference: str, hypothesis: str, rate: float) -> None:
    assert word_error_rate(reference, hypothesis) == pytest.approx(rate)


@pytest.mark.parametrize("reference", ["", "...", " \n"])
def test_without_words_to_hear_there_is_no_rate(reference: str) -> None:
    assert word_error_rate(reference, "anything") is None
