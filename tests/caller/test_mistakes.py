"""A fact that the agent tells back wrong is seen, and advice with other numbers is none."""

import pytest

from voicesim.caller.mistakes import Mistake, mistake

TOLD = ["I've had a cough for two weeks.", "I take metformin, 500 milligrams.", "My temperature was 38.6 degrees."]


@pytest.mark.parametrize(
    ("heard", "wrong"),
    [
        ("So you've had the cough for three weeks.", Mistake("three weeks", "two weeks")),
        ("Okay, a cough for 3 weeks. Any fever?", Mistake("3 weeks", "two weeks")),
        ("Three weeks, is that right?", Mistake("Three weeks", "two weeks")),
        ("You take 850 mg of metformin.", Mistake("850 mg", "500 milligrams")),
        ("Your temperature was 39.2 degrees.", Mistake("39.2 degrees", "38.6 degrees")),
    ],
)
def test_another_value_than_the_patient_told_is_a_mistake(heard: str, wrong: Mistake) -> None:
    assert mistake(heard, TOLD) == wrong


@pytest.mark.parametrize(
    "heard",
    [
        "So you've had the cough for two weeks.",
        "So you've had the cough for 14 days.",
        "You take half a gram of metformin.",
        "You should see a doctor if it lasts for three weeks.",
        "Take one gram of paracetamol every six hours.",
        "A cough usually lasts three weeks.",
        "We have a slot in three weeks.",
        "Have you had it for more than three weeks?",
        "You told me.",
        "",
    ],
)
def test_the_same_value_advice_and_what_is_to_come_are_none(heard: str) -> None:
    assert mistake(heard, TOLD) is None


def test_nothing_told_is_nothing_to_get_wrong() -> None:
    assert mistake("So you've had it for three weeks.", []) is None


def test_a_date_and_a_time_can_be_wrong_too() -> None:
    told = ["It began on the 12th of July, at nine in the evening."]
    assert mistake("So it began on the 13th of July for you.", told) is not None
    assert mistake("You said it began on July 12.", told) is None
