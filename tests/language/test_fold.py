"""Words that sound the same compare equal, and nothing else does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicesim.language.fold import find, find_quote, fold

SAID = "Please take two hundred fifty milligrams of it now."
TRICKY = "take two hundred and fifty milligrams 250 mg 10:00 AM a m $1 first don't 4,000 9-1-1, no. 38.6"


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("36", "thirty six"),
        ("36", "Thirty-six."),
        ("21st", "twenty first"),
        ("10:00 AM", "ten a m"),
        ("10:00 a.m.", "ten a.m."),
        ("10:30 AM", "ten thirty a m"),
        ("8:00", "eight o'clock"),
        ("250 mg", "two hundred fifty milligrams"),
        ("250mg", "two hundred and fifty milligrams"),
        ("4,000 mg", "four thousand milligrams"),
        ("38.6", "thirty eight point six"),
        ("38.0", "thirty eight point zero"),
        ("180", "a hundred and eighty"),
        ("2005", "two thousand and five"),
        ("1,250,000", "one million two hundred fifty thousand"),
        ("9-1-1", "nine one one"),
        ("911", "9-1-1"),
        ("4-6 weeks", "four to six weeks"),
        ("50%", "fifty percent"),
        ("12 kg", "twelve kilos"),
        ("38.6°C", "thirty eight point six degrees celsius"),
        ("$1", "one dollar"),
        ("$49.95", "forty nine dollars and ninety five cents"),
        ("don’t", "DON'T"),
        ("-5", "minus five"),
    ],
)
def test_a_number_as_written_and_as_spoken_are_the_same_words(written: str, spoken: str) -> None:
    assert fold(written) == fold(spoken)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("$1", "1"),
        ("500 mg", "50 mg"),
        ("500 mg", "500 ml"),
        ("500 mg", "500 mcg"),
        ("-5", "5"),
        ("1/2", "12"),
        ("1.5", "15"),
        ("two hundred. Fifty", "250"),
        ("twenty ten", "30"),
        ("21st", "21"),
        ("diarrhoea", "diarrhea"),
        ("do not take it", "do take it"),
        ("can", "can't"),
    ],
)
def test_words_that_mean_something_else_stay_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


def test_folding_is_only_case_punctuation_and_numbers() -> None:
    assert fold("Well — (yes), twenty-one; “No!”") == ("well", "yes", "21", "no")
    assert fold("") == () == fold(" ... ")


def test_a_quote_is_found_across_number_forms_and_mapped_to_its_words() -> None:
    words = SAID.split()
    # please 0, take 1, two 2, hundred 3, fifty 4, milligrams 5, of 6, it 7, now 8
    assert find_quote("take 250 mg of it", words) == (1, 8)
    assert find_quote("TAKE two hundred and fifty mg", words) == (1, 6)


def test_a_quote_is_found_in_words_that_the_transcriber_broke_up() -> None:
    words = [" Call", " 9", "-1", "-1", " or", " take", " 4", ",000", " mg"]
    assert find_quote("call 911 or", words) == (0, 5)
    assert find_quote("take four thousand milligrams", words) == (5, 9)


@pytest.mark.parametrize(
    "quote",
    [
        "take 50 mg of it",
        "fifty milligrams of it",
        "take milligrams of it",
        "take 250 mg of them",
        "it of mg 250",
        "",
        "?!",
    ],
)
def test_a_quote_that_was_not_said_is_not_found(quote: str) -> None:
    assert find_quote(quote, SAID.split()) is None


@pytest.mark.parametrize(("quote", "text"), [("1", "It costs $1."), ("6 weeks", "4-6 weeks"), ("5", "at -5 degrees")])
def test_a_quote_never_cuts_a_written_number(quote: str, text: str) -> None:
    assert find(quote, text) is None
    assert find_quote(quote, text.split()) is None


WORDS = st.lists(st.sampled_from(TRICKY.split()), min_size=1, max_size=12)


@given(words=WORDS)
def test_the_whole_of_an_utterance_is_always_found_in_it(words: list[str]) -> None:
    assert find_quote(" ".join(words), words) == (0, len(words))


@given(words=WORDS)
def test_what_is_found_folds_to_what_was_asked_for(words: list[str]) -> None:
    text = " ".join(words)
    for start in range(len(words)):
        quote = " ".join(words[start : start + 3])
        span = find(quote, text)
        if span is not None:
            assert fold(text[span[0] : span[1]]) == fold(quote)
