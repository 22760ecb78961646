"""Holes in the agent's speech: moments in which its sound ran dry in the middle of a word.

An agent that sends too late, or a network that holds packets back, leaves a short hole of silence with
hard edges. Speech has silences too (the closure of a `t` or a `k`, a breath), but it fades into them.
"""

import numpy as np
from numpy.typing import NDArray

from voicesim.audio.samples import RATE, Pcm, samples
from voicesim.metrics.model import Glitch
from voicesim.transcript.model import Transcript, Utterance

SHORTEST, LONGEST = 0.010, 0.150
"""Seconds that a hole lasts. Shorter ones are not heard as such, longer ones are pauses."""
EMPTY_PEAK = 16
"""Samples (int16) up to this size are empty: -66 dBFS, what a codec leaves of digital silence."""
EDGE = samples(0.004)
AROUND = samples(0.040)
HARD = 14.0
"""dB: at a hard edge, the last 4 ms of sound are at most this much under the 40 ms they belong to."""
VOICED = 0.01
"""RMS (of full scale) that those 40 ms have at least: -40 dBFS."""


def glitches(transcript: Transcript, agent: Pcm) -> tuple[Glitch, ...]:
    """The holes of 10 to 150 ms inside the agent's utterances, in order.

    `agent` is its channel, int16 at 24,000 Hz. A hole counts when the sound breaks off into it and sets in
    after it at full voice (both edges hard), so closures and pauses of natural speech do not.
    """
    found = []
    for one in transcript.of("agent"):
        first, last = samples(one.start), samples(one.end)
        wave = agent[first:last].astype(np.float64) / 32768.0
        for start, end in holes(wave):
            if _hard(wave[:start]) and _hard(wave[end:][::-1]):
                found.append(_glitch(one, (first + start) / RATE, (first + end) / RATE))
    return tuple(found)


def holes(wave: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Sample ranges [start, end) of 10 to 150 ms in which no sample is larger than EMPTY_PEAK."""
    empty = np.abs(wave) <= EMPTY_PEAK / 32768.0
    edges = np.flatnonzero(np.diff(np.concatenate([[False], empty, [False]]).astype(np.int8)))
    ranges = zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    return [(a, b) for a, b in ranges if samples(SHORTEST) <= b - a <= samples(LONGEST)]


def _hard(before: NDArray[np.float64]) -> bool:
    """Whether a sound ends at full voice: its last 4 ms against its last 40 ms."""
    if len(before) < AROUND:
        return False
    body, edge = _rms(before[-AROUND:]), _rms(before[-EDGE:])
    return body >= VOICED and edge > 0 and 20 * np.log10(body / edge) <= HARD


def _rms(wave: NDArray[np.float64]) -> float:
    return float(np.sqrt(np.mean(np.square(wave))))


def _glitch(utterance: Utterance, start: float, end: float) -> Glitch:
    return Glitch(utterance=utterance.id, start=round(start, 4), end=round(end, 4))
