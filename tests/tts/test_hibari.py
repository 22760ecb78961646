"""The local neural voice."""

import numpy as np
import pytest

from voicesim.audio.samples import RATE, Wave
from voicesim.catalog.model import Accent, Voice
from voicesim.errors import SpeechError, UsageError
from voicesim.tts.hibari import HibariEngine
from voicesim.tts.shape import active_frames
from voicesim.tts.speakers import speaker_names

LINE = "I had a fever yesterday, and now my throat is very sore."


@pytest.fixture(scope="module")
def engine() -> HibariEngine:
    return HibariEngine()


def fundamental(wave: Wave) -> float:
    """Median fundamental frequency (Hz) of the clearly voiced 50 ms frames, by autocorrelation."""
    found = []
    for start in range(0, len(wave) - 1200, 600):
        frame = wave[start : start + 1200].astype(np.float64)
        echo = np.correlate(frame, frame, "full")[1199:]
        lag = 60 + int(np.argmax(echo[60:300]))
        if echo[0] > 1.0 and echo[lag] > 0.7 * echo[0]:
            found.append(RATE / lag)
    return float(np.median(found))


def test_the_same_seed_is_bit_identical_in_another_engine(engine: HibariEngine) -> None:
    first = engine.speak(LINE, Voice(pitch=0.84), Accent(name="indonesian"), 1.1, seed=7)
    again = HibariEngine().speak(LINE, Voice(pitch=0.84), Accent(name="indonesian"), 1.1, seed=7)
    other = engine.speak(LINE, Voice(pitch=0.84), Accent(name="indonesian"), 1.1, seed=8)
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("pitch", [0.8, 1.2])
def test_pitch_moves_and_the_pace_stays(engine: HibariEngine, pitch: float) -> None:
    own = engine.speak(LINE, Voice(), Accent(), 1.0, seed=1)
    moved = engine.speak(LINE, Voice(pitch=pitch), Accent(), 1.0, seed=1)
    assert fundamental(moved) / fundamental(own) == pytest.approx(pitch, rel=0.04)
    assert len(moved) == pytest.approx(len(own), rel=0.02)


@pytest.mark.parametrize("rate", [0.7, 1.0, 1.4])
def test_rate_is_the_pace(engine: HibariEngine, rate: float) -> None:
    own = engine.speak(LINE, Voice(), Accent(), 1.0, seed=1)
    paced = engine.speak(LINE, Voice(), Accent(), rate, seed=1)
    assert len(own) / len(paced) == pytest.approx(rate, rel=0.02)
    assert fundamental(paced) == pytest.approx(fundamental(own), rel=0.04)


def test_sentences_are_a_short_pause_apart(engine: HibariEngine) -> None:
    """0.35 s of silence between the two, though the model pads every sentence with 0.3 s on each side."""
    wave = engine.speak("It hurts. Please help me.", Voice(), Accent(), 1.0, seed=1)
    quiet = "".join("." if active else " " for active in active_frames(wave))
    longest = max(map(len, quiet.split("."))) * 0.020
    assert longest == pytest.approx(0.35, abs=0.08)


@pytest.mark.parametrize(
    ("voice", "accent", "message"),
    [
        (Voice(name="hart"), "american", "Did you mean heart?"),
        (Voice(), "indonesia", "Did you mean indonesian"),
        (Voice(), "klingon", "Known: american"),
    ],
)
def test_an_unknown_name_is_an_error_with_near_names(
    engine: HibariEngine, voice: Voice, accent: str, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        engine.speak("Hello.", voice, Accent(name=accent), 1.0, seed=1)


def test_a_voice_that_would_have_to_be_fetched_is_not_offered(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setenv("HIBARI_HOME", str(tmp_path))
    engine = HibariEngine()
    assert engine.voices() == ("heart", *speaker_names())
    with pytest.raises(UsageError, match="'emma' is not on this machine"):
        engine.speak("Hello.", Voice(name="emma"), Accent(), 1.0, seed=1)


def test_text_without_phonemes_is_a_speech_error(engine: HibariEngine) -> None:
    with pytest.raises(SpeechError, match="no sound of '…'"):
        engine.speak("…", Voice(), Accent(), 1.0, seed=1)
