"""Samples: the one rate and tick of a call, and the conversions at its edges.

Inside voicesim, sound is mono at 24,000 Hz. Speech and channel work on float32 in [-1, 1]; what is
sent, heard and recorded is int16. A tick is 20 ms, 480 samples.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

RATE = 24_000
TICK = 480
TICK_SECONDS = TICK / RATE

Pcm = NDArray[np.int16]
Wave = NDArray[np.float32]


def seconds(samples: int) -> float:
    """Length of a number of samples, in seconds on the call clock."""
    return samples / RATE


def samples(duration: float) -> int:
    """Number of whole samples nearest to a duration in seconds."""
    return round(duration * RATE)


@dataclass(frozen=True)
class Quantized:
    """Int16 samples and how many of them had to be clipped."""

    pcm: Pcm
    clipped: int


def quantize(wave: NDArray[np.floating[Any]]) -> Quantized:
    """Float samples to int16; full scale 1.0 is 32767, and what lies outside is clipped and counted."""
    exact = np.asarray(wave, dtype=np.float64)
    clipped = int(np.count_nonzero(np.abs(exact) > 1.0))
    out = np.maximum(np.minimum(np.rint(exact * 32767.0), 32767.0), -32768.0).astype(np.int16)
    return Quantized(out, clipped)


def to_pcm(wave: NDArray[np.floating[Any]]) -> Pcm:
    """Float samples in [-1, 1] to int16, clipped."""
    return quantize(wave).pcm


def to_wave(pcm: Pcm) -> Wave:
    """Int16 samples to float32 in [-1, 1]."""
    return (pcm.astype(np.float32) / np.float32(32768.0)).astype(np.float32)


def mix_down(frames: Pcm) -> Pcm:
    """Interleaved channels of shape (n, channels) to mono (n,), rounded, without overflow."""
    if frames.ndim == 1:
        return frames
    total = sum(frames[:, channel].astype(np.int32) for channel in range(frames.shape[1]))
    mixed: Pcm = np.rint(total / frames.shape[1]).astype(np.int16)
    return mixed


def rms_db(wave: NDArray[np.floating[Any]]) -> float:
    """Level of float samples in dB below full scale (dBFS, RMS); -inf for silence."""
    if not len(wave):
        return float("-inf")
    power = float(np.mean(np.square(wave, dtype=np.float64)))
    return 10.0 * float(np.log10(power)) if power > 0 else float("-inf")


def blocks(pcm: Pcm, size: int = TICK) -> list[Pcm]:
    """Cut samples into blocks of one size; the last one is filled up with zeros."""
    padded = np.pad(pcm, (0, -len(pcm) % size))
    return [padded[start : start + size] for start in range(0, len(padded), size)]
