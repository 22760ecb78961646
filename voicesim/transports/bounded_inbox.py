"""Between a transport and the call: what an agent sends is bounded in size and rate, and what it tells is without keys.

A hostile or broken peer must not fill memory or disk, and must not put a key into a recording.
"""

from typing import Literal, Protocol

from voicesim.audio.samples import Pcm
from voicesim.errors import WriteError
from voicesim.recording.events import Event, Warning_
from voicesim.recording.told import cleaned, cleaned_text
from voicesim.redact import Redactor
from voicesim.transports.bucket import Bucket
from voicesim.transports.messages import MOST_PARTS, parts_of
from voicesim.transports.work import Work

EVENTS_AT_ONCE, EVENT_RATE = 200, 50
"""Events kept at once, and each second from then on. What comes faster is dropped, as in the next."""
TOLD_AT_ONCE, TOLD_RATE = 1_000_000, 20_000
"""Characters of events kept at once, and each second from then on: some 7 MB in a call of five minutes."""
MESSAGES_AT_ONCE, MESSAGE_RATE = 10_000, 1_000
"""Messages taken at once, and each second from then on; 120 s of sound in pieces of 20 ms are 6,000."""
BYTES_AT_ONCE, BYTE_RATE = 64_000_000, 1_000_000
"""Bytes of messages, in the same way; 48,000 Hz stereo in floats and base64 are half a million a second."""
PARTS_AT_ONCE, PART_RATE = 300_000, 30_000
"""Parts of JSON messages, in the same way; a message of sound has a dozen."""
KINDS = 100
"""Different warnings that are told."""


class Inbox(Protocol):
    """The call's side of a transport: where the sound and the words of an agent arrive. Not thread-safe."""

    def now(self) -> float:
        """Seconds on the call clock; 0 until media flows both ways."""
        ...

    def audio(self, pcm: Pcm, media: float | None = None) -> float | None:
        """Mono int16 at 24,000 Hz that has just arrived.

        `media` is the sender's own time of the first sample, in seconds from any origin, when the transport
        has one (RTP does). Without it, chunks are heard one after the other at the pace of the call.

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


class BoundedInbox:
    """The inbox as a transport sees it, in front of that of the call. Sound passes untouched."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self.now, self.audio, self.flush = inbox.now, inbox.audio, inbox.flush
        self._events = Bucket(EVENTS_AT_ONCE, EVENT_RATE, inbox.now)
        self._characters = Bucket(TOLD_AT_ONCE, TOLD_RATE, inbox.now)
        self._messages = Bucket(MESSAGES_AT_ONCE, MESSAGE_RATE, inbox.now)
        self._bytes = Bucket(BYTES_AT_ONCE, BYTE_RATE, inbox.now)
        self._parts = Bucket(PARTS_AT_ONCE, PART_RATE, inbox.now)
        self._redactor = Redactor()
        self._warned: set[str] = set()
        self.work = Work()
        """How long the loop was held up by what the agent sent."""
        self.failure = ""
        """Why the agent's server last failed to answer, in its words: for a call in which the agent stays silent."""

    def hide(self, *secrets: str) -> None:
        """From now on these are taken out of what the agent tells, as the keys of the environment are."""
        self._redactor = Redactor(*secrets)

    def admit(self, message: str | bytes, *, json: bool = True) -> bool:
        """Count a message of the agent. False when it sends far too many or too much; the line is ended then.

        `json`: it will be read as such. One of too many parts will not be, and costs nothing more.
        """
        parts = parts_of(message) if json else 0
        if parts > MOST_PARTS:
            self.warn(f"the agent sent a message of more than {MOST_PARTS:,} parts; not read")
            parts = 0
        if not self._messages.spend():
            self.ended("line", f"the agent sends more than {MESSAGE_RATE:,} messages a second")
        elif not self._bytes.spend(len(message)):
            self.ended("line", "the agent sent far more than anybody can hear; the line was cut")
        elif not self._parts.spend(parts):
            self.ended("line", f"the agent's messages have more than {PART_RATE:,} parts a second")
        else:
            return True
        return False

    def broke(self, error: BaseException) -> None:
        """Reading what the agent sent has failed. That is the agent's end, unless the recording could not be written.

        A line that just stops hearing would look like an agent that fell silent.
        """
        detail = f"{type(error).__name__}: {error}"
        if isinstance(error, WriteError):
            self.ended("harness", detail)
        else:
            self.ended("line", f"what the agent sent cannot be read: {detail}")

    def event(self, event: Event) -> None:
        """Something the agent told. What is dropped is told by a warning; the same warning is told once."""
        if isinstance(event, Warning_):
            self.warn(event.message)
        elif not self._events.spend():
            self.warn(f"the agent sent more than {EVENT_RATE} events a second; some are dropped")
        else:
            self._keep(event)

    def warn(self, kind: str, detail: str = "") -> None:
        """Tell of something wrong, once for each `kind`; `detail` is what was seen the first time."""
        if kind not in self._warned and len(self._warned) < KINDS:
            self._warned.add(kind)
            message = f"{kind}: {detail}" if detail else kind
            self._inbox.event(Warning_(t=self.now(), message=self._text(message)))

    def failed(self, why: str) -> None:
        """The agent's server could not answer; "" once it has answered again."""
        self.failure = self._text(why)

    def ended(self, by: Literal["agent", "line", "harness"], detail: str) -> None:
        self._inbox.ended(by, self._text(detail))

    def _keep(self, event: Event) -> None:
        try:
            short, length = cleaned(event, self._redactor)
        except ValueError as error:
            self.warn(f"the agent sent {error}; dropped")
            return
        if self._characters.spend(length):
            self._inbox.event(short)
        else:
            self.warn(f"the agent tells more than {TOLD_RATE:,} characters a second; some events are dropped")

    def _text(self, text: str) -> str:
        return cleaned_text(text, self._redactor)
