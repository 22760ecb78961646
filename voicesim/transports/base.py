"""The protocol of a transport: 20 ms of sound each way, and whatever the agent tells beside it."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from voicesim.audio.samples import Pcm
from voicesim.recording.events import Intent
from voicesim.transports.bounded_inbox import BoundedInbox


@dataclass(frozen=True)
class ConnectionStats:
    """What a transport knows of its connection: `wire_rate` in Hz, `round_trip` in seconds, None where not known."""

    codec: str
    wire_rate: int
    round_trip: float | None = None
    packets: int | None = None
    lost: int | None = None


@runtime_checkable
class HasStats(Protocol):
    """A transport that can tell of its connection while it is open."""

    async def stats(self) -> ConnectionStats: ...


@runtime_checkable
class SendsAhead(Protocol):
    """A transport whose agent may have sent more than was heard."""

    def stop(self) -> None:
        """The call ends now; what was not heard is told while there still is a recording of it."""
        ...


@runtime_checkable
class FollowsUtterances(Protocol):
    """A transport whose agent may not listen for the end of the caller's utterances itself."""

    def caller_starts(self, intent: Intent) -> None:
        """An utterance of the caller begins with the next tick that is sent."""
        ...

    def caller_stops(self, intent: Intent) -> None:
        """The last tick of an utterance of the caller has been sent."""
        ...


class Transport(Protocol):
    """One wire to an agent.

    `receive_delay`: seconds for which our own receiver (a jitter buffer) holds sound before handing it over. It is
    known, and taken out of every time in the recording.
    """

    name: str
    receive_delay: float

    async def open(self, inbox: BoundedInbox) -> None:
        """Connect and return when media flows both ways. All that the agent tells goes through `inbox`.

        Raises TransportError when that cannot be had; nothing stays open then.
        """
        ...

    def send(self, pcm: Pcm) -> None:
        """Give the agent one tick of the caller: 480 samples of mono int16 at 24,000 Hz. Never blocks."""
        ...

    async def close(self) -> None:
        """Hang up. May be called at any time, more than once."""
        ...
