"""Voice engines by name."""

import importlib.util
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path

import numpy as np
import pytest

from voicesim.audio.levels import ACTIVE_LEVEL_DB
from voicesim.audio.samples import rms_db
from voicesim.catalog.model import AudioProfile, Noise, Persona, Voice
from voicesim.channel.channel import Channel, caller_leg
from voicesim.errors import UsageError
from voicesim.registry import BACKGROUNDS, VOICES, Registry
from voicesim.tts import engines
from voicesim.tts.synthesize import synthesize


@pytest.fixture
def only_openai(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if the extra with the local voices were not installed."""
    real = importlib.util.find_spec

    def find_spec(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name in ("hibari", "py_nanotts", "espeakng_loader", "piper") else real(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    engines.engine.cache_clear()
    yield
    engines.engine.cache_clear()


def test_voices_and_accents_are_listed_by_engine() -> None:
    voices, accents = engines.voices(), engines.accents()
    # Piper is there where somebody has installed it.
    assert list(voices) == list(accents)
    assert [name for name in voices if name != "piper"] == [name for name in VOICES if name != "piper"]
    assert voices["hibari"][0] == "heart"
    assert {"default", "f2", "m3"} <= set(voices["pyttsx3"])
    assert {"american", "indonesian", "vietnamese"} <= set(accents["hibari"])
    assert {"american", "en-gb-scotland", "id"} <= set(accents["pyttsx3"])
    # A persona can be moved to the cloud voice with its accent.
    assert set(accents["hibari"]) <= set(accents["openai"])


@pytest.fixture
def another_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installed package that brings a voice engine, a background and a codec."""
    (tmp_path / "elsewhere.py").write_text(
        "import numpy as np\n"
        "class Hum:\n"
        "    version = 'hum 1'\n"
        "    def speak(self, spoken, voice, accent, rate, seed):\n"
        "        t = np.arange(2400 * len(spoken)) / 24000\n"
        "        return sum(0.1 * np.sin(2 * np.pi * 150 * n * t) / n for n in range(1, 20)).astype(np.float32)\n"
        "    def voices(self):\n"
        "        return ('low',)\n"
        "    def accents(self):\n"
        "        return ('american',)\n"
        "def rain(random):\n"
        "    return random.standard_normal(24000)\n"
    )
    info = tmp_path / "elsewhere-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: elsewhere\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[voicesim.voices]\nhum = elsewhere:Hum\n[voicesim.backgrounds]\nrain = elsewhere:rain\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield from _tables_read_again(VOICES, BACKGROUNDS)


def _tables_read_again(*tables: Registry) -> Iterator[None]:
    """Tables keep what they found in other packages: read before and after anew."""
    for table in tables:
        table.__dict__.pop("rows", None)
    yield
    for table in tables:
        table.__dict__.pop("rows", None)


@pytest.mark.usefixtures("another_package", "own_cache")
def test_another_package_adds_a_voice_and_a_background() -> None:
    persona = Persona(id="p", title="p", voice=Voice(engine="hum", name="low"))
    assert len(synthesize("Hello there, doctor.", persona, seed=1).wave)
    assert engines.voices()["hum"] == ("low",)
    profile = AudioProfile(id="p", title="p", noise=Noise(kind="rain", snr_db=10))
    heard = Channel(caller_leg(profile), 1).process(np.zeros(24_000, np.float32)).wave
    assert rms_db(heard) == pytest.approx(ACTIVE_LEVEL_DB - 10, abs=0.1)


def test_an_engine_is_loaded_once() -> None:
    assert engines.engine("hibari") is engines.engine("hibari")


def test_an_unknown_engine_names_the_near_one() -> None:
    with pytest.raises(UsageError, match=r"unknown voice engine 'hibary'\. Did you mean hibari"):
        engines.engine("hibary")


@pytest.mark.usefixtures("only_openai")
def test_engines_that_are_not_installed_are_left_out_and_say_what_to_install() -> None:
    assert list(engines.voices()) == list(engines.accents())
    assert not {"hibari", "kokoro", "pico", "pyttsx3"} & set(engines.voices())
    for name in ("hibari", "kokoro", "pico", "pyttsx3"):
        with pytest.raises(UsageError, match=r"pip install 'voicesim\[local\]'"):
            engines.engine(name)
