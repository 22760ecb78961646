"""OpenAI's speech endpoint, against a server of our own."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer

import numpy as np
import pytest

from voicesim.audio.samples import RATE
from voicesim.catalog.model import Accent, Voice
from voicesim.errors import SpeechError, UsageError
from voicesim.tts.openai_engine import OpenAIEngine

KEY = "sk-test-4711"
VOICE = Voice(engine="openai", name="coral")
TONE = (8000 * np.sin(2 * np.pi * 440 * np.arange(RATE) / RATE)).astype("<i2")


@dataclass
class Service:
    """What the server answers, and what it was asked."""

    status: int = 200
    body: bytes = TONE.tobytes()
    asked: list[dict[str, str]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    state = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            state.keys.append(self.headers["Authorization"])
            body = self.rfile.read(int(self.headers["Content-Length"]))
            state.asked.append({"path": self.path} | json.loads(body))
            self.send_response(state.status)
            self.send_header("Content-Length", str(len(state.body)))
            self.send_header("Content-Type", "audio/pcm" if state.status == 200 else "application/json")
            self.end_headers()
            self.wfile.write(state.body)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is printed."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    yield state
    server.shutdown()
    thread.join()
    server.server_close()


def test_words_voice_and_accent_are_asked_for_and_pcm_comes_back(service: Service) -> None:
    wave = OpenAIEngine().speak("Good morning.", VOICE, Accent(name="indonesian"), 1.0, seed=1)
    assert wave.dtype == np.float32
    np.testing.assert_allclose(wave, TONE.astype(np.float32) / 32768, atol=1e-6)
    (asked,) = service.asked
    assert asked["path"] == "/v1/audio/speech"
    assert (asked["model"], asked["voice"], asked["input"]) == ("gpt-4o-mini-tts", "coral", "Good morning.")
    assert asked["response_format"] == "pcm"
    assert "Indonesian accent" in asked["instructions"]
    assert service.keys == [f"Bearer {KEY}"]


def test_pace_is_made_here_to_the_sample_and_not_asked_of_the_service(service: Service) -> None:
    wave = OpenAIEngine().speak("Good morning.", VOICE, Accent(), 1.25, seed=1)
    assert len(wave) / RATE == pytest.approx(1 / 1.25, abs=0.02)
    assert "speed" not in service.asked[0]


def test_without_a_key_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UsageError, match="set OPENAI_API_KEY"):
        OpenAIEngine().speak("Hello.", VOICE, Accent(), 1.0, seed=1)


def test_a_refused_key_is_a_usage_error_that_does_not_show_it(service: Service) -> None:
    service.status = 401
    service.body = json.dumps({"error": {"message": f"Incorrect API key provided: {KEY}"}}).encode()
    with pytest.raises(UsageError, match=r"refused OPENAI_API_KEY \(HTTP 401\)") as caught:
        OpenAIEngine().speak("Hello.", VOICE, Accent(), 1.0, seed=1)
    assert KEY not in str(caught.value)


def test_a_failing_service_is_a_speech_error_that_names_the_text(service: Service) -> None:
    service.status = 400
    service.body = json.dumps({"error": {"message": f"no quota left for {KEY}"}}).encode()
    with pytest.raises(SpeechError, match=r"'Hello\.': HTTP 400: .*no quota left for \*\*\*"):
        OpenAIEngine().speak("Hello.", VOICE, Accent(), 1.0, seed=1)


def test_an_empty_answer_is_no_sound(service: Service) -> None:
    service.body = b""
    assert not len(OpenAIEngine().speak("Hello.", VOICE, Accent(), 1.0, seed=1))


@pytest.mark.parametrize(
    ("name", "accent", "message"),
    [("corall", "american", "Did you mean coral"), ("coral", "indonesien", "Did you mean indonesian")],
)
def test_an_unknown_name_is_an_error_with_near_names(name: str, accent: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        OpenAIEngine().speak("Hello.", Voice(engine="openai", name=name), Accent(name=accent), 1.0, seed=1)
