"""The local neural voices: hibari-tts, one small model in its wheel, spoken from phonemes and turned into speakers."""

import importlib.metadata
import importlib.util
import json
import os
import sys
import threading
from functools import cached_property
from pathlib import Path
from typing import Any

from voicesim.audio.samples import Wave
from voicesim.catalog.model import Accent, Voice
from voicesim.errors import UsageError, near
from voicesim.tts.accents import accent_names
from voicesim.tts.phonemes import INSTALL, assets, by_sentence, reader
from voicesim.tts.shape import restyle
from voicesim.tts.speakers import Speaker, speaker, speaker_names

HEART = "heart"


class HibariEngine:
    """The model in hibari's package, the speakers it is turned into, and models that hibari itself has fetched
    to this machine before. Nothing is ever downloaded."""

    def __init__(self) -> None:
        """Raises UsageError when hibari-tts is not installed."""
        if importlib.util.find_spec("hibari") is None:
            raise UsageError(INSTALL)
        self.version = f"hibari-tts {importlib.metadata.version('hibari-tts')}, speakers 1"
        self._models: dict[str, Any] = {}
        self._inside = threading.Lock()

    def speak(self, spoken: str, voice: Voice, accent: Accent, rate: float, seed: int) -> Wave:
        """Words to float32 mono at 24,000 Hz; bit-identical for the same arguments.

        Pitch and rate are changed in the finished sound (shape.restyle), because the model rounds the
        length of each phoneme, so that its own speed setting misses the asked pace by up to a fifth.
        Raises UsageError and SpeechError as the Synthesizer says.
        """
        if voice.name not in self.voices():
            raise UsageError(self._no_such_voice(voice.name))
        if accent.name not in self.accents():
            raise UsageError(
                f"the voice engine hibari has no accent {accent.name!r}.{near(accent.name, self.accents())}"
            )
        turned = speaker(voice.name) if voice.name in speaker_names() else None
        model = reader() if turned is not None else self._model(voice.name)

        def say(phonemes: str, number: int) -> Wave:
            return _sound(model, phonemes, turned, (seed, number))

        with self._inside:
            said = by_sentence(spoken, accent, seed, say)
        return restyle(said, rate, voice.pitch)

    def voices(self) -> tuple[str, ...]:
        """The voice in the wheel, the speakers made of it, and the voices that hibari has fetched."""
        fetched = (name for name in self._registry if name != HEART and self._file(name).exists())
        return (HEART, *speaker_names(), *(name for name in fetched if name not in speaker_names()))

    def accents(self) -> tuple[str, ...]:
        """`american`, and every accent that has a file."""
        return accent_names()

    def _model(self, name: str) -> Any:
        if name == HEART:
            return reader()
        if name not in self._models:
            from hibari import Hibari

            self._models[name] = Hibari(voice=name, model=str(self._file(name)), threads=1, g2p=reader().g2p)
        return self._models[name]

    @cached_property
    def _registry(self) -> dict[str, dict[str, Any]]:
        # Read as a file: importing hibari takes a third of a second, and a list of names should not.
        entries: dict[str, dict[str, Any]] = json.loads((assets() / "voices.json").read_text("utf-8"))
        return entries

    def _file(self, name: str) -> Path:
        entry = self._registry[name]
        return (assets() if entry.get("bundled") else _hibari_home()) / str(entry["file"])

    def _no_such_voice(self, name: str) -> str:
        if name in self._registry:
            file = self._file(name)
            return f"hibari's voice {name!r} is not on this machine (no {file}). Here: {', '.join(self.voices())}."
        return f"the voice engine hibari has no voice {name!r}.{near(name, self.voices())}"


def _sound(model: Any, phonemes: str, turned: Speaker | None, seed: tuple[int, int]) -> Wave:
    if turned is None:
        wave: Wave = model.from_phonemes(phonemes, seed=seed)
        return wave
    return turned.speak(model, phonemes, seed)


def _hibari_home() -> Path:
    """Where hibari keeps voices that were fetched; the same rule as in hibari.voices.cache_dir."""
    if home := os.environ.get("HIBARI_HOME"):
        return Path(home)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "hibari"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "hibari"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hibari"
