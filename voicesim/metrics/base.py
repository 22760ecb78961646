"""What a measure is given: one call, after it was transcribed, and what several measures build on."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from voicesim.audio.samples import Pcm
from voicesim.catalog.model import Case
from voicesim.metrics.harness_delay import harness_late, timed_interruptions, timed_turns
from voicesim.metrics.interruptions import interruptions
from voicesim.metrics.intervals import Interval
from voicesim.metrics.model import Interruption, Turn
from voicesim.metrics.talk_share import DEAD_AIR
from voicesim.metrics.turns import turns, with_farewell, with_first_bytes
from voicesim.recording.events import Event, Hangup
from voicesim.transcript.model import Transcript


@dataclass(frozen=True)
class MeasuredCall:
    """A call as measures see it. Times are seconds on the call clock.

    `agent` is the agent as heard at the caller's ear (int16 at 24,000 Hz), None where only the transcript is there.
    `clean` and `caller` are the patient before and behind the channel, `profile` is the audio profile as resolved.
    `prices` are those of the agent file. Silence longer than `dead_air_limit` is dead air.
    """

    transcript: Transcript
    events: tuple[Event, ...] = ()
    case: Case | None = None
    agent: Pcm | None = None
    prices: Mapping[str, Any] | None = None
    dead_air_limit: float = DEAD_AIR
    clean: Pcm | None = None
    caller: Pcm | None = None
    profile: Mapping[str, Any] | None = None

    @cached_property
    def completed(self) -> bool:
        """Whether the call ended with a goodbye."""
        return any(isinstance(event, Hangup) and event.reason == "completed" for event in self.events)

    @cached_property
    def harness_late(self) -> list[Interval]:
        """The moments in which voicesim itself was late."""
        return harness_late(self.events)

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """Every patient utterance that wants an answer, with what came of it."""
        every = with_first_bytes(timed_turns(turns(self.transcript), self.transcript, self.harness_late), self.events)
        return with_farewell(every) if self.completed else every

    @cached_property
    def interruptions(self) -> tuple[Interruption, ...]:
        """Every patient utterance that wants the agent to stop, and whether it did."""
        return timed_interruptions(self._interruptions[0], self.harness_late)

    @property
    def interruption_warnings(self) -> tuple[str, ...]:
        """What was odd about them, in words."""
        return self._interruptions[1]

    @cached_property
    def _interruptions(self) -> tuple[tuple[Interruption, ...], tuple[str, ...]]:
        return interruptions(self.transcript)


class Measure(Protocol):
    """One measure of a call: a pure function. It is known by its row in the table of measures."""

    def __call__(self, call: MeasuredCall, /) -> Any:
        """The value, as a pydantic model or plain data that fits into JSON; None where it cannot be known."""
        ...
