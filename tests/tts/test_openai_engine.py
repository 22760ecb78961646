"""OpenAI's speech endpoint, against a server of our own."""

from collections.abc import Iterator
from datetime import date

import numpy as np
import pytest
from model_server import KEY, FakeServer, Says, model_server

from voicesim.audio.samples import RATE
from voicesim.catalog.model import Accent, Voice
from voicesim.errors import SpeechError, UsageError
from voicesim.llm.known_models import KnownModel, KnownModels
from voicesim.tts.openai_engine import OpenAIEngine

VOICE = Voice(engine="openai", name="coral")
TONE = (8000 * np.sin(2 * np.pi * 440 * np.arange(RATE) / RATE)).astype("<i2")


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    with model_server() as fake:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", fake.url)
        yield fake


def sound(body: bytes = TONE.tobytes()) -> Says:
    return Says(body=body, headers={"Content-Type": "audio/pcm"})


def test_words_voice_and_accent_are_asked_for_and_pcm_comes_back(service: FakeServer) -> None:
    service.answers = [sound()]
    wave = OpenAIEngine().speak("Good morning.", VOICE, Accent(name="indonesian"), 1.0, seed=1)
    assert wave.dtype == np.float32
    np.testing.assert_allclose(wave, TONE.astype(np.float32) / 32768, atol=1e-6)
    (asked,) = service.requests
    assert service.paths == ["/v1/audio/speech"]
    assert (asked["model"], asked["voice"], asked["input"]) == ("gpt-4o-mini-tts", "coral", "Good morning.")
    assert asked["response_format"] == "pcm"
    assert "Indonesian accent" in asked["instructions"]
    assert service.keys == [f"Bearer {KEY}"]


def test_pace_is_made_here_to_the_sample_and_not_asked_of_the_service(service: FakeServer) -> None:
    service.answers = [sound()]
    wave = OpenAIEngine().speak("Good morning.", VOICE, Accent(), 1.25, seed=1)
    assert len(wave) / RATE == pytest.approx(1 / 1.25, abs=0.02)
    assert "speed" not in service.requests[0]


def test_without_a_key_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UsageError, match="needs a key in OPENAI_API_KEY"):
        OpenAIEngine().speak("Hello.", VOICE, Accent(), 1.0, seed=1)


def test_a_refused_key_is_a_usage_error_that_does_not_show_it(service: FakeServer) -> None:
    service.answers = [Says(status=401, error={"message": f"Incorrect API key provided: {KEY}"})]
    with pytest.raises(UsageError, match="refused the key in OPENAI_API_KEY") as caught:
        OpenAIEngine().speak("Hello.", VOICE, Accent(), 1.0, seed=1)
    assert KEY not in str(caught.value)


def test_a_failing_service_is_a_speech_error_that_names_the_text(service: FakeServer) -> None:
    service.answers = [Says(status=400, error={"message": f"no such text for {KEY}"})]
    with pytest.raises(SpeechError, match=r"'Hello\.': .* with 400: no such text for \[removed\]"):
        OpenAIEngine().speak("Hello.", VOICE, Accent(), 1.0, seed=1)


def test_an_empty_answer_is_no_sound(service: FakeServer) -> None:
    service.answers = [sound(b"")]
    assert not len(OpenAIEngine().speak("Hello.", VOICE, Accent(), 1.0, seed=1))


@pytest.mark.parametrize(
    ("name", "accent", "message"),
    [("corall", "american", "Did you mean coral"), ("coral", "indonesien", "Did you mean indonesian")],
)
def test_an_unknown_name_is_an_error_with_near_names(name: str, accent: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        OpenAIEngine().speak("Hello.", Voice(engine="openai", name=name), Accent(name=accent), 1.0, seed=1)


def test_a_model_that_openai_has_shut_down_is_told_before_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = KnownModels(as_of="2026-12-01", defaults={}, models={"gpt-4o-mini-tts": KnownModel(ends=date(2020, 1, 6))})
    monkeypatch.setattr("voicesim.llm.known_models.known_models", lambda: ended)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with pytest.raises(UsageError, match=r"shut gpt-4o-mini-tts down on 2020-01-06.*: take a local voice"):
        OpenAIEngine().speak("Hello.", VOICE, Accent(), 1.0, seed=1)


def test_another_server_may_have_a_model_that_openai_no_longer_has(
    service: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = KnownModels(as_of="2026-12-01", defaults={}, models={"gpt-4o-mini-tts": KnownModel(ends=date(2020, 1, 6))})
    monkeypatch.setattr("voicesim.llm.known_models.known_models", lambda: ended)
    service.answers = [sound()]
    assert len(OpenAIEngine().speak("Hello.", VOICE, Accent(), 1.0, seed=1))
