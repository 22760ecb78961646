"""The installed weights on a few seconds of speech."""

import numpy as np
import pytest

from voicesim.audio.samples import RATE, Wave
from voicesim.stt.vad import speech_spans
from voicesim.stt.weights import BASE, MODEL
from voicesim.stt.whisper import Whisper, load_whisper


@pytest.fixture(scope="module")
def whisper() -> Whisper:
    return load_whisper()


def spoken(text: str) -> Wave:
    from hibari import Hibari

    return np.asarray(Hibari()(text, seed=1), dtype=np.float32)


def test_speech_becomes_words_in_order_inside_it(whisper: Whisper) -> None:
    wave = spoken("Do you have a fever or chest pain?")
    heard = whisper.transcribe(wave, "en")
    assert heard.text == "Do you have a fever or chest pain?"
    assert [word.text for word in heard.words] == heard.text.split()
    starts = [word.start for word in heard.words]
    assert starts == sorted(starts)
    assert heard.words[-1].end <= len(wave) / RATE
    assert (whisper.model, whisper.sha256) == ("base", BASE[MODEL])


def test_the_same_sound_gives_the_same_words_and_another_language_is_noticed(whisper: Whisper) -> None:
    wave = spoken("Drink plenty of water and rest.")
    assert whisper.transcribe(wave, "en") == whisper.transcribe(wave, "en")
    assert whisper.detect_language(wave) == "en"


def test_onset_and_end_of_a_real_voice_come_within_10_ms() -> None:
    clip = spoken("Please take it with food.")
    loud = np.flatnonzero(np.abs(clip) > 0.02 * np.abs(clip).max())
    clip = clip[loud[0] : loud[-1] + 1]
    wave = np.zeros(5 * RATE, dtype=np.float32)
    wave[30_000 : 30_000 + len(clip)] = clip
    spans = speech_spans(wave)
    assert spans[0][0] == pytest.approx(30_000 / RATE, abs=0.01)
    assert spans[-1][1] == pytest.approx((30_000 + len(clip)) / RATE, abs=0.01)
