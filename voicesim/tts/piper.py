"""Voices of Piper: neural voices in files, for many languages.

The package piper-tts is under the GPL, so it is no part of voicesim: this file only calls it where a user has installed
it (the extra `piper`). Its voices are files of their own, with licences of their own.
"""

import importlib.metadata
import importlib.util
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from voicesim.audio.resampling import resample
from voicesim.audio.samples import RATE, Wave, to_wave
from voicesim.catalog.model import Accent, Voice
from voicesim.errors import SpeechError, UsageError, near
from voicesim.tts.accents import AMERICAN
from voicesim.tts.shape import restyle


class PiperEngine:
    """A voice's name is the path of its `.onnx` file; the `.onnx.json` of the voice lies beside it.

    It speaks without the noise that Piper draws anew each time, so the same words give the same samples; the seed
    changes nothing.
    """

    def __init__(self) -> None:
        """Raises UsageError when piper-tts is not installed."""
        if importlib.util.find_spec("piper") is None:
            raise UsageError("Piper (piper-tts, under the GPL) is not installed: pip install 'voicesim[piper]'")
        self.version = f"piper-tts {importlib.metadata.version('piper-tts')}"

    def speak(self, spoken: str, voice: Voice, accent: Accent, rate: float, seed: int) -> Wave:
        """Words to float32 mono at 24,000 Hz. Raises UsageError and SpeechError as the Synthesizer says."""
        if accent.strength > 0 and accent.name not in self.accents():
            raise UsageError(
                f"the voice engine piper has no accent {accent.name!r}: a voice file has one of its own."
                + near(accent.name, self.accents())
            )
        from piper.config import SynthesisConfig

        model = _loaded(_path(voice.name))
        chunks = list(model.synthesize(spoken, SynthesisConfig(noise_scale=0.0, noise_w_scale=0.0)))
        if not chunks:
            raise SpeechError(f"Piper made no sound of {spoken!r}")
        sound = np.concatenate([chunk.audio_int16_array for chunk in chunks])
        return restyle(resample(to_wave(sound), chunks[0].sample_rate, RATE), rate, voice.pitch)

    def language(self, voice: Voice, accent: Accent) -> str:
        """The code of the language that a voice file speaks, as its own description tells it."""
        return str(_loaded(_path(voice.name)).config.espeak_voice).partition("-")[0]

    def voices(self) -> tuple[str, ...]:
        """None by name: any voice file is one."""
        return ()

    def accents(self) -> tuple[str, ...]:
        """The voice's own, whatever it is; it goes by the name that stands for none."""
        return (AMERICAN,)


def _path(name: str) -> Path:
    """The voice file. Raises UsageError where there is none."""
    path = Path(name).expanduser()
    if path.suffix != ".onnx" or not path.is_file():
        raise UsageError(
            f"the voice of the engine piper is the path of a voice file, such as voices/en_GB-alba-medium.onnx; "
            f"there is none at {name!r}"
        )
    if not path.with_name(f"{path.name}.json").is_file():
        raise UsageError(f"{path}: its description {path.name}.json must lie beside it")
    return path.resolve()


@lru_cache(maxsize=4)
def _loaded(path: Path) -> Any:
    from piper import PiperVoice

    return PiperVoice.load(path)
