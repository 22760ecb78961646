"""The shipped personas' voices: each fits its patient's sex, and they are told apart."""

from collections.abc import Iterator

import numpy as np
import pytest

from voicesim.audio.levels import ACTIVE_LEVEL_DB, active_level_db
from voicesim.audio.samples import Wave
from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import Persona, Voice
from voicesim.tts.likeness import distances, pitch_of, print_of, told_apart
from voicesim.tts.synthesize import synthesize

LINES = (
    "I have had a sore throat and a fever since Monday morning.",
    "Could you tell me whether this medicine is safe for me?",
    "The pain goes away when I lie down for a while.",
    "We should have gone home early, because the weather was bad.",
)


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, list[Wave]]]:
    patch = pytest.MonkeyPatch()
    patch.setenv("VOICESIM_CACHE", str(tmp_path_factory.mktemp("cache")))
    catalogue = Catalogue.here()
    # Those for stress differ in one habit each, not in their voice.
    names = [name for name in catalogue.ids("persona") if not name.startswith("stress-")]
    personas = {name: catalogue.persona(name) for name in names}
    yield {name: [synthesize(line, persona, 1).wave for line in LINES] for name, persona in personas.items()}
    patch.undo()


def sexes() -> dict[str, set[str]]:
    """The sexes of the patients who are called with each persona."""
    catalogue = Catalogue.here()
    found: dict[str, set[str]] = {}
    for name in catalogue.ids("case"):
        patient = catalogue.case(name).patient
        found.setdefault(patient.persona, set()).add(patient.sex)
    return found


def test_men_and_women_speak_at_their_pitch(spoken: dict[str, list[Wave]]) -> None:
    """Men mostly speak between 80 and 165 Hz, women between 165 and 255 Hz."""
    for name, of_patients in sexes().items():
        assert len(of_patients) == 1, name
        hz = float(np.median(np.concatenate([pitch_of(wave) for wave in spoken[name]])))
        low, high = (75, 162) if of_patients == {"male"} else (162, 255)
        assert low < hz < high, (name, hz)


def test_every_persona_is_told_from_every_other(spoken: dict[str, list[Wave]]) -> None:
    """Each sentence is nearest to its own persona's other sentences, and no two lie within the spread of one voice."""
    prints = {name: [print_of(wave) for wave in waves] for name, waves in spoken.items()}
    assert told_apart(prints) == 1.0
    nearest = min(distances(prints).items(), key=lambda item: item[1])
    assert nearest[1] > 1.5, nearest


@pytest.mark.usefixtures("own_cache")
def test_one_voice_at_two_pitches_is_not_two_speakers() -> None:
    """The measure can fail: a voice turned up by 2 % is taken for itself about as often as not."""
    prints = {
        str(pitch): [
            print_of(synthesize(line, Persona(id="p", title="p", voice=Voice(pitch=pitch)), 1).wave) for line in LINES
        ]
        for pitch in (1.0, 1.02)
    }
    assert told_apart(prints) < 0.8
    assert min(distances(prints).values()) < 1.0


def test_every_line_is_at_the_same_level(spoken: dict[str, list[Wave]]) -> None:
    for waves in spoken.values():
        for wave in waves:
            assert active_level_db(wave) == pytest.approx(ACTIVE_LEVEL_DB, abs=0.2)
