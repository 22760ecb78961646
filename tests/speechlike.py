"""Sound that the voice detector takes for speech, loud from its first sample to its last.

Real speech fades in and out, so nobody can say to the sample where it begins. Here a spoken sentence is
repeated and its level made even, then cut to length: edges are known exactly.
"""

import functools

import numpy as np

from voicesim.audio.samples import RATE, Pcm, Wave, samples, to_pcm


@functools.cache
def _even_speech() -> Wave:
    """Two to three seconds of a hibari sentence without pauses, its level held near -20 dBFS."""
    from hibari import Hibari

    clip = np.asarray(Hibari()("I am well and how are you now, my dear old friend?", seed=7), dtype=np.float32)
    loud = np.flatnonzero(np.abs(clip) > 0.05 * np.abs(clip).max())
    clip = clip[loud[0] : loud[-1]]
    # 10 ms of level, so that closures between sounds are lifted too
    width = RATE // 100
    level = np.sqrt(np.convolve(np.square(clip), np.ones(width) / width, mode="same"))
    even = 0.1 * clip / np.maximum(level, 0.02 * level.max())
    return np.asarray(np.clip(even, -0.9, 0.9), dtype=np.float32)


def speechlike(duration: float) -> Wave:
    """`duration` seconds of float32 mono at 24,000 Hz; the same call gives the same samples."""
    even = _even_speech()
    count = samples(duration)
    return np.tile(even, -(-count // len(even)))[:count].copy()


def placed(total: float, *spans: tuple[float, float]) -> Wave:
    """`total` seconds of digital silence with speech in each span (start, end) in seconds."""
    out = np.zeros(samples(total), dtype=np.float32)
    for start, end in spans:
        first, last = samples(start), samples(end)
        out[first:last] = speechlike((last - first) / RATE)
    return out


def placed_pcm(total: float, *spans: tuple[float, float]) -> Pcm:
    """As `placed`, as int16."""
    return to_pcm(placed(total, *spans))
