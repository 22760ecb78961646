"""Whisper on short windows against 30 s, in words and time: `python benchmarks/short_windows.py`.

48 sentences of an agent's voice (hibari, `heart`) and the same in an English voice of eSpeak NG, clean and at 20 dB
of white noise. One row a model and way of decoding: word error rate in percent (numbers and spelling as they come),
and the time a sentence takes, median and p95 in seconds. One thread. `transcript` is the decoding after the
call, with word times.
"""

import re
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from espeak_words import Espeak
from faster_whisper import WhisperModel
from limits import Limits
from word_times import DEVELOPED_ON, HELD_OUT

from voicesim.audio.resampling import resample
from voicesim.audio.samples import RATE, Wave
from voicesim.reference_agents.voice import AgentVoice
from voicesim.stt import short_windows
from voicesim.stt.short_windows import WHISPER_RATE
from voicesim.stt.weights import find_weights
from voicesim.stt.whisper import Whisper

SENTENCES = (*DEVELOPED_ON, *HELD_OUT)
MODELS = ("base", "tiny.en")
SNR_DB = 20.0
HEAR_LIMIT = 0.5
"""Seconds for the median sentence, of which the patient's reply time may take no more."""
WER_LIMIT = 1.0
"""Percentage points by which short windows may be worse than 30 s."""


def main() -> int:
    """Print the table; how many limits were missed."""
    limits = Limits()
    sets = speech()
    print(f"{'model':10}{'way':14}" + "".join(f"{name:>14}" for name in sets) + f"{'s, median':>12}{'p95':>8}")
    for model in MODELS:
        weights = find_weights(model)
        engine = WhisperModel(str(weights.folder), device="cpu", compute_type="int8", cpu_threads=1)
        whisper = Whisper(engine, weights.name, weights.sha256)
        whisper.dictate(next(iter(sets.values()))[0], "en")
        rates: dict[str, float] = {}
        for way, understand in ways(whisper, engine).items():
            took: list[float] = []
            errors = [error_rate(waves, understand, took) for waves in sets.values()]
            rates[way] = float(np.mean(errors))
            figures = "".join(f"{error:>14.1f}" for error in errors)
            print(f"{model:10}{way:14}{figures}{np.median(took):>12.2f}{np.quantile(took, 0.95):>8.2f}", flush=True)
            if (model, way) == ("base", "8 or 12 s"):
                limits.at_most("a sentence by base in a short window, median", float(np.median(took)), HEAR_LIMIT, "s")
        if model == "base":
            more = rates["8 or 12 s"] - rates["30 s"]
            limits.at_most("word error rate of short windows beyond that of 30 s", more, WER_LIMIT, "pp")
    return limits.missed


def ways(whisper: Whisper, engine: Any) -> dict[str, Callable[[Wave], str]]:
    """How a model can be asked, by name."""

    def window(length: float) -> Callable[[Wave], str]:
        return lambda wave: short_windows.decode(engine, resample(wave, RATE, WHISPER_RATE), "en", length).text

    return {
        "transcript": lambda wave: whisper.transcribe(wave, "en").text,
        "30 s": window(30.0),
        "12 s": window(12.0),
        "8 or 12 s": lambda wave: whisper.dictate(wave, "en").text,
    }


def speech() -> dict[str, list[Wave]]:
    """The sentences by voice and line."""
    voice, espeak = AgentVoice(), Espeak()
    hibari = [voice.speak(sentence) for sentence in SENTENCES]
    formant = [espeak.speak(sentence, "en-gb", 160).wave for sentence in SENTENCES]
    noisy = [_noisy(wave) for wave in hibari]
    return {"hibari": hibari, "eSpeak": formant, f"hibari {SNR_DB:g} dB": noisy}


def _noisy(wave: Wave) -> Wave:
    level = float(np.sqrt(np.mean(np.square(wave)))) * 10 ** (-SNR_DB / 20)
    noise = np.random.default_rng(0).standard_normal(len(wave))
    return (wave + level * noise).astype(np.float32)


def error_rate(waves: Sequence[Wave], understand: Callable[[Wave], str], took: list[float]) -> float:
    """Word errors in percent of the words; the seconds of each sentence are added to `took`."""
    errors = words = 0
    for sentence, wave in zip(SENTENCES, waves, strict=True):
        begun = time.perf_counter()
        heard = understand(wave)
        took.append(time.perf_counter() - begun)
        errors += distance(plain(sentence), plain(heard))
        words += len(plain(sentence))
    return 100 * errors / words


def plain(text: str) -> list[str]:
    """Lower-case words without punctuation."""
    return re.sub(r"[^a-z0-9' ]", " ", text.lower().replace("’", "'").replace("-", " ")).split()


def distance(said: Sequence[str], heard: Sequence[str]) -> int:
    """Words to change, add or leave out (Levenshtein)."""
    row = list(range(len(heard) + 1))
    for n, word in enumerate(said, 1):
        above, row[0] = row[:], n
        for m, other in enumerate(heard, 1):
            row[m] = min(above[m] + 1, row[m - 1] + 1, above[m - 1] + (word != other))
    return row[-1]


if __name__ == "__main__":
    sys.exit(main() > 0)
