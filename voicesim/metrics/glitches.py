"""Holes in the agent's speech: moments in which its sound ran dry in the middle of a word.

An agent that sends too late, or a network that holds packets back, leaves a short hole of silence with
hard edges. Speech has silences too (the closure of a `t` or a `k`, a breath), but it fades into them, and the sound
behind them is another. A codec such as Opus lets a hole ring and fills it with its own noise, so what went through one
is judged by its level over time.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter1d

from voicesim.audio.samples import RATE, Pcm, samples
from voicesim.metrics.model import Glitch
from voicesim.transcript.model import Transcript, Utterance

SHORTEST, LONGEST = 0.010, 0.150
"""Seconds that a hole lasts. Shorter ones are not heard as such, longer ones are pauses."""
SHORTEST_CODED = 0.030
"""Seconds that a hole lasts at least in sound that went through a codec; between the pulses of a deep voice it is
quiet for almost as long."""
EMPTY_PEAK = 16
"""Samples (int16) up to this size are empty: -66 dBFS, what a codec leaves of digital silence."""
EDGE = samples(0.004)
AROUND = samples(0.040)
HARD = 14.0
"""dB: at a hard edge, the last 4 ms of sound are at most this much under the 40 ms they belong to."""
VOICED = 0.01
"""RMS (of full scale) that those 40 ms have at least: -40 dBFS."""
HOP = samples(0.001)
"""Samples between two levels, each the RMS of EDGE samples."""
BEFORE, AFTER = 40, 30
"""Levels (1 ms each) before a hole and after it in which the voice around it is looked for."""
DROP, NEAR = 25.0, 6.0
"""dB under the voice around it: what is lower is in the hole, what is higher belongs to the voice."""
CLEAR = 24.0
"""How clear a hole has to be. In six voices at two levels, plain and through Opus at 16 to 48 kbit/s, 99 % of 1,800
holes of 60 to 120 ms are clearer, and 73 % of 600 holes of 40 ms, which the codec fills; of 2,847 silences that the
same speech has by itself, none is."""


def glitches(transcript: Transcript, agent: Pcm) -> tuple[Glitch, ...]:
    """The holes of 10 to 150 ms inside the agent's utterances, in order.

    `agent` is its channel, int16 at 24,000 Hz. A hole counts when the sound breaks off into it and sets in
    after it at full voice (both edges hard), so closures and pauses of natural speech do not.
    """
    entries = []
    for utterance in transcript.of("agent"):
        first, last = samples(utterance.start), samples(utterance.end)
        wave = agent[first:last].astype(np.float64) / 32768.0
        empty = [(start, end) for start, end in holes(wave) if _hard(wave[:start]) and _hard(wave[end:][::-1])]
        coded = [hole for hole in coded_holes(wave) if not any(_overlap(hole, other) for other in empty)]
        entries += [_glitch(utterance, first + start, first + end) for start, end in sorted(empty + coded)]
    return tuple(entries)


def holes(wave: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Sample ranges [start, end) of 10 to 150 ms in which no sample is larger than EMPTY_PEAK."""
    empty = np.abs(wave) <= EMPTY_PEAK / 32768.0
    edges = np.flatnonzero(np.diff(np.concatenate([[False], empty, [False]]).astype(np.int8)))
    ranges = zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    return [(a, b) for a, b in ranges if samples(SHORTEST) <= b - a <= samples(LONGEST)]


def coded_holes(wave: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Sample ranges [start, end) of 30 to 150 ms in which the level drops and comes back as it does in no voice.

    A hole is clear by its drop (dB from the voice before it to the median inside it), less the milliseconds in which
    the level falls and rises, less the difference (dB) of the voices on both sides: CLEAR at least. One dB for one
    millisecond is what a logistic regression over the silences named at CLEAR comes to.
    """
    levels = _levels(wave)
    loudest = maximum_filter1d(levels, BEFORE, origin=(BEFORE - 1) // 2, mode="nearest")[:-1]
    entries = np.flatnonzero((levels[1:] < loudest - DROP) & (loudest > 20 * np.log10(VOICED))) + 1
    ranges, done = [], 0
    for start in entries.tolist():
        if start < done:
            continue
        voice = float(loudest[start - 1])
        back = np.flatnonzero(levels[start : start + round(2000 * LONGEST)] >= voice - DROP)
        if not len(back):
            continue
        done = end = start + int(back[0])
        hole = _Hole.around(levels, start, end, voice)
        if SHORTEST_CODED <= (hole.end - hole.start) / RATE <= LONGEST and hole.clarity >= CLEAR:
            ranges.append((hole.start, hole.end))
    return ranges


@dataclass(frozen=True)
class _Hole:
    """From where the voice leaves its level to where it is at it again, in samples; and how clear that is."""

    start: int
    end: int
    clarity: float

    @classmethod
    def around(cls, levels: NDArray[np.float64], low: int, high: int, before: float) -> Self:
        """The hole whose level is low from one place to another; `before` is the level of the voice before it."""
        after = float(levels[high : high + AFTER].max())
        fall = int(np.argmax(levels[:low][::-1] >= before - NEAR)) + 1
        rise = int(np.argmax(levels[high:] >= after - NEAR))
        clarity = before - float(np.median(levels[low:high])) - fall - rise - abs(before - after)
        return cls((low - fall) * HOP + EDGE // 2, (high + rise) * HOP + EDGE // 2, clarity)


def _levels(wave: NDArray[np.float64]) -> NDArray[np.float64]:
    """RMS of 4 ms every millisecond, in dBFS; -120 for silence."""
    energy = np.concatenate([[0.0], np.cumsum(np.square(wave))])
    starts = np.arange(0, max(0, len(wave) - EDGE), HOP)
    levels: NDArray[np.float64] = 10 * np.log10(np.maximum(energy[starts + EDGE] - energy[starts], 0.0) / EDGE + 1e-12)
    return levels


def _overlap(span: tuple[int, int], other: tuple[int, int]) -> bool:
    return span[0] < other[1] and other[0] < span[1]


def _hard(before: NDArray[np.float64]) -> bool:
    """Whether a sound ends at full voice: its last 4 ms against its last 40 ms."""
    if len(before) < AROUND:
        return False
    body, edge = _rms(before[-AROUND:]), _rms(before[-EDGE:])
    return body >= VOICED and edge > 0 and 20 * np.log10(body / edge) <= HARD


def _rms(wave: NDArray[np.float64]) -> float:
    return float(np.sqrt(np.mean(np.square(wave))))


def _glitch(utterance: Utterance, start: int, end: int) -> Glitch:
    return Glitch(utterance=utterance.id, start=round(start / RATE, 4), end=round(end / RATE, 4))
