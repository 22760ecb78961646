"""Speech that is loud from its first sample to its last, so that its edges are known to the sample.

Real speech fades in and out, and nobody can say to the sample where it begins. Here a spoken sentence is made
even in level, repeated, and cut to length; the voice detector still takes it for speech.
"""

import functools

import numpy as np

from voicesim.audio.samples import RATE, Wave, samples
from voicesim.catalog.model import Accent, Voice
from voicesim.tts.hibari import HibariEngine

_SENTENCE = "I am well and how are you now, my dear old friend?"
_LEVEL = 0.1
_CEILING = 0.9


def even_speech(duration: float) -> Wave:
    """`duration` seconds of float32 mono at 24,000 Hz near -20 dBFS; the same call gives the same samples.

    Raises UsageError when the local voice is not installed.
    """
    sentence = _sentence()
    count = samples(duration)
    return np.tile(sentence, -(-count // len(sentence)))[:count].copy()


@functools.cache
def _sentence() -> Wave:
    clip = HibariEngine().speak(_SENTENCE, Voice(), Accent(), 1.0, 7)
    loud = np.flatnonzero(np.abs(clip) > 0.05 * np.abs(clip).max())
    clip = clip[loud[0] : loud[-1]]
    # The level of 10 ms, so that the closures between sounds are lifted too.
    width = RATE // 100
    level = np.sqrt(np.convolve(np.square(clip), np.ones(width) / width, mode="same"))
    even = _LEVEL * clip / np.maximum(level, 0.02 * level.max())
    return np.asarray(np.clip(even, -_CEILING, _CEILING), dtype=np.float32)
