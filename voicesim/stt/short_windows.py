"""Speech to text within a fraction of a second: Whisper on windows of 8 or 12 s instead of 30 s, words only.

Whisper's encoder costs by the length of its window, whatever sounds in it, and Whisper was trained on 30 s.
Given a shorter window that ends in at least a second of silence it understands short speech as well, three to
four times as fast (`benchmarks/short_windows.py`). A text that looks wrong is decoded once more at 30 s.
"""

import math
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from voicesim.audio.edges import HOP, levels_db
from voicesim.audio.samples import Wave, samples

WHISPER_RATE = 16_000
WINDOWS = (8.0, 12.0)
"""Seconds of the windows; the first that holds the sound and its padding is taken."""
FULL_WINDOW = 30.0
PADDING = 1.0
"""Seconds of silence after the sound. With half of it, last words get lost."""
LONGEST = WINDOWS[-1] - PADDING
"""Seconds of sound that are decoded at once; longer sound is cut at its quietest places."""
LEAST_LOGPROB = -1.0
"""Mean log probability of a token under which a text is decoded again; the threshold of Whisper's own authors."""
MOST_REPETITIVE = 2.4
"""Length of a text by its length after zlib from which it repeats itself; likewise."""
_TOKENS_A_SECOND, _TOKENS_MORE = 8, 10
_TOKENS_BEFORE = 60
_CUT_WITHIN = 4.0


@dataclass(frozen=True)
class Decoded:
    """A text, the mean log probability of its tokens, and whether it ended before the limit of tokens."""

    text: str
    logprob: float
    ended: bool

    @property
    def doubtful(self) -> bool:
        """Whether Whisper was unsure, or went round in circles."""
        return not self.ended or self.logprob < LEAST_LOGPROB or _repetition(self.text) > MOST_REPETITIVE

    @property
    def confidence(self) -> float:
        """How probable Whisper took its words for, from 0 to 1: the mean of its tokens; 0 where it went astray."""
        astray = not self.ended or _repetition(self.text) > MOST_REPETITIVE
        return 0.0 if astray else math.exp(self.logprob)


@dataclass(frozen=True)
class Dictated:
    """The words of some speech, and how sure Whisper is of them (0 to 1)."""

    text: str
    confidence: float


def dictate(engine: Any, audio: Wave, language: str, before: str = "") -> Decoded:
    """The words of float32 mono at 16,000 Hz, of at most LONGEST seconds; `engine` is a faster_whisper.WhisperModel.

    `before` are the words that were spoken right before. Whisper is shown them without their last sign, so that it
    decides whether the sentence goes on: what does begins with a small letter.
    """
    length = len(audio) / WHISPER_RATE
    window = next((window for window in WINDOWS if length + PADDING <= window), FULL_WINDOW)
    first = decode(engine, audio, language, window, before.rstrip(".?!… "))
    if not first.doubtful or window == FULL_WINDOW:
        return first
    second = decode(engine, audio, language, FULL_WINDOW)
    return max(first, second, key=lambda tried: (not tried.doubtful, tried.logprob))


def decode(engine: Any, audio: Wave, language: str, window: float, before: str = "") -> Decoded:
    """One greedy pass over a window of so many seconds, the sound at its start and silence behind it."""
    from faster_whisper.tokenizer import Tokenizer

    size = round(window * WHISPER_RATE)
    padded = np.zeros(size, np.float32)
    padded[: len(audio)] = audio[:size]
    hop: int = engine.feature_extractor.hop_length
    features = engine.feature_extractor(padded, padding=0)[:, : size // hop]
    tokenizer = Tokenizer(engine.hf_tokenizer, engine.model.is_multilingual, task="transcribe", language=language)
    prompt = [*tokenizer.sot_sequence, tokenizer.no_timestamps]
    if before:
        prompt = [tokenizer.sot_prev, *tokenizer.encode(f" {before}")[-_TOKENS_BEFORE:], *prompt]
    room = int(_TOKENS_A_SECOND * len(audio) / WHISPER_RATE) + _TOKENS_MORE
    result = engine.model.generate(
        engine.encode(features),
        [prompt],
        beam_size=1,
        max_length=min(len(prompt) + room, engine.max_length),
        return_scores=True,
        suppress_blank=True,
        suppress_tokens=[-1],
    )[0]
    tokens = result.sequences_ids[0]
    return Decoded(tokenizer.decode(tokens).strip(), float(result.scores[0]), len(tokens) < room - 1)


def joined(texts: Iterable[str]) -> str:
    """Texts that follow each other; where one begins with a small letter, the sign before it was only a pause.

    >>> joined(["Are you short of breath?", "or do you have chest pain?", "", "Right now?"])
    'Are you short of breath, or do you have chest pain? Right now?'
    """
    whole = ""
    for text in filter(None, texts):
        if whole.endswith((".", "?", "!")) and text[0].islower() and not whole.endswith(".."):
            whole = f"{whole[:-1]}, {text}"
        else:
            whole = f"{whole} {text}".lstrip()
    return whole


def pieces(wave: Wave) -> Iterator[Wave]:
    """Float32 mono at 24,000 Hz in pieces of at most LONGEST seconds, cut where the last 4 s of each are quietest."""
    while len(wave) > samples(LONGEST):
        earliest = samples(LONGEST - _CUT_WITHIN)
        levels = levels_db(wave[earliest : samples(LONGEST)])
        smooth = np.convolve(levels, np.full(50, 1 / 50), mode="same")
        cut = earliest + int(np.argmin(smooth[25:-25]) + 25) * HOP
        yield wave[:cut]
        wave = wave[cut:]
    if len(wave):
        yield wave


def sure_of(parts: Iterable[tuple[str, float]]) -> float:
    """How sure Whisper is (0 to 1) of several texts with a confidence each, by their share of the words; 1 of none.

    >>> sure_of([("Do you have a fever?", 0.9), ("", 0.1), ("Mm-hm.", 0.3)])
    0.8
    """
    counted = [(len(text.split()), confidence) for text, confidence in parts]
    words = sum(count for count, _ in counted)
    return round(sum(count * confidence for count, confidence in counted) / words, 6) if words else 1.0


def _repetition(text: str) -> float:
    written = text.encode()
    return len(written) / len(zlib.compress(written))
