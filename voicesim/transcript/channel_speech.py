"""Where somebody speaks in a channel of which nothing else is known: the voice detector, and the level beside it.

A detector trained on all kinds of voices overlooks a soft first word, or a short one over a telephone. Where the
channel is quiet between words, the level tells them: what stands out of the noise near speech belongs to it.
"""

from collections.abc import Sequence

import numpy as np

from voicesim.audio.edges import HOPS_PER_SECOND, Levels, levels_db, refine, run_seconds, runs
from voicesim.audio.samples import RATE, Wave
from voicesim.stt.vad import spans_within, speech_frames

QUIET = 25.0
"""dB of speech over the noise from which the level is asked at all."""
ABOVE_NOISE = 10.0
"""dB over the noise (its median) from which sound stands out, ..."""
BELOW_PEAK = 40.0
"""... and at most so much (dB) under the loudest of the stretch, as in a clean stem."""
LOWEST_DB = -70.0
BRIDGE, COARSE = 0.1, 0.3
"""Seconds of pause across which sound is one stretch: for its edges, and for what belongs together."""
NEAR = 0.6
"""Seconds from detected speech within which a stretch belongs to it."""
LEAST, ALONE = 0.04, 0.15
"""Seconds of a stretch that counts: near detected speech, and on its own, ..."""
ALONE_BELOW = 15.0
"""... where it has to be at most so much (dB) quieter than the speech is."""
AROUND = 0.5
BRIGHT_HZ = 2_000
EARLIER, ABOUT = 0.06, 0.1
"""Seconds: an onset above 2 kHz that is earlier by at most this, and ends that are about the same."""

Spans = list[tuple[float, float]]


def channel_spans(wave: Wave) -> Spans:
    """Speech in float32 mono at 24,000 Hz: (start, end) in seconds, in order, disjoint."""
    frames = speech_frames(wave)
    detected, levels = spans_within(wave, frames), levels_db(wave)
    if not detected:
        return detected
    speech, noise = _levels(levels, detected)
    if speech - noise < QUIET:
        return _in_noise(wave, frames)
    threshold = max(noise + ABOVE_NOISE, LOWEST_DB)
    stretches = [
        span
        for first, last in runs(levels > threshold, round(COARSE * HOPS_PER_SECOND))
        for span in _fine(levels, first, last, len(wave))
    ]
    return _joined([span for span in stretches if _counts(span, detected, levels, speech)])


def _in_noise(wave: Wave, frames: list[tuple[int, int]]) -> Spans:
    """Detected speech whose edges are looked for above 2 kHz, too, where rooms and traffic are quieter than voices.

    A span begins at the earlier of both onsets that are near each other, and ends where the high band does, unless
    the whole sound goes on a little longer.
    """
    from scipy.signal import butter, sosfiltfilt

    bright = np.asarray(sosfiltfilt(butter(4, BRIGHT_HZ, "high", fs=RATE, output="sos"), wave), np.float32)
    spans = [_by_region(track, frames) for track in (wave, bright)]
    in_noise: Spans = []
    for n, (whole, above) in enumerate(zip(*spans, strict=True)):
        low, high = frames[n - 1][1] if n else 0, frames[n + 1][0] if n + 1 < len(frames) else len(wave)
        if whole is None or above is None:
            in_noise += [span for span in (whole or above,) if span is not None]
            continue
        start = min(whole[0], above[0]) if whole[0] - above[0] <= EARLIER else whole[0]
        end = max(whole[1], above[1]) if abs(above[1] - whole[1]) <= ABOUT else above[1]
        start, end = max(start, low / HOPS_PER_SECOND), min(end, high / HOPS_PER_SECOND)
        in_noise += [(start, end)] if end > start else [whole]
    return in_noise


def _by_region(wave: Wave, frames: list[tuple[int, int]]) -> list[tuple[float, float] | None]:
    """The span of sound in each range of frames; None where nothing stands out."""
    edges = [run_seconds(first, last, len(wave)) for first, last in refine(levels_db(wave), frames)]
    return [
        next((edge for edge in edges if edge[0] < last / HOPS_PER_SECOND and edge[1] > first / HOPS_PER_SECOND), None)
        for first, last in frames
    ]


def _levels(levels: Levels, detected: Spans) -> tuple[float, float]:
    """The level of speech (its 90th percentile) and of what is between (its median), dB."""
    inside, outside = np.zeros(len(levels), bool), np.ones(len(levels), bool)
    for start, end in detected:
        inside[_hop(start) : _hop(end)] = True
        outside[max(0, _hop(start - AROUND)) : _hop(end + AROUND)] = False
    noise = float(np.median(levels[outside])) if outside.any() else float(np.percentile(levels, 5))
    return float(np.percentile(levels[inside], 90)), noise


def _fine(levels: Levels, first: int, last: int, length: int) -> Spans:
    """The parts of a stretch that are at most 40 dB under its loudest."""
    threshold = float(np.max(levels[first:last])) - BELOW_PEAK
    parts = runs(levels[first:last] > threshold, round(BRIDGE * HOPS_PER_SECOND))
    return [run_seconds(first + start, first + stop, length) for start, stop in parts]


def _counts(span: tuple[float, float], detected: Spans, levels: Levels, speech: float) -> bool:
    start, end = span
    near = any(start < last + NEAR and end > first - NEAR for first, last in detected)
    if near:
        return end - start >= LEAST
    loud = float(np.max(levels[_hop(start) : max(_hop(end), _hop(start) + 1)]))
    return end - start >= ALONE and loud >= speech - ALONE_BELOW


def _joined(spans: Sequence[tuple[float, float]]) -> Spans:
    return [(round(start, 4), round(end, 4)) for start, end in spans]


def _hop(second: float) -> int:
    return max(0, round(second * HOPS_PER_SECOND))
