"""Where each known word begins and ends in its sound, by a phonetic model.

Whisper says which words were spoken; its times come from attention and lie some 50 ms early, at times a whole
pause. PocketSphinx's acoustic model of English (in its package) knows how the sounds of a word look, and
finds the path of the given words through the sound, frame by frame of 10 ms. It is told the words, so what
it would have recognised itself does not matter.
"""

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from voicesim.audio.resampling import resample
from voicesim.audio.samples import RATE, Wave, samples, to_pcm
from voicesim.language.spoken import spoken
from voicesim.stt.letters import sounds
from voicesim.stt.model import HeardWord

LANGUAGE = "en"
_RATE = 16_000
_FRAME = 0.01
_AROUND = 0.15
_EARLIER, _LATER = 0.2, 0.6
"""Seconds that a word may move back or on from Whisper's time. A word that was misheard drags the path off."""
_LOUDEST = 0.5
_FILLERS = ("<", "[", "(")


def align(wave: Wave, words: Sequence[HeardWord], start: float, end: float) -> list[HeardWord]:
    """The words with the times at which they sound; times in seconds of `wave` (float32 mono, 24,000 Hz).

    The words are English and lie between `start` and `end` in spoken order. One that cannot be placed, or
    only far from where Whisper heard it, keeps Whisper's times. The same sound and words give the same times.
    """
    tokens = [_tokens(word.text) for word in words]
    spoken_words = [token for group in tokens for token in group]
    if not spoken_words:
        return list(words)
    first = samples(max(0.0, start - _AROUND))
    places = _path(wave[first : samples(end + _AROUND)], spoken_words)
    if len(places) != len(spoken_words):
        return list(words)
    placed, at = [], 0
    for word, group in zip(words, tokens, strict=True):
        if group:
            placed.append(_moved(word, places[at][0] + first / RATE, places[at + len(group) - 1][1] + first / RATE))
        else:
            placed.append(word)
        at += len(group)
    return placed


def _moved(word: HeardWord, start: float, end: float) -> HeardWord:
    if -_EARLIER <= start - word.start <= _LATER:
        return HeardWord(word.text, start, max(end, start), word.probability)
    return word


def _tokens(text: str) -> list[str]:
    """A word as it is spoken, in words the model's dictionary has (those it lacks are added to it)."""
    model = _model()
    tokens = []
    for piece in spoken(text).casefold().replace("-", " ").replace("’", "'").split():
        token = "".join(sign for sign in piece if sign.isalpha() or sign == "'").strip("'")
        if not token:
            continue
        if model.lookup_word(token) is None:
            said = sounds(token)
            if not said:
                continue
            model.add_word(token, said, True)
        tokens.append(token)
    return tokens


def _path(wave: Wave, words: Sequence[str]) -> list[tuple[float, float]]:
    """Start and end of each word in seconds of `wave`; empty when the words find no way through it."""
    model = _model()
    peak = float(np.max(np.abs(wave), initial=0.0))
    loud = wave * np.float32(_LOUDEST / peak) if peak > 0 else wave
    pcm = to_pcm(resample(loud, RATE, _RATE))
    # Digital silence has no spectrum; noise of the last bit, always the same, gives it one.
    pcm = pcm + np.random.default_rng(0).integers(-2, 3, len(pcm)).astype(np.int16)
    model.set_align_text(" ".join(words))
    model.reinit_feat()  # or what was heard before would colour this
    model.start_utt()
    model.process_raw(pcm.astype("<i2").tobytes(), full_utt=True)
    model.end_utt()
    segments = [segment for segment in model.seg() or () if not segment.word.startswith(_FILLERS)]
    if [segment.word.split("(")[0] for segment in segments] != list(words):
        return []
    return [(segment.start_frame * _FRAME, (segment.end_frame + 1) * _FRAME) for segment in segments]


@functools.cache
def _model() -> Any:
    """The acoustic model and dictionary of English, loaded once a process (a tenth of a second)."""
    import pocketsphinx

    folder = Path(pocketsphinx.get_model_path()) / "en-us"
    return pocketsphinx.Decoder(
        hmm=str(folder / "en-us"),
        dict=str(folder / "cmudict-en-us.dict"),
        lm=None,
        cmn="batch",
        bestpath=False,
        # The words are known, so no path is given up on the way.
        beam=1e-300,
        wbeam=1e-300,
        pbeam=1e-300,
        maxhmmpf=-1,
        loglevel="FATAL",
    )
