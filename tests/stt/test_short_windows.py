"""Short windows: the same words in less sound for the encoder, long sound in pieces, doubtful text once more."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from voicesim.audio.samples import RATE, Wave, samples
from voicesim.stt import short_windows
from voicesim.stt.finished import FINISHED, finished_probability
from voicesim.stt.short_windows import LEAST_LOGPROB, LONGEST, Decoded, pieces
from voicesim.stt.weights import MODEL, TINY
from voicesim.stt.whisper import Whisper, load_whisper


@pytest.fixture(scope="module")
def whisper() -> Whisper:
    return load_whisper()


def spoken(text: str) -> Wave:
    from hibari import Hibari

    return np.asarray(Hibari()(text, seed=1), dtype=np.float32)


@pytest.mark.parametrize(
    "text",
    ["Do you have a fever or chest pain?", "Please rest, drink plenty of water, and take one tablet of paracetamol."],
)
def test_a_sentence_is_understood_as_in_a_whole_window(whisper: Whisper, text: str) -> None:
    wave = spoken(text)
    assert whisper.dictate(wave, "en").text == whisper.transcribe(wave, "en").text


def test_speech_longer_than_a_window_is_understood_to_its_end(whisper: Whisper) -> None:
    sentences = ["Have you had a fever?", "Drink plenty of water.", "Is your chest tight?", "Please rest in bed."] * 3
    pause = np.zeros(samples(0.4), np.float32)
    wave = np.concatenate([part for sentence in sentences for part in (spoken(sentence), pause)])
    assert len(wave) > 2 * samples(LONGEST)
    assert whisper.dictate(wave, "en").text.split() == " ".join(sentences).split()


def test_a_question_with_a_pause_in_it_is_understood_as_one(whisper: Whisper) -> None:
    first = whisper.dictate(spoken("Have you travelled recently,"), "en").text
    second = whisper.dictate(spoken("or been near somebody with tuberculosis?"), "en", first).text
    whole = short_windows.joined([first, second])
    assert whole == "Have you traveled recently, or been near somebody with tuberculosis?"


def test_sound_without_speech_has_no_words(whisper: Whisper) -> None:
    assert whisper.dictate(np.zeros(3 * RATE, np.float32), "en").text == ""
    noise = np.random.default_rng(5).normal(0, 0.01, 3 * RATE).astype(np.float32)
    assert whisper.dictate(noise, "en").text == ""


def test_garbled_speech_is_understood_with_little_confidence(whisper: Whisper) -> None:
    clean = spoken("Please rest, and drink plenty of water.")
    level = float(np.sqrt(np.mean(clean[np.abs(clean) > 0.01] ** 2)))
    noise = np.random.default_rng(1).normal(0, level * 10 ** (8 / 20), len(clean)).astype(np.float32)
    assert whisper.dictate(clean, "en").confidence > 0.8
    assert whisper.dictate(clean + noise, "en").confidence < math.exp(LEAST_LOGPROB)  # 8 dB more noise than speech


def test_the_smallest_model_can_be_the_ear() -> None:
    tiny = load_whisper("tiny.en")
    assert (tiny.model, tiny.sha256) == ("tiny.en", TINY[MODEL])
    assert tiny.dictate(spoken("Do you have a fever?"), "en").text == "Do you have a fever?"


def test_long_sound_is_cut_where_it_is_quiet_and_nothing_is_lost() -> None:
    # 30 s of noise with 0.3 s of near silence that begin at 9.0 and 18.5 s.
    wave = np.random.default_rng(1).normal(0, 0.1, 30 * RATE).astype(np.float32)
    for start in (9.0, 18.5):
        wave[samples(start) : samples(start + 0.3)] *= 1e-3
    cut = list(pieces(wave))
    assert np.array_equal(np.concatenate(cut), wave)
    assert max(map(len, cut)) <= samples(LONGEST)
    first, second = len(cut[0]) / RATE, (len(cut[0]) + len(cut[1])) / RATE
    assert 9.0 <= first <= 9.3
    assert 18.5 <= second <= 18.8


@pytest.mark.parametrize("length", [0.0, 0.5, LONGEST])
def test_sound_that_fits_stays_whole(length: float) -> None:
    wave = np.ones(samples(length), np.float32)
    assert [len(piece) for piece in pieces(wave)] == ([len(wave)] if length else [])


@dataclass
class Passes:
    """Stands in for the decoder: gives these results in turn, and notes the windows it was asked for."""

    results: list[Decoded]
    windows: list[float] = field(default_factory=list)

    def decode(self, engine: Any, audio: Wave, language: str, window: float, before: str = "") -> Decoded:
        self.windows.append(window)
        return self.results[len(self.windows) - 1]


SURE, UNSURE = Decoded("Are you well?", -0.1, True), Decoded("A yew whale.", -1.4, True)
CUT_OFF, LOOP = Decoded("Are you well? Are", -0.1, False), Decoded("no no no no no " * 20, -0.1, True)


@pytest.mark.parametrize(
    ("length", "results", "text", "windows"),
    [
        (7.0, [SURE], SURE.text, [8.0]),
        (7.1, [SURE], SURE.text, [12.0]),
        (11.5, [UNSURE], UNSURE.text, [30.0]),
        (2.0, [UNSURE, SURE], SURE.text, [8.0, 30.0]),
        (2.0, [CUT_OFF, SURE], SURE.text, [8.0, 30.0]),
        (2.0, [LOOP, SURE], SURE.text, [8.0, 30.0]),
        (2.0, [UNSURE, LOOP], LOOP.text, [8.0, 30.0]),  # both doubtful: the more probable one
        (2.0, [LOOP, UNSURE], LOOP.text, [8.0, 30.0]),
    ],
)
def test_a_doubtful_text_is_decoded_once_more_in_a_whole_window(
    monkeypatch: pytest.MonkeyPatch, length: float, results: list[Decoded], text: str, windows: list[float]
) -> None:
    passes = Passes(results)
    monkeypatch.setattr(short_windows, "decode", passes.decode)
    assert short_windows.dictate(None, np.zeros(round(16_000 * length), np.float32), "en").text == text
    assert passes.windows == windows


@pytest.mark.parametrize(
    ("text", "stops_after"),
    [
        ("I understand that you are worried.", "that"),
        ("Is anyone else in your home ill with the same symptoms?", "with"),
        ("Take one tablet, but never more than four grams in a day.", "than"),
    ],
)
def test_a_voice_that_stops_in_mid_sentence_has_not_finished(whisper: Whisper, text: str, stops_after: str) -> None:
    wave, silence = spoken(text), np.zeros(samples(0.2), np.float32)
    (stop,) = [word.end for word in whisper.transcribe(wave, "en").words if word.text == stops_after]
    assert finished_probability(np.concatenate([wave, silence])) > FINISHED
    assert finished_probability(np.concatenate([wave[: samples(stop)], silence])) < FINISHED


def test_any_length_of_sound_has_a_probability() -> None:
    for length in (0.0, 0.01, 3.0, 8.0, 20.0):
        assert 0.0 <= finished_probability(np.zeros(samples(length), np.float32)) <= 1.0
