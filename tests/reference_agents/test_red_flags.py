"""Danger is heard at once, and what is denied, brief or only supposed raises no alarm."""

import pytest

from voicesim.reference_agents.alarm import alarm
from voicesim.reference_agents.words import fold

NOW = [
    "I've had the flu for two days. And now... I can't catch my breath. My chest feels tight.",
    "I cannot breathe",
    "I can't catch. My breath.",
    "cant catch my breath my chest feels tight",
    "My chest is really tight and it's right now",
    "I have a lot of pain in my chest",
    "I'm short of breath, even when I'm sitting",
    "She is breathing very fast and her lips are blue",
    "He won't wake up",
    "I think I'm having a heart attack",
    "I have trouble breathing",
]
NOTHING = [
    "No, my breathing is fine, and no chest pain.",
    "I can breathe fine. No chest pain.",
    "I'm a bit tired, but I can breathe. It's sore when I cough, no other chest pain.",
    "I'm not short of breath.",
    "My breathing is all right.",
    "I've got a chest cold, coughing for about a week.",
    "What if I get chest pain later?",
    "Her breathing looks normal.",
    "I don't have any trouble breathing",
    "And if I feel short of breath tonight, what do I do?",
]
UNCLEAR = [
    "I get a bit short of breath on the stairs",
    "I'm short of breath only when I cough",
    "sometimes my chest hurts a little when I cough",
]


@pytest.mark.parametrize("heard", NOW)
def test_danger_that_is_there_is_an_emergency(heard: str) -> None:
    assert alarm(fold(heard)) == "now"


@pytest.mark.parametrize("heard", NOTHING)
def test_denied_or_supposed_danger_is_none(heard: str) -> None:
    assert alarm(fold(heard)) is None


@pytest.mark.parametrize("heard", UNCLEAR)
def test_brief_or_mild_trouble_is_a_reason_to_ask(heard: str) -> None:
    assert alarm(fold(heard)) == "unclear"
