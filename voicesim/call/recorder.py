"""Writes a call as it happens: three channels on one clock, and the events."""

import numpy as np

from voicesim.audio.samples import TICK, Pcm, Wave, quantize, samples, seconds
from voicesim.call.timeline import Timeline
from voicesim.recording.events import CallerLine, Effect, Event, LineGoesOn
from voicesim.recording.live import LiveRecording


class Recorder:
    """Keeps the files of a live recording in step with the call.

    The agent's channel is written up to the tick being recorded; sound placed into the past is written
    where it belongs, sound waiting in the future is not heard yet and not written.
    """

    def __init__(self, live: LiveRecording, timeline: Timeline, delay: int, through_leg: bool = False) -> None:
        """`delay`: samples by which the channel holds the voice back; the clean stem is held back as much.

        `through_leg`: the agent is heard through a channel of its own, and is recorded by `heard` alone.
        """
        self._live, self._timeline, self._through_leg = live, timeline, through_leg
        self._delay, self._held = delay, np.zeros(delay, np.float32)
        self._position = 0
        self.clipped = 0

    def tick(self, clean: Wave, sent: Pcm) -> None:
        """Record one tick: the voice before the channel and what was sent."""
        joined = np.concatenate([self._held, clean])
        now, self._held = joined[:TICK], joined[TICK:]
        stem = quantize(now)
        self.clipped += stem.clipped
        self._live.write("clean", self._position, stem.pcm)
        self._live.write("caller", self._position, sent)
        end = self._position + TICK
        agent = np.zeros(TICK, np.int16) if self._through_leg else self._timeline.read(self._position, end)
        self._live.write("agent", self._position, agent)
        self._position = end

    def heard(self, start: int, pcm: Pcm) -> None:
        """Write what the patient hears of the agent through the agent's leg, from a sample on."""
        self._live.write("agent", start, pcm[: max(0, self._position - start)])

    def placed(self, start: int, stop: int) -> None:
        """Write what of a new chunk (samples from start to stop) belongs to ticks that were recorded already."""
        stop = min(stop, self._position)
        if start < stop and not self._through_leg:
            self._live.write("agent", start, self._timeline.read(start, stop))

    def flushed(self, position: int) -> None:
        """Silence what was recorded of a tick beyond a position: the sound there was taken back."""
        if position < self._position and not self._through_leg:
            self._live.write("agent", position, np.zeros(self._position - position, np.int16))

    def event(self, event: Event) -> None:
        """Record an event; where the patient's own voice lies is told as it lies in the clean stem."""
        match event:
            case CallerLine(t=t, start=start, end=end):
                spans = {"t": self._later(t), "start": self._later(start), "end": self._later(end)}
                event = event.model_copy(update=spans)
            case LineGoesOn(t=t, end=end):
                event = event.model_copy(update={"t": self._later(t), "end": self._later(end)})
            case Effect(kind="line_cut", t=t):
                event = event.model_copy(update={"t": self._later(t)})
        self._live.event(event)

    def _later(self, second: float) -> float:
        return seconds(samples(second) + self._delay)
