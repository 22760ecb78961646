"""Server voice activity detection: when the caller starts, pauses and has finished, from speech probabilities."""

from dataclasses import dataclass

from voicesim.audio.samples import samples
from voicesim.stt.silero import WINDOW
from voicesim.stt.vad import Window

START_WINDOWS = 3
"""Windows of speech in a row (96 ms) that begin a turn; a click is shorter."""
PAUSE = 0.25
"""Silence inside a turn, in seconds, after which what was said so far can be transcribed."""
_HYSTERESIS = 0.15


@dataclass(frozen=True)
class Started:
    """Speech began; `at` is the sample (24,000 Hz) from which it is kept, padding included."""

    at: int


@dataclass(frozen=True)
class Paused:
    """The caller is silent; up to the sample `at` nothing will be added to what was said."""

    at: int


@dataclass(frozen=True)
class Stopped:
    """The turn is over; `at` is the sample where the silence was long enough."""

    at: int


Moment = Started | Paused | Stopped


class TurnDetector:
    """A state machine over windows of 32 ms. Thresholds may be changed between windows."""

    def __init__(self, threshold: float, padding: float, silence: float) -> None:
        """`padding` is kept before a start, `silence` ends a turn; both in seconds."""
        self.threshold = threshold
        self.padding = padding
        self.silence = silence
        self._run = 0
        self._speaking = False
        self._paused = False
        self._voiced = 0
        self._floor = 0

    @property
    def speaking(self) -> bool:
        return self._speaking

    @property
    def paused(self) -> bool:
        """Whether the caller is silent inside a turn."""
        return self._paused

    def reset(self) -> None:
        """Forgets a turn in progress."""
        self._speaking = self._paused = False
        self._run = 0

    def feed(self, window: Window) -> Moment | None:
        """What the window means: at most one thing."""
        if not self._speaking:
            return self._listen(window)
        if window.speech >= self.threshold - _HYSTERESIS:
            self._voiced = window.end
            self._paused = False
            return None
        quiet = window.end - self._voiced
        if quiet >= samples(self.silence):
            self.reset()
            self._floor = window.end
            return Stopped(window.end)
        if quiet >= samples(PAUSE) and not self._paused:
            self._paused = True
            return Paused(window.end)
        return None

    def _listen(self, window: Window) -> Moment | None:
        self._run = self._run + 1 if window.speech >= self.threshold else 0
        if self._run < START_WINDOWS:
            return None
        self._speaking, self._paused, self._voiced = True, False, window.end
        begin = window.end - self._run * WINDOW - samples(self.padding)
        return Started(max(begin, self._floor, 0))
