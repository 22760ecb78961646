"""From words to the phonemes of a speaker, sentence by sentence: what every voice spoken from phonemes shares."""

import importlib.util
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from voicesim.audio.samples import Wave, samples
from voicesim.catalog.model import Accent
from voicesim.errors import SpeechError, UsageError
from voicesim.tts.accents import accented
from voicesim.tts.shape import trim

PAUSE = 0.35
"""Seconds between two sentences at the voice's own pace; after an ellipsis it is twice that."""
INSTALL = "the local voice (hibari-tts) is not installed: pip install 'voicesim[local]'"


def by_sentence(spoken: str, accent: Accent, seed: int, say: Callable[[str, int], Wave], british: bool = False) -> Wave:
    """Words to float32 mono at 24,000 Hz, each sentence spoken by itself with PAUSE between two.

    `say` makes the sound of one sentence from its phonemes (misaki's alphabet, american or british) and its
    number; silent ends are cut off here. Raises SpeechError when no sound comes of the words.
    """
    parts: list[Wave] = []
    for number, phonemes in enumerate(reader(british).phonemize(spoken)):
        if not any(sign.isalpha() for sign in phonemes):
            continue
        sentence = trim(say(accented(phonemes, accent, seed), number))
        pause = samples(2 * PAUSE if phonemes.endswith(("…", "...")) else PAUSE)
        parts += [sentence, np.zeros(pause, np.float32)]
    wave = np.concatenate(parts[:-1]) if parts else np.zeros(0, np.float32)
    if not len(wave):
        raise SpeechError(f"the voice made no sound of {spoken!r}")
    return wave


@cache
def reader(british: bool = False) -> Any:
    """hibari's voice in its package with the American or the British lexicon; loaded once in a process."""
    assets()
    from hibari import Hibari
    from hibari.g2p import G2P

    return Hibari(voice="heart", model=str(assets() / "hibari.onnx"), threads=1, g2p=G2P(british=british))


def assets() -> Path:
    """The folder of hibari's data. Raises UsageError when hibari-tts is not installed."""
    spec = importlib.util.find_spec("hibari")
    if spec is None or spec.origin is None:
        raise UsageError(INSTALL)
    return Path(spec.origin).parent / "assets"


@cache
def vocabulary() -> dict[str, int]:
    """The number of each phoneme, as Kokoro and hibari have learned them."""
    numbers: dict[str, int] = json.loads((assets() / "vocab.json").read_text("utf-8"))
    return numbers
