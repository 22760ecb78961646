"""Waveforms small enough for a page: the lowest and highest sample of each slice of time."""

import numpy as np
from numpy.typing import NDArray

from voicesim.audio.samples import Pcm

FLOOR = 0.05
"""Share of full scale that fills the lane at least: line noise alone is not drawn as loud."""

HALF = 100
"""Height of half a lane in units of the path."""


def peaks(pcm: Pcm, buckets: int) -> NDArray[np.float32]:
    """Lowest and highest sample of each of `buckets` equal slices, as a share of full scale.

    Takes int16 (n,), gives float32 (buckets, 2) in [-1, 1]. With fewer samples than slices a slice
    shows the sample at its place; without samples all is zero.
    """
    if buckets < 1:
        raise ValueError("a waveform needs at least one slice")
    if not len(pcm):
        return np.zeros((buckets, 2), dtype=np.float32)
    starts = np.arange(buckets, dtype=np.int64) * len(pcm) // buckets
    pairs = np.stack([np.minimum.reduceat(pcm, starts), np.maximum.reduceat(pcm, starts)], axis=1)
    return (pairs / np.float32(32768.0)).astype(np.float32)


def loudest(*lanes: NDArray[np.float32]) -> float:
    """The share of full scale that fills a lane: one for all lanes, so that loudness can be compared."""
    return max(FLOOR, *(float(np.abs(lane).max(initial=0.0)) for lane in lanes))


def outline(lane: NDArray[np.float32], scale: float) -> str:
    """An SVG path around the peaks, in a box of (slices, 2 * HALF); silence stays a line of 2 units."""
    low = np.minimum(-1, np.rint(lane[:, 0] / scale * HALF)).astype(int)
    high = np.maximum(1, np.rint(lane[:, 1] / scale * HALF)).astype(int)
    top = [f"{x} {HALF - y}" for x, y in enumerate(high)]
    bottom = [f"{x} {HALF - y}" for x, y in enumerate(low)]
    return "M" + "L".join(top + bottom[::-1]) + "Z"
