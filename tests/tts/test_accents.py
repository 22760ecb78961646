"""Accents are rules over phonemes."""

import numpy as np
import pytest

from voicesim.catalog.model import Voice
from voicesim.tts.accents import ACCENTS, apply
from voicesim.tts.hibari import HibariEngine


@pytest.mark.parametrize(
    ("accent", "phonemes", "said"),
    [
        # "the three very cold, better days": th to d and t, v to f, z to s, no final cluster, no flap
        ("indonesian", "ðə θɹˈi vˈɛɹi kˈOld, bˈɛTəɹ dˈAz.", "də tɹˈi fˈɛɹi kˈOl, bˈɛtəɹ dˈAs."),
        # "past" loses its t at the end of the word, "pasta" keeps it
        ("indonesian", "pˈæst pˈɑstə sˈɪt", "pˈɛs pˈɑstə sˈit"),
        ("indonesian-light", "ðə vˈɛɹi bˈɪzi dˈAz", "də vˈɛɹi bˈɪzi dˈAs"),
        ("indian", "wˈʌn vˈAɡ mˈɛʒəɹ", "vˈən vˈAɡ mˈɛʤəɹ"),
        ("spanish", "ɐ stˈɑp vˈɛɹi", "ɐ ɛstˈɑp bˈɛɹi"),
        # "this bad dog was": voiced stops and z are devoiced at the end of a word, not within
        ("german", "ðɪs bˈæd dˈɔɡ wʌz", "zɪs bˈɛt dˈɔk vʌs"),
    ],
)
def test_rules_say_what_a_speaker_says(accent: str, phonemes: str, said: str) -> None:
    assert apply(phonemes, accent) == said


def test_american_changes_nothing() -> None:
    assert apply("ðə θɹˈi bˈɛTəɹ dˈAz", "american") == "ðə θɹˈi bˈɛTəɹ dˈAz"


def test_rules_write_only_phonemes_the_voice_was_taught() -> None:
    """Phonemes outside American English are in the model's alphabet, but it never learned them."""
    taught = set("AIOWYTæɑɔəɐɛɜɪiuʊʌᵊᵻbdfhjklmnpstvwzɡŋɹʃʒðθʤʧˈˌ")
    written = {sign for rules in ACCENTS.values() for rule in rules for sign in rule.to.replace(r"\1", "")}
    assert written <= taught
    assert all(rule.why for rules in ACCENTS.values() for rule in rules)


def test_an_accent_is_heard() -> None:
    engine = HibariEngine()
    plain, accented = (
        engine.speak("three very cold days", Voice(), accent, 1.0, seed=1) for accent in ("american", "indonesian")
    )
    count = min(len(plain), len(accented))
    # More than half of the power of one is in the difference to the other.
    assert np.square(plain[:count] - accented[:count]).sum() > 0.5 * np.square(plain[:count]).sum()
