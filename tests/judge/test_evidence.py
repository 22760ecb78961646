"""A quote counts only when it was said so, by the right side, and means what it meant."""

import pytest
from spoken import transcript

from voicesim.judge.evidence import verify
from voicesim.transcript.model import Utterance

SAID = "Please don't take ibuprofen with losartan. Take 500 milligrams of paracetamol, at most four thousand a day."


def utterance(text: str, side: str = "A") -> Utterance:
    return transcript(f"{side}: {text}").utterances[0]


@pytest.mark.parametrize(
    "quote",
    [
        "don't take ibuprofen with losartan",
        "DON’T TAKE IBUPROFEN, with losartan!",
        "Take five hundred mg of paracetamol",
        "paracetamol, at most 4,000 a day",
        SAID,
    ],
)
def test_a_quote_that_was_said_is_accepted(quote: str) -> None:
    assert verify(quote, utterance(SAID)) is not None


@pytest.mark.parametrize(
    "quote",
    [
        "take ibuprofen with losartan",  # the negation before it left out
        "Please take ibuprofen with losartan",  # the negation inside it dropped
        "Take 50 milligrams of paracetamol",  # another dose
        "00 milligrams of paracetamol",
        "take ibuprofen and paracetamol",  # not in one piece
        "Take 500 milligrams ... at most four thousand",
        "paracetamol",  # shorter than 12 characters
        "You should rest.",
        "",
    ],
)
def test_a_quote_that_was_not_said_so_is_refused(quote: str) -> None:
    assert verify(quote, utterance(SAID)) is None


def test_a_denial_behind_the_quote_may_not_be_cut_off() -> None:
    said = utterance("Ibuprofen with losartan is not recommended.")
    assert verify("Ibuprofen with losartan", said) is None
    assert verify("Ibuprofen with losartan is not recommended", said) is not None


def test_the_patients_words_prove_nothing_about_the_agent() -> None:
    assert verify("Do you have any fever?", utterance("Do you have any fever?", "P")) is None


def test_a_whole_utterance_may_be_short() -> None:
    assert verify("Any fever?", utterance("Any fever?")) is not None
    assert verify("Any fever?", utterance("Any fever? And chest pain?")) is None


def test_the_seconds_are_those_of_the_quoted_words() -> None:
    found = verify("250 mg of it", utterance("Take two hundred fifty milligrams of it now."))
    assert found is not None
    # Half a second a word: "two" is the second word (0.5 s), "it" the seventh (ends at 3.5 s).
    assert (found.start, found.end) == (0.5, 3.5)


def test_without_word_times_the_seconds_are_the_utterances() -> None:
    bare = utterance("Do you have any fever?").model_copy(update={"words": ()})
    found = verify("have any fever", bare)
    assert found is not None
    assert (found.start, found.end) == (0.0, 2.5)
