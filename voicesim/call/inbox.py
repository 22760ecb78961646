"""The call's side of a transport: the agent's sound goes onto the timeline, what it tells into the recording."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from voicesim.audio.samples import Pcm, samples, seconds
from voicesim.call.clock import CallClock
from voicesim.call.recorder import Recorder
from voicesim.call.timeline import AHEAD_LIMIT, Timeline
from voicesim.recording.events import Event, Late, Warning_
from voicesim.recording.manifest import EndReason

LATE_AUDIO = 0.1
"""Agent audio that comes this much (seconds) after its place was heard is noted."""


@dataclass(frozen=True)
class End:
    """How a call ended."""

    reason: EndReason
    by: Literal["caller", "agent", "harness"]
    detail: str = ""
    invalid: str = ""


_ENDS: dict[str, Callable[[str], End]] = {
    "agent": lambda detail: End("agent_hung_up", "agent", detail),
    "line": lambda detail: End("line_lost", "agent", detail),
    "harness": lambda detail: End("harness_error", "harness", detail, invalid="harness_error"),
}


class CallInbox:
    """The inbox of a transport: puts sound on the timeline and events into the recording."""

    def __init__(self, clock: CallClock, timeline: Timeline, watch: Callable[[Event], None]) -> None:
        self._clock, self._timeline, self._watch = clock, timeline, watch
        self._recorder: Recorder | None = None
        self._early: list[Event] = []
        self._over = self._refused = False
        self.end: End | None = None

    def start(self, recorder: Recorder) -> None:
        """From now on there is a recording; what was told before the start goes first."""
        self._recorder = recorder
        for event in self._early:
            self.event(event)

    def stop(self) -> None:
        """The recording is closed: what the transport still brings is too late."""
        self._over, self._recorder = True, None

    def now(self) -> float:
        return self._clock.now()

    def audio(self, pcm: Pcm, media: float | None = None) -> float | None:
        if self._recorder is None:
            return None
        placed = self._timeline.place(pcm, self.now(), media)
        if placed is None:
            self._refuse()
            return None
        self._recorder.placed(placed.start, self._timeline.end)
        for what, amount, limit in (("audio", placed.late, LATE_AUDIO), ("gap", placed.gap, 0.0)):
            if amount > limit:
                self.event(Late(t=self.now(), what=what, seconds=round(amount, 4)))
        return seconds(placed.start)

    def flush(self) -> None:
        position = samples(self.now())
        if self._recorder is not None and self._timeline.drop_after(position):
            self._recorder.flushed(position)

    def _refuse(self) -> None:
        """Told once a call: an agent that sends this far ahead sends a lot of it."""
        if not self._refused:
            self._refused = True
            message = f"agent audio more than {seconds(AHEAD_LIMIT):g} s ahead of the call was refused"
            self.event(Warning_(t=self.now(), message=message))

    def event(self, event: Event) -> None:
        if self._over:
            return
        if self._recorder is None:
            self._early.append(event)
            return
        self._recorder.event(event)
        self._watch(event)

    def ended(self, by: Literal["agent", "line", "harness"], detail: str) -> None:
        if self.end is None:
            self.end = _ENDS[by](detail)
