"""Where the sound and the words of an agent arrive: the call's side of a line."""

from typing import Literal, Protocol

from voicesim.audio.samples import Pcm
from voicesim.recording.events import Event


class Inbox(Protocol):
    """All methods are for the event loop's own thread."""

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
