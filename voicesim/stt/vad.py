"""Voice activity: as it arrives (StreamingVad), and of a whole buffer with exact edges (speech_spans)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from voicesim.audio.edges import HOP, levels_db, refine, run_seconds
from voicesim.audio.samples import RATE, Pcm, Wave, to_wave
from voicesim.stt.silero import (
    SILERO_RATE,
    WINDOW,
    Probabilities,
    SileroState,
    speech_probabilities,
)

# soxr's low quality filter is flat to 6.4 kHz and keeps at most 10 ms back; the model's windows are 32 ms.
_QUALITY = "LQ"
SPEECH = 0.5
NO_SPEECH = 0.35
_PAUSE_WINDOWS = 3
_TOUCHING = 0.02


@dataclass(frozen=True)
class Window:
    """One finished window of 32 ms: the sample of the 24 kHz stream it ends before, and its probability."""

    end: int
    speech: float


class StreamingVad:
    """Speech probability of a stream of int16 blocks at 24,000 Hz, of any length, usually one tick."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forgets all sound heard so far; the next sample is sample 0 again."""
        self._resampler = _resampler()
        self._state = SileroState()
        self._waiting: Wave = np.zeros(0, dtype=np.float32)
        self._end = 0

    def feed(self, block: Pcm) -> list[Window]:
        """The windows that this block completes (none or one for a tick of 480 samples), in order.

        A window is known at most 10 ms after the sample it ends before was fed.
        """
        fresh = self._resampler.resample_chunk(to_wave(block))
        audio = np.concatenate([self._waiting, fresh])
        whole = len(audio) * RATE // SILERO_RATE // WINDOW * WINDOW * SILERO_RATE // RATE
        self._waiting = audio[whole:]
        windows = []
        for speech in speech_probabilities(audio[:whole], self._state):
            self._end += WINDOW
            windows.append(Window(self._end, float(speech)))
        return windows


def ready_vad() -> StreamingVad:
    """A detector whose model is loaded and has run, so that the first tick takes no longer than the others."""
    vad = StreamingVad()
    vad.feed(np.zeros(4 * WINDOW, np.int16))
    vad.reset()
    return vad


def _resampler() -> Any:
    import soxr

    return soxr.ResampleStream(RATE, SILERO_RATE, 1, dtype="float32", quality=_QUALITY)


def window_probabilities(wave: Wave) -> Probabilities:
    """Speech probability of every window of 768 samples of float32 mono at 24,000 Hz, the last one padded."""
    padded = np.zeros(-(-len(wave) // WINDOW) * WINDOW, dtype=np.float32)
    padded[: len(wave)] = wave
    audio = np.asarray(_resampler().resample_chunk(padded, last=True), dtype=np.float32)
    return speech_probabilities(audio, SileroState())


def speech_spans(wave: Wave) -> list[tuple[float, float]]:
    """Where somebody speaks in float32 mono at 24,000 Hz: (start, end) in seconds, in order, disjoint.

    Silero decides what is speech: from a window of probability 0.5 until one below 0.35, pauses under
    96 ms included. Where it begins and ends is then read from the sound to the millisecond (`hearing/edges.py`).
    Spans that end up closer than 20 ms are one.
    """
    return spans_within(wave, speech_frames(wave))


def speech_frames(wave: Wave) -> list[tuple[int, int]]:
    """What Silero takes for speech, as half-open ranges of frames of `audio.edges.levels_db`."""
    count = -(-len(wave) // HOP)
    regions = speech_regions(window_probabilities(wave))
    frames = [(first * WINDOW // HOP, last * WINDOW // HOP) for first, last in regions]
    return [(first, min(last, count)) for first, last in frames if first < count]


def spans_within(wave: Wave, frames: list[tuple[int, int]]) -> list[tuple[float, float]]:
    """Where the sound of each range of frames begins and ends, in seconds; see `speech_spans`."""
    spans: list[tuple[float, float]] = []
    for first, last in refine(levels_db(wave), frames):
        start, end = run_seconds(first, last, len(wave))
        if spans and start - spans[-1][1] < _TOUCHING:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def speech_regions(probabilities: Probabilities) -> list[tuple[int, int]]:
    """Half-open ranges of windows that belong to speech, by the two thresholds of `speech_spans`."""
    regions: list[tuple[int, int]] = []
    begun: int | None = None
    for n, speech in enumerate(probabilities):
        if begun is None and speech >= SPEECH:
            begun = n
        elif begun is not None and speech < NO_SPEECH:
            regions.append((begun, n))
            begun = None
    if begun is not None:
        regions.append((begun, len(probabilities)))
    joined: list[tuple[int, int]] = []
    for first, last in regions:
        if joined and first - joined[-1][1] < _PAUSE_WINDOWS:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return joined
