"""Where sound begins and ends: short-time energy against what is around it.

The level is the RMS of 5 ms, looked at every millisecond. A strong onset at sample T is found by the
frame that has just ended at T, a strong end by the frame that begins there, so neither is smeared by the
frame's own length.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from voicesim.sound import RATE, Wave

FRAME = RATE * 5 // 1000
HOP = RATE // 1000
HOPS_PER_SECOND = RATE // HOP
SILENCE_DB = -120.0

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


@dataclass(frozen=True)
class EdgeRule:
    """How an edge is found near where the voice detector saw speech. Times in seconds, levels in dB.

    A frame is loud when it lies above `below_peak` under the loudest frame of the neighbouring `local`
    seconds of speech, and above the quiet around by `above_quiet` over the 95th percentile of its frames
    (never asking for more than `least_drop` under the loudest). Loud frames join across `bridge`; a
    stretch whose own peak stays `faint` under the loudest is no speech. Edges lie at most `reach` outside
    of what the detector saw; frames closer than `margin` to any speech, or further than `around`, are not
    taken for the quiet.
    """

    below_peak: float = 40.0
    above_quiet: float = 3.0
    least_drop: float = 6.0
    local: float = 0.6
    bridge: float = 0.08
    faint: float = 25.0
    reach: float = 0.3
    margin: float = 0.2
    around: float = 2.0


def refine(levels: Levels, regions: list[tuple[int, int]], rule: EdgeRule | None = None) -> list[tuple[int, int]]:
    """The first and one past the last loud frame of each region; a region without a loud frame is dropped.

    `regions` are half-open frame ranges in order, as the detector saw them. Edges never pass the middle
    between two regions.
    """
    rule = rule or EdgeRule()
    quiet = np.ones(len(levels), dtype=bool)
    for first, last in regions:
        quiet[max(0, first - _hops(rule.margin)) : last + _hops(rule.margin)] = False
    found = []
    for n, (first, last) in enumerate(regions):
        low = max(0, first - _hops(rule.reach))
        high = min(len(levels), last + _hops(rule.reach))
        if n:
            low = max(low, (regions[n - 1][1] + first) // 2)
        if n + 1 < len(regions):
            high = min(high, (last + regions[n + 1][0]) // 2)
        opening = _loud_runs(levels, quiet, (first, last), (low, high), first, rule)
        closing = _loud_runs(levels, quiet, (first, last), (low, high), last, rule)
        if opening and closing and opening[0][0] < closing[-1][1]:
            found.append((opening[0][0], closing[-1][1]))
    return found


def _loud_runs(
    levels: Levels,
    quiet: NDArray[np.bool_],
    region: tuple[int, int],
    limits: tuple[int, int],
    edge: int,
    rule: EdgeRule,
) -> list[tuple[int, int]]:
    """Loud runs within `limits` that touch the region, by the threshold that holds at one of its edges."""
    local = _hops(rule.local)
    peak = float(np.max(levels[max(region[0], edge - local) : min(region[1], edge + local)]))
    threshold = peak - rule.below_peak
    around = slice(max(0, edge - _hops(rule.around)), edge + _hops(rule.around))
    still = levels[around][quiet[around]]
    if len(still):
        threshold = max(threshold, float(np.percentile(still, 95)) + rule.above_quiet)
    loud = levels[limits[0] : limits[1]] > min(threshold, peak - rule.least_drop)
    shifted = ((a + limits[0], b + limits[0]) for a, b in runs(loud, _hops(rule.bridge)))
    return [
        (a, b)
        for a, b in shifted
        if a < region[1] and b > region[0] and float(np.max(levels[a:b])) >= peak - rule.faint
    ]


def _hops(duration: float) -> int:
    return round(duration * HOPS_PER_SECOND)
