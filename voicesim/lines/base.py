"""The contract of a line: 20 ms of sound each way, and whatever the agent tells beside it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from voicesim.recording.events import Event
from voicesim.sound import Pcm

if TYPE_CHECKING:
    from voicesim.lines.bounded import Bounded


class Inbox(Protocol):
    """Where a line puts what comes from the agent. All methods are for the event loop's own thread."""

    def now(self) -> float:
        """Seconds on the call clock; 0 until media flows both ways."""
        ...

    def audio(self, pcm: Pcm, media: float | None = None) -> float | None:
        """Mono int16 at 24,000 Hz that has just arrived.

        `media` is the sender's own time of the first sample, in seconds from any origin, when the line has
        one (RTP does). Without it, chunks are heard one after the other at the pace of the call.

        Returns the call second at which its first sample is heard; None when it never will be: there is no
        call yet or any more, or it lies too far ahead.
        """
        ...

    def flush(self) -> None:
        """The agent took back what it had sent ahead: what lies after `now()` will never be heard."""
        ...

    def event(self, event: Event) -> None:
        """Something the agent told beside its sound."""
        ...

    def ended(self, by: Literal["agent", "line", "harness"], detail: str) -> None:
        """The agent hung up, the line broke, or our own side of it failed. Only the first call counts."""
        ...


@dataclass(frozen=True)
class Facts:
    """What a line knows of its wire. `wire_rate` in Hz, `round_trip` in seconds; None where it is not known."""

    codec: str
    wire_rate: int
    round_trip: float | None = None
    packets: int | None = None
    lost: int | None = None


@runtime_checkable
class Inspectable(Protocol):
    """A line that can tell of its wire while it is open."""

    async def facts(self) -> Facts: ...


@runtime_checkable
class SendsAhead(Protocol):
    """A line whose agent may have sent more than was heard."""

    def stop(self) -> None:
        """The call ends now; what was not heard is told while there still is a recording of it."""
        ...


class Line(Protocol):
    """One wire to an agent.

    `held`: seconds for which our own receiver keeps sound back before it hands it over (a jitter buffer); it
    is known, and taken out of every place in the recording.
    """

    name: str
    held: float

    async def open(self, inbox: "Bounded") -> None:
        """Connect and return when media flows both ways. All that the agent tells goes through `inbox`.

        Raises LineError when that cannot be had; nothing stays open then.
        """
        ...

    def send(self, pcm: Pcm) -> None:
        """Give the agent one tick of the caller: 480 samples of mono int16 at 24,000 Hz. Never blocks."""
        ...

    async def close(self) -> None:
        """Hang up. May be called at any time, more than once."""
        ...
