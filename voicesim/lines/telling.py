"""What an agent tells beside its sound, on its way into the recording: bounded, and without the key."""

import asyncio

from voicesim.lines.base import Inbox
from voicesim.recording.events import EVENT, Event, Warning_

EVENT_LIMIT = 64_000
"""Characters (JSON) of one event; longer ones are left out with a warning."""
TOLD_AT_ONCE, TOLD_RATE = 1_000_000, 20_000
"""Characters of events kept at once, and each second from then on: some 7 MB in a call of five minutes."""
MESSAGES_AT_ONCE, MESSAGE_RATE = 10_000, 1_000
"""Messages taken at once, and each second from then on; 120 s of sound in pieces of 20 ms are 6,000."""
SHORTEST_SECRET = 8
"""Characters from which a key is one; a shorter one (for a local server) may be part of any word."""


class Bucket:
    """An allowance that fills up again: `capacity` at first and at most, `rate` more each second."""

    def __init__(self, capacity: float, rate: float) -> None:
        self._capacity, self._rate, self._level = capacity, rate, capacity
        self._loop = asyncio.get_running_loop()
        self._filled = self._loop.time()

    def spend(self, amount: float) -> bool:
        """Take an amount; False, and nothing is taken, when there is not as much."""
        now = self._loop.time()
        self._level = min(self._capacity, self._level + (now - self._filled) * self._rate)
        self._filled = now
        if amount > self._level:
            return False
        self._level -= amount
        return True


def redact(text: str, secret: str) -> str:
    """The text with every occurrence of the key replaced."""
    return text.replace(secret, "[key]") if len(secret) >= SHORTEST_SECRET else text


class Telling:
    """One call's way from a line to its inbox. Make it where the loop runs."""

    def __init__(self, inbox: Inbox, secret: str = "") -> None:
        self._inbox, self._secret = inbox, secret
        self._told = Bucket(TOLD_AT_ONCE, TOLD_RATE)
        self._messages = Bucket(MESSAGES_AT_ONCE, MESSAGE_RATE)
        self._warned = False

    def admit(self) -> bool:
        """Count one message of the agent. False when they are far too many; the line is ended then."""
        if self._messages.spend(1):
            return True
        self._inbox.ended("line", f"the agent sends more than {MESSAGE_RATE:,} messages a second")
        return False

    def event(self, event: Event) -> None:
        """Put an event into the recording, or warn (once a call) that some were left out."""
        text = event.model_dump_json()
        if len(text) <= EVENT_LIMIT and self._told.spend(len(text)):
            clean = redact(text, self._secret)
            self._inbox.event(event if clean == text else EVENT.validate_json(clean))
        elif not self._warned:
            self._warned = True
            self._inbox.event(Warning_(t=event.t, message=f"the agent tells too much; left out: {event.type}, ..."))

    def warn(self, message: str) -> None:
        self.event(Warning_(t=self._inbox.now(), message=message))

    def ended(self, detail: str) -> None:
        """The line is lost, in words of the agent."""
        self._inbox.ended("line", redact(detail[:EVENT_LIMIT], self._secret))
