"""Voice engines by name."""

import importlib.util
from collections.abc import Iterator
from importlib.machinery import ModuleSpec

import pytest

from voicesim.errors import UsageError
from voicesim.tts import engines


@pytest.fixture
def only_openai(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if the extra with the local voices were not installed."""
    real = importlib.util.find_spec

    def find_spec(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name in ("hibari", "espeakng_loader") else real(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    engines.engine.cache_clear()
    yield
    engines.engine.cache_clear()


def test_voices_and_accents_are_listed_by_engine() -> None:
    voices, accents = engines.voices(), engines.accents()
    assert list(voices) == list(accents) == ["hibari", "pyttsx3", "openai"]
    assert voices["hibari"][0] == "heart"
    assert {"default", "f2", "m3"} <= set(voices["pyttsx3"])
    assert {"american", "indonesian", "indonesian-light"} <= set(accents["hibari"])
    assert {"american", "en-gb-scotland", "id"} <= set(accents["pyttsx3"])
    # A persona can be moved to the cloud voice with its accent.
    assert set(accents["hibari"]) <= set(accents["openai"])


def test_an_engine_is_loaded_once() -> None:
    assert engines.engine("hibari") is engines.engine("hibari")


def test_an_unknown_engine_names_the_near_one() -> None:
    with pytest.raises(UsageError, match=r"no voice engine 'hibary'\. Did you mean hibari"):
        engines.engine("hibary")


@pytest.mark.usefixtures("only_openai")
def test_engines_that_are_not_installed_are_left_out_and_say_what_to_install() -> None:
    assert list(engines.voices()) == list(engines.accents()) == ["openai"]
    for name in ("hibari", "pyttsx3"):
        with pytest.raises(UsageError, match=r"pip install 'voicesim\[local\]'"):
            engines.engine(name)
