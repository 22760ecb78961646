"""A line as sound: audited, levelled, trimmed, kept."""

from pathlib import Path

import numpy as np
import pytest

from voicesim.audio.levels import ACTIVE_LEVEL_DB, active_level_db
from voicesim.audio.samples import RATE, Wave
from voicesim.catalog.model import Accent, Persona, Voice
from voicesim.errors import SpeechError, UsageError
from voicesim.tts import synthesize as module
from voicesim.tts.shape import PEAK, frame_powers
from voicesim.tts.synthesize import synthesize

pytestmark = pytest.mark.usefixtures("own_cache")

PERSONA = Persona(id="p", title="a patient")
LINE = "I've had a cold for four days."


class Fake:
    """Returns what it is given and counts how often it was asked."""

    version = "fake 1"

    def __init__(self, wave: Wave) -> None:
        self.wave, self.asked = wave, 0

    def speak(self, spoken: str, voice: Voice, accent: Accent, rate: float, seed: int) -> Wave:
        self.asked += 1
        return self.wave

    def voices(self) -> tuple[str, ...]:
        return ("heart",)

    def accents(self) -> tuple[str, ...]:
        return ("american",)


def use(monkeypatch: pytest.MonkeyPatch, wave: Wave) -> Fake:
    fake = Fake(wave)
    monkeypatch.setattr(module, "engine", lambda name: fake)
    return fake


def humming(seconds: float, gain: float = 0.2) -> Wave:
    """A buzz of many harmonics: as tonal as a vowel."""
    time = np.arange(round(seconds * RATE)) / RATE
    harmonics = np.array([np.sin(2 * np.pi * 150 * n * time) / n for n in range(1, 20)])
    return np.asarray(gain * harmonics.sum(axis=0), np.float32)


def test_a_real_line_is_level_and_voiced_from_end_to_end() -> None:
    speech = synthesize("Take **250 mg**!", PERSONA, seed=3)
    assert (speech.text, speech.spoken) == ("Take **250 mg**!", "Take two hundred fifty milligrams!")
    assert speech.wave.dtype == np.float32
    assert active_level_db(speech.wave) == pytest.approx(ACTIVE_LEVEL_DB, abs=0.1)
    assert np.abs(speech.wave).max() <= PEAK
    # The first and the last 15 ms are within 40 dB of the level of the whole.
    ends = frame_powers(speech.wave, 360)[[0, -2]]
    assert (10 * np.log10(ends) > ACTIVE_LEVEL_DB - 40).all()


@pytest.mark.parametrize("text", ["", "  ", "[sighs]", "😀", "https://only.a/link"])
def test_text_without_a_word_is_a_speech_error_that_names_it(text: str) -> None:
    with pytest.raises(SpeechError) as caught:
        synthesize(text, PERSONA, seed=1)
    assert repr(text) in str(caught.value)


NOISE = np.random.default_rng(1).uniform(-1.0, 1.0, 2 * RATE).astype(np.float32)


def with_noise(start: float, end: float, level: float = 0.5) -> Wave:
    """A line of 1.5 s whose sound is noise from one second to another."""
    wave = humming(1.5)
    first, last = round(start * RATE), round(end * RATE)
    wave[first:last] = level * NOISE[first:last]
    return wave


@pytest.mark.parametrize(
    ("wave", "fault"),
    [
        (np.zeros(0, np.float32), "no sound"),
        (np.zeros(2 * RATE, np.float32), "silence"),
        (NOISE, "noise"),
        (0.1 * NOISE, "noise"),
        (with_noise(1.0, 1.5), "noise"),  # the last third
        (with_noise(0.0, 0.5), "noise"),
        (with_noise(0.5, 1.0), "noise"),
        (with_noise(1.1, 1.5, level=0.3), "noise"),
        (with_noise(0.2, 1.4, level=0.1), "noise"),
        (np.full(2 * RATE, np.nan, np.float32), "no numbers"),
        (humming(0.1), "0.10 s for 22 letters"),
        (humming(20.0), "20.00 s for 22 letters"),
    ],
)
def test_what_is_no_speech_is_a_speech_error_that_names_the_text(
    monkeypatch: pytest.MonkeyPatch, wave: Wave, fault: str
) -> None:
    fake = use(monkeypatch, wave)
    for _ in range(2):
        with pytest.raises(SpeechError, match=fault) as caught:
            synthesize(LINE, PERSONA, seed=1)
        assert repr(LINE) in str(caught.value)
    assert fake.asked == 2  # a fault is not kept


def test_the_same_line_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = use(monkeypatch, humming(1.5))
    first = synthesize(LINE, PERSONA, seed=1)
    again = synthesize(f"**{LINE}**", PERSONA, seed=1)
    assert fake.asked == 1
    np.testing.assert_array_equal(first.wave, again.wave)


@pytest.mark.parametrize(
    ("persona", "seed", "version"),
    [
        (PERSONA, 2, "fake 1"),
        (PERSONA, 1, "fake 2"),
        (PERSONA.model_copy(update={"rate": 1.1}), 1, "fake 1"),
        (PERSONA.model_copy(update={"accent": Accent(name="indonesian")}), 1, "fake 1"),
        (PERSONA.model_copy(update={"voice": Voice(pitch=0.9)}), 1, "fake 1"),
        (PERSONA.model_copy(update={"voice": Voice(name="other")}), 1, "fake 1"),
    ],
)
def test_whatever_changes_the_sound_is_another_entry(
    monkeypatch: pytest.MonkeyPatch, persona: Persona, seed: int, version: str
) -> None:
    fake = use(monkeypatch, humming(1.5))
    synthesize(LINE, PERSONA, seed=1)
    fake.version = version
    synthesize(LINE, persona, seed)
    assert fake.asked == 2


@pytest.mark.parametrize("damage", ["cut", "changed", "empty"])
def test_a_damaged_entry_is_made_again_and_repaired(
    monkeypatch: pytest.MonkeyPatch, own_cache: Path, damage: str
) -> None:
    fake = use(monkeypatch, humming(1.5))
    whole = synthesize(LINE, PERSONA, seed=1)
    (entry,) = (own_cache / "speech").glob("*.pcm")
    content = bytearray(entry.read_bytes())
    content[5000] ^= 0x01
    entry.write_bytes({"cut": bytes(content[:4000]), "changed": bytes(content), "empty": b""}[damage])
    for _ in range(2):
        np.testing.assert_array_equal(synthesize(LINE, PERSONA, seed=1).wave, whole.wave)
    assert fake.asked == 2
    assert not list((own_cache / "speech").glob("*.part"))


def test_a_cache_that_cannot_be_written_is_no_failure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("VOICESIM_CACHE", str(tmp_path / "file"))
    fake = use(monkeypatch, humming(1.5))
    assert len(synthesize(LINE, PERSONA, seed=1).wave) == 1.5 * RATE
    synthesize(LINE, PERSONA, seed=1)
    assert fake.asked == 2


def test_a_persona_with_an_unknown_voice_gets_no_other() -> None:
    with pytest.raises(UsageError, match="Did you mean heart"):
        synthesize(LINE, Persona(id="p", title="t", voice=Voice(name="hearth")), seed=1)
