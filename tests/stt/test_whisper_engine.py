"""How Whisper is asked, with a stand-in for the model."""

import threading
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from speechlike import speechlike

from voicesim.audio.samples import RATE, Wave
from voicesim.stt.whisper import Whisper


@dataclass
class Piece:
    word: str
    start: float
    end: float
    probability: float = 1.0


@dataclass
class Segment:
    words: list[Piece]


@dataclass
class Engine:
    """Gives the words it was made with; notes how it was asked and how many callers were inside at once."""

    words: list[Piece] = field(default_factory=lambda: [Piece(" Yes.", 0.1, 0.4)])
    asked: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    inside: int = 0
    most_inside: int = 0

    def transcribe(self, audio: Wave, **options: Any) -> tuple[Any, None]:
        self.asked.append((len(audio), options))
        return self._segments(), None

    def _segments(self) -> Any:
        # like the real one, the work is done while the result is read
        self.inside += 1
        self.most_inside = max(self.most_inside, self.inside)
        time.sleep(0.02)
        self.inside -= 1
        yield Segment(self.words)


def noise(duration: float, level_db: float) -> Wave:
    draws = np.random.default_rng(5).standard_normal(round(duration * RATE))
    return (10 ** (level_db / 20) * draws).astype(np.float32)


@pytest.mark.parametrize(
    "wave",
    [
        pytest.param(np.zeros(30 * RATE, dtype=np.float32), id="30 s of zeros"),
        pytest.param(noise(30, -60), id="30 s of noise at -60 dBFS"),
        pytest.param(noise(0.2, -20), id="0.2 s without speech"),
        pytest.param((0.3 * np.sin(2 * np.pi * 440 * np.arange(2 * RATE) / RATE)).astype(np.float32), id="a tone"),
        pytest.param(np.zeros(0, dtype=np.float32), id="nothing"),
    ],
)
def test_sound_without_speech_gives_no_words_and_never_reaches_the_model(wave: Wave) -> None:
    engine = Engine()
    heard = Whisper(engine, "fake", "0").transcribe(wave, "en")
    assert (heard.text, heard.words, engine.asked) == ("", (), [])


def test_the_language_is_told_and_the_decoding_is_deterministic() -> None:
    engine = Engine()
    heard = Whisper(engine, "fake", "0").transcribe(speechlike(1.5), "de")
    ((length, options),) = engine.asked
    assert (options["language"], options["temperature"], heard.language) == ("de", 0.0, "de")
    assert not options["condition_on_previous_text"]
    assert length == 24_000  # 1.5 s at 16 kHz


def test_four_threads_are_never_inside_one_model_together() -> None:
    engine = Engine()
    whisper = Whisper(engine, "fake", "0")
    wave = speechlike(0.5)
    threads = [threading.Thread(target=whisper.transcribe, args=(wave, "en")) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(engine.asked), engine.most_inside) == (4, 1)


def test_pieces_that_whisper_splits_off_a_word_are_joined_to_it() -> None:
    engine = Engine(
        [Piece(" A", 0.0, 0.1), Piece(" follow", 0.1, 0.4, 0.9), Piece("-up", 0.4, 0.6, 0.7), Piece(" ", 0.6, 0.7)]
    )
    heard = Whisper(engine, "fake", "0").transcribe(speechlike(1.0), "en")
    assert heard.text == "A follow-up"
    assert [(word.text, word.start, word.end, word.probability) for word in heard.words] == [
        ("A", 0.0, 0.1, 1.0),
        ("follow-up", 0.1, 0.6, 0.7),
    ]
