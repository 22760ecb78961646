"""The local neural voice: hibari-tts, one small model in its wheel, spoken from phonemes."""

import importlib.metadata
import importlib.util
import json
import os
import sys
import threading
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from voicesim.audio.samples import Wave, samples
from voicesim.catalog.model import Voice
from voicesim.errors import SpeechError, UsageError, near
from voicesim.tts.accents import ACCENTS, apply
from voicesim.tts.shape import restyle, trim

PAUSE = 0.35
"""Seconds between two sentences at the voice's own pace; after an ellipsis it is twice that."""


class HibariEngine:
    """The voices of the hibari package that are on this machine. Nothing is ever downloaded."""

    def __init__(self) -> None:
        """Raises UsageError when hibari-tts is not installed."""
        if importlib.util.find_spec("hibari") is None:
            raise UsageError("the local voice (hibari-tts) is not installed: pip install 'voicesim[local]'")
        self.version = f"hibari-tts {importlib.metadata.version('hibari-tts')}"
        self._models: dict[str, Any] = {}
        self._inside = threading.Lock()

    def speak(self, spoken: str, voice: Voice, accent: str, rate: float, seed: int) -> Wave:
        """Words to float32 mono at 24,000 Hz; bit-identical for the same arguments.

        Each sentence is spoken by itself, its silent ends are cut off and PAUSE stands between two. Pitch
        and rate are then changed in the finished sound (shape.restyle), because the model rounds the
        length of each phoneme, so that its own speed setting misses the asked pace by up to a fifth.
        Raises UsageError and SpeechError as the Synthesizer says.
        """
        if voice.name not in self.voices():
            raise UsageError(self._no_such_voice(voice.name))
        if accent not in ACCENTS:
            raise UsageError(f"the voice engine hibari has no accent {accent!r}.{near(accent, ACCENTS)}")
        with self._inside:
            said = self._sentences(spoken, voice.name, accent, seed)
        if not len(said):
            raise SpeechError(f"hibari made no sound of {spoken!r}")
        return restyle(said, rate, voice.pitch)

    def voices(self) -> tuple[str, ...]:
        """The voice in the wheel, and those that hibari itself has fetched to this machine before."""
        return tuple(name for name in self._registry if self._model_file(name).exists())

    def accents(self) -> tuple[str, ...]:
        """The tables of accents.py."""
        return tuple(ACCENTS)

    def _sentences(self, spoken: str, voice: str, accent: str, seed: int) -> Wave:
        model = self._models.get(voice)
        if model is None:
            from hibari import Hibari

            model = self._models[voice] = Hibari(voice=voice, model=str(self._model_file(voice)), threads=1)
        parts: list[Wave] = []
        for number, phonemes in enumerate(model.phonemize(spoken)):
            if not any(sign.isalpha() for sign in phonemes):
                continue
            sentence = trim(model.from_phonemes(apply(phonemes, accent), seed=(seed, number)))
            pause = samples(2 * PAUSE if phonemes.endswith(("…", "...")) else PAUSE)
            parts += [sentence, np.zeros(pause, np.float32)]
        return np.concatenate(parts[:-1]) if parts else np.zeros(0, np.float32)

    @cached_property
    def _registry(self) -> dict[str, dict[str, Any]]:
        # Read as a file: importing hibari takes a third of a second, and a list of names should not.
        entries: dict[str, dict[str, Any]] = json.loads((self._assets / "voices.json").read_text("utf-8"))
        return entries

    @cached_property
    def _assets(self) -> Path:
        spec = importlib.util.find_spec("hibari")
        if spec is None or spec.origin is None:
            raise UsageError("the local voice (hibari-tts) is not installed: pip install 'voicesim[local]'")
        return Path(spec.origin).parent / "assets"

    def _model_file(self, name: str) -> Path:
        entry = self._registry[name]
        return (self._assets if entry.get("bundled") else _hibari_home()) / str(entry["file"])

    def _no_such_voice(self, name: str) -> str:
        if name in self._registry:
            file = self._model_file(name)
            return f"hibari's voice {name!r} is not on this machine (no {file}). Here: {', '.join(self.voices())}."
        return f"the voice engine hibari has no voice {name!r}.{near(name, self.voices())}"


def _hibari_home() -> Path:
    """Where hibari keeps voices that were fetched; the same rule as in hibari.voices.cache_dir."""
    if home := os.environ.get("HIBARI_HOME"):
        return Path(home)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "hibari"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "hibari"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hibari"
