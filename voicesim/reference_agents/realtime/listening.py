"""The agent's ear: the caller's sound in, turns with their words out."""

from collections.abc import Callable
from concurrent.futures import Executor

import numpy as np

from voicesim.audio.samples import RATE, Pcm, samples
from voicesim.reference_agents.realtime.dictation import Dictation, Hear
from voicesim.reference_agents.realtime.session import ServerVad
from voicesim.reference_agents.realtime.turns import Moment, Paused, Started, Stopped, TurnDetector
from voicesim.stt.vad import StreamingVad

LONGEST = 60
"""Seconds of sound kept at most; of a longer turn the oldest is lost."""
_SHORTEST_PIECE = 1.5


class Tape:
    """The latest sound of a stream (int16 mono, 24,000 Hz), addressed by its sample numbers."""

    def __init__(self) -> None:
        self._sound: Pcm = np.zeros(0, np.int16)
        self._first = 0

    @property
    def end(self) -> int:
        return self._first + len(self._sound)

    def add(self, block: Pcm) -> None:
        self._sound = np.concatenate([self._sound, block])
        self.forget(self.end - LONGEST * RATE)

    def forget(self, before: int) -> None:
        """Drops what lies before a sample."""
        surplus = before - self._first
        if surplus > 0:
            self._sound = self._sound[surplus:]
            self._first = before

    def cut(self, start: int, end: int) -> Pcm:
        """A copy of what is still there of the samples from start to end."""
        return self._sound[max(0, start - self._first) : max(0, end - self._first)].copy()


class Listener:
    """Feeds voice activity detection, and hands every finished turn on as a running transcription."""

    def __init__(
        self,
        hear: Hear,
        workers: Executor,
        on_start: Callable[[int], None],
        on_stop: Callable[[int, Dictation], None],
    ) -> None:
        """`on_start` and `on_stop` get the sample where the turn starts and ends, padding and silence included."""
        self._hear, self._workers = hear, workers
        self._on_start, self._on_stop = on_start, on_stop
        self._vad = StreamingVad()
        self._tape = Tape()
        self._detector: TurnDetector | None = None
        self._dictation = Dictation(hear, workers)
        self._from = 0
        self._voiced = False

    @property
    def speaking(self) -> bool:
        return self._detector is not None and self._detector.speaking

    @property
    def paused(self) -> bool:
        """Whether the caller is silent inside a turn."""
        return self._detector is not None and self._detector.paused

    @property
    def now(self) -> int:
        """The sample after the latest of the caller."""
        return self._tape.end

    def since(self, start: int) -> Pcm:
        """What is still there of the caller's sound from a sample on."""
        return self._tape.cut(start, self._tape.end)

    def configure(self, settings: ServerVad | None) -> None:
        """Sets turn detection; None leaves it to the client's commits."""
        if settings is None:
            self._detector = None
            return
        padding, silence = settings.prefix_padding_ms / 1000, settings.silence_duration_ms / 1000
        if self._detector is None:
            self._detector = TurnDetector(settings.threshold, padding, silence)
        else:
            self._detector.threshold = settings.threshold
            self._detector.padding, self._detector.silence = padding, silence

    def feed(self, block: Pcm) -> None:
        """Takes the next samples of the caller (int16 mono, 24,000 Hz)."""
        self._tape.add(block)
        if self._detector is None:
            return
        for window in self._vad.feed(block):
            moment = self._detector.feed(window)
            self._voiced = self._voiced or window.speech >= self._detector.threshold
            if moment is not None:
                self._take(moment)
        if not self._detector.speaking:
            self._tape.forget(self._tape.end - samples(self._detector.padding + 1.0))

    def commit(self) -> tuple[Dictation, int] | None:
        """Ends the turn now, as the client asks: its words and its length in samples; None for under 100 ms."""
        length = self._tape.end - self._from
        return (self._close(self._tape.end), length) if length >= RATE // 10 else None

    def clear(self) -> None:
        """Forgets the sound that was not committed."""
        self._dictation.drop()
        self._dictation = Dictation(self._hear, self._workers)
        self._from = self._tape.end
        if self._detector is not None:
            self._detector.reset()

    def stop(self) -> None:
        self._dictation.drop()

    def _take(self, moment: Moment) -> None:
        if isinstance(moment, Started):
            self._from, self._voiced = moment.at, True
            self._on_start(moment.at)
        elif isinstance(moment, Paused):
            if moment.at - self._from >= samples(_SHORTEST_PIECE):
                self._dictation.add(self._tape.cut(self._from, moment.at))
                self._from, self._voiced = moment.at, False
        elif isinstance(moment, Stopped):
            self._on_stop(moment.at, self._close(moment.at, only_voiced=True))

    def _close(self, end: int, *, only_voiced: bool = False) -> Dictation:
        finished, self._dictation = self._dictation, Dictation(self._hear, self._workers)
        if self._voiced or not only_voiced:
            finished.add(self._tape.cut(self._from, end))
        self._from, self._voiced = end, False
        if self._detector is not None:
            self._detector.reset()
        return finished
