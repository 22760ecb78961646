"""pyttsx3 over eSpeak NG, one process a text."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from voicesim.audio.samples import RATE, Wave
from voicesim.catalog.model import Accent, Voice
from voicesim.errors import SpeechError, UsageError
from voicesim.tts.audit import audit
from voicesim.tts.pyttsx3_engine import Pyttsx3Engine

LINES = ("I have had a cold for four days.", "My chest feels tight.")


def say(line: str, name: str = "default", accent: str = "american", rate: float = 1.0) -> Wave:
    return Pyttsx3Engine().speak(line, Voice(engine="pyttsx3", name=name), Accent(name=accent), rate, seed=1)


def test_two_texts_one_after_the_other_are_two_sounds() -> None:
    """Queued in one engine before one run, the second text is lost; here each gets its own."""
    first, second = (say(line) for line in LINES)
    for wave, line in ((first, LINES[0]), (second, LINES[1])):
        audit(wave, line, line, 1.0)
    assert len(first) > len(second) > 0.8 * RATE
    np.testing.assert_array_equal(say(LINES[0]), first)


def test_a_long_text_is_spoken_to_its_end() -> None:
    """pyttsx3 by itself comes back from a run before eSpeak has finished, and then there is no file."""
    long = "It began on Monday with a sore throat, and then the cough came. " * 4
    once, four_times = say(long[:64]), say(long)
    assert len(four_times) / len(once) == pytest.approx(4.0, rel=0.15)


def test_the_pace_is_taken_every_time() -> None:
    """Each run of pyttsx3 ends with a stop that may throw away a pace not yet taken; 200 words a minute follow."""
    with ThreadPoolExecutor(3) as pool:
        lengths = set(map(len, pool.map(say, [LINES[1]] * 9)))
    assert len(lengths) == 1


def test_two_threads_with_an_engine_each_both_get_their_sound() -> None:
    alone = {line: say(line) for line in LINES}
    start = threading.Barrier(2)

    def speak(line: str) -> Wave:
        start.wait(5)
        return say(line)

    with ThreadPoolExecutor(2) as pool:
        together = dict(zip(LINES, pool.map(speak, LINES), strict=True))
    for line in LINES:
        np.testing.assert_array_equal(together[line], alone[line])


def test_voice_and_accent_and_rate_each_change_the_sound() -> None:
    plain = say(LINES[0])
    woman, scot, fast = (
        say(LINES[0], "f2"),
        say(LINES[0], accent="en-gb-scotland"),
        say(LINES[0], rate=1.5),
    )
    assert not any(len(plain) == len(other) and np.array_equal(plain, other) for other in (woman, scot, fast))
    assert len(fast) / len(plain) == pytest.approx(1 / 1.5, rel=0.1)
    np.testing.assert_array_equal(say(LINES[1]), say(LINES[1], accent="en-us"))
    np.testing.assert_array_equal(say(LINES[1], accent="british"), say(LINES[1], accent="en"))


def test_pitch_keeps_the_pace() -> None:
    voice = Voice(engine="pyttsx3", name="default", pitch=1.2)
    high = Pyttsx3Engine().speak(LINES[0], voice, Accent(), 1.0, seed=1)
    assert len(high) == pytest.approx(len(say(LINES[0])), rel=0.1)


@pytest.mark.parametrize(
    ("name", "accent", "message"),
    [
        ("f22", "american", "no voice 'f22'. Did you mean f2"),
        ("default", "en-gb-scottland", "no accent 'en-gb-scottland'. Did you mean en-gb-scotland"),
        ("heart", "american", "no voice 'heart'"),
    ],
)
def test_an_unknown_name_is_an_error_with_near_names(name: str, accent: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        say(LINES[0], name, accent)


def test_a_pace_out_of_reach_is_an_error() -> None:
    with pytest.raises(UsageError, match="583 words a minute"):  # 175 * 2.0 / 0.6
        Pyttsx3Engine().speak("Hello.", Voice(engine="pyttsx3", name="m1", pitch=0.6), Accent(), 2.0, seed=1)


def test_a_synthesis_that_hangs_is_a_speech_error() -> None:
    with pytest.raises(SpeechError, match=r"more than 0.01 s for 'Hello\.'"):
        Pyttsx3Engine(timeout=0.01).speak("Hello.", Voice(engine="pyttsx3", name="m1"), Accent(), 1.0, seed=1)


def test_a_worker_that_fails_is_a_speech_error_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(SpeechError, match=r"could not speak 'Hello\.': it wrote no file"):
        say("Hello.")
