"""What the brain reads out of a heard text: numbers, spans, negation, misspelt medicines."""

import pytest

from voicesim.reference_agents import drugs
from voicesim.reference_agents.words import celsius, denies, fold, illness_days, mentions, names, says_no, says_yes


@pytest.mark.parametrize(
    ("heard", "folded"),
    [
        ("Thirty eight point six last night.", "38.6 last night."),
        ("Two tablets, five hundred milligrams", "2 tablets, 500 milligrams"),
        ("a hundred and eighty this morning", "180 this morning"),
        ("Four thousand two hundred", "4200"),
        ("one two", "1 2"),
        ("a hundred and fever", "100 and fever"),
        ("I can’t, I cannot, I dont", "i can't, i can't, i don't"),
        ("twenty-one days", "21 days"),
        ("She weighs twelve kilos.", "she weighs 12 kilos."),
    ],
)
def test_numbers_become_digits_however_they_were_written(heard: str, folded: str) -> None:
    assert fold(heard) == folded


@pytest.mark.parametrize(
    ("heard", "days"),
    [
        ("I've had a runny nose for three days", 3.0),
        ("I had a cold about four weeks ago", 28.0),
        ("since yesterday", 1.0),
        ("I've had body aches since this morning. I took a tablet a few hours ago.", 0.5),
        ("About a week. It's the same.", 7.0),
        ("I'm nine weeks pregnant and I've had nothing", None),
        ("I'm nine weeks pregnant. My nose is blocked since two days, 2 days now", 2.0),
        ("I feel bad", None),
    ],
)
def test_only_the_illness_counts_as_its_length(heard: str, days: float | None) -> None:
    assert illness_days(fold(heard)) == days


@pytest.mark.parametrize(
    ("heard", "value"),
    [
        ("38.6 last night", 38.6),
        ("thirty nine", 39.0),
        ("a hundred and two", 38.9),
        ("I am 67", None),
        ("2 cups", None),
    ],
)
def test_temperatures_in_either_scale(heard: str, value: float | None) -> None:
    found = celsius(fold(heard))
    assert found == (None if value is None else pytest.approx(value, abs=0.05))


def test_a_denied_symptom_is_not_a_symptom() -> None:
    assert mentions("i have a fever", "fever")
    assert not mentions("no fever", "fever")
    assert denies("no fever, no blood", "fever")
    assert mentions("no blood, but a fever", "fever")
    assert not mentions("my breathing is fine", "breathing")
    assert mentions("my breathing is bad, my appetite is fine", "breathing")
    assert not denies("i have a cough", "fever")


@pytest.mark.parametrize(
    ("heard", "name"),
    [
        ("met formin", "metformin"),
        ("low sartan every day", "losartan"),
        ("Lozartan", "losartan"),
        ("amla dipine", "amlodipine"),
        ("para cetamol", "paracetamol"),
        ("a Panadole", "panadol"),
    ],
)
def test_medicines_are_known_although_the_transcriber_got_them_wrong(heard: str, name: str) -> None:
    assert name in names(fold(heard), drugs.SPELLINGS)


def test_ordinary_words_are_no_medicines() -> None:
    said = "I have had a cold for two days, a stuffy nose and body aches, and I take nothing at all for it"
    assert names(fold(said), drugs.SPELLINGS) == set()


def test_yes_and_no_at_the_start_of_an_answer() -> None:
    assert says_no("no, my breathing is fine")
    assert not says_no("i don't know")
    assert says_yes("yes, a little")
    assert not says_yes("yesterday it started")
