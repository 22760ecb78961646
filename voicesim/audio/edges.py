"""Where sound begins and ends: short-time energy against what is around it.

The level is the RMS of 5 ms, looked at every millisecond. A strong onset at sample T is found by the
frame that has just ended at T, a strong end by the frame that begins there, so neither is smeared by the
frame's own length.
"""

import numpy as np
from numpy.typing import NDArray

from voicesim.audio.samples import RATE, Wave

FRAME = RATE * 5 // 1000
HOP = RATE // 1000
HOPS_PER_SECOND = RATE // HOP
SILENCE_DB = -120.0

BELOW_PEAK = 40.0
"""A frame is loud when it is at most this much (dB) under the loudest of the speech around, ..."""
LOCAL = 0.6
"""... which is looked for in so many seconds of speech at the edge; ..."""
ABOVE_QUIET = 3.0
"""... and lies so much (dB) over the 95th percentile of the quiet around, ..."""
LEAST_DROP = 6.0
"""... which never asks for more than what is this much (dB) under the loudest."""
MARGIN, AROUND = 0.2, 2.0
"""The quiet: frames at least the first from any speech and at most the second from the edge (seconds)."""
BRIDGE = 0.08
"""Seconds across which loud frames join."""
FAINT = 25.0
"""A stretch whose own peak stays so much (dB) under the loudest is no speech."""
REACH = 0.3
"""Seconds that an edge lies at most outside of what the voice detector saw."""

Levels = NDArray[np.float64]


def levels_db(wave: Wave) -> Levels:
    """RMS level in dBFS of each frame: frame n covers samples [n * HOP, n * HOP + FRAME); zeros are -120.

    The sound is taken to be silent after its end, so there is a frame for every HOP begun.
    """
    count = -(-len(wave) // HOP)
    padded = np.zeros(count * HOP + FRAME, dtype=np.float64)
    padded[: len(wave)] = np.square(wave, dtype=np.float64)
    total = np.concatenate([[0.0], np.cumsum(padded)])
    starts = np.arange(count) * HOP
    power = (total[starts + FRAME] - total[starts]) / FRAME
    return np.asarray(10.0 * np.log10(np.maximum(power, 10.0 ** (SILENCE_DB / 10.0))))


def runs(loud: NDArray[np.bool_], bridge: int) -> list[tuple[int, int]]:
    """Half-open index ranges where `loud` holds, joined across gaps of at most `bridge` indices.

    >>> runs(np.array([0, 1, 1, 0, 1, 0, 0, 0, 1], dtype=bool), 1)
    [(1, 5), (8, 9)]
    """
    where = np.flatnonzero(loud)
    if not len(where):
        return []
    breaks = np.flatnonzero(np.diff(where) > bridge + 1)
    firsts = where[np.concatenate([[0], breaks + 1])]
    lasts = where[np.concatenate([breaks, [len(where) - 1]])]
    return [(int(first), int(last) + 1) for first, last in zip(firsts, lasts, strict=True)]


def run_seconds(first: int, last: int, length: int) -> tuple[float, float]:
    """A range of loud frames [first, last) as (start, end) in seconds, inside a sound of `length` samples.

    The start is taken at the end of the first loud frame (less half a hop), the end at the start of the
    last one; at an edge of the whole sound, it is that edge. A run shorter than the correction keeps the
    middle of its frames.
    """
    start = first * HOP + FRAME - HOP // 2 if first else 0
    end = (last - 1) * HOP + HOP // 2 if last * HOP < length else length
    if end <= start:
        middle = (first + last - 1) * HOP // 2 + FRAME // 2
        start, end = middle - HOP, middle + HOP
    return max(0, min(start, length)) / RATE, max(0, min(end, length)) / RATE


def refine(levels: Levels, regions: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The first and one past the last loud frame of each region; a region without a loud frame is dropped.

    `regions` are half-open frame ranges in order, as the detector saw them. Edges never pass the middle
    between two regions.
    """
    quiet = np.ones(len(levels), dtype=bool)
    for first, last in regions:
        quiet[max(0, first - _hops(MARGIN)) : last + _hops(MARGIN)] = False
    refined = []
    for n, (first, last) in enumerate(regions):
        low = max(0, first - _hops(REACH))
        high = min(len(levels), last + _hops(REACH))
        if n:
            low = max(low, (regions[n - 1][1] + first) // 2)
        if n + 1 < len(regions):
            high = min(high, (last + regions[n + 1][0]) // 2)
        opening = _loud_runs(levels, quiet, (first, last), (low, high), first)
        closing = _loud_runs(levels, quiet, (first, last), (low, high), last)
        if opening and closing and opening[0][0] < closing[-1][1]:
            refined.append((opening[0][0], closing[-1][1]))
    return refined


def _loud_runs(
    levels: Levels,
    quiet: NDArray[np.bool_],
    region: tuple[int, int],
    limits: tuple[int, int],
    edge: int,
) -> list[tuple[int, int]]:
    """Loud runs within `limits` that touch the region, by the threshold that holds at one of its edges."""
    local = _hops(LOCAL)
    peak = float(np.max(levels[max(region[0], edge - local) : min(region[1], edge + local)]))
    threshold = peak - BELOW_PEAK
    around = slice(max(0, edge - _hops(AROUND)), edge + _hops(AROUND))
    still = levels[around][quiet[around]]
    if len(still):
        threshold = max(threshold, float(np.percentile(still, 95)) + ABOVE_QUIET)
    loud = levels[limits[0] : limits[1]] > min(threshold, peak - LEAST_DROP)
    shifted = ((a + limits[0], b + limits[0]) for a, b in runs(loud, _hops(BRIDGE)))
    return [
        (a, b) for a, b in shifted if a < region[1] and b > region[0] and float(np.max(levels[a:b])) >= peak - FAINT
    ]


def _hops(duration: float) -> int:
    return round(duration * HOPS_PER_SECOND)
