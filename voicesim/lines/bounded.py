"""Between a line and the call: what an agent tells is bounded in size and rate, and without keys.

A hostile or broken peer must not fill memory or disk, and must not put a key into a recording.
"""

import json
from collections.abc import Mapping
from typing import Any, Literal

from voicesim.lines.base import Inbox
from voicesim.recording.events import EVENT, Event, Warning_
from voicesim.redact import redact

TEXT_LIMIT = 4_000
"""Characters of one text inside an event; what is longer is cut."""
EVENT_LIMIT = 32_000
"""Characters of one event as JSON; one that is still longer is dropped."""
DEPTH_LIMIT = 12
"""Levels of nesting inside an event."""
RATE = 50.0
"""Events a second, on average, ..."""
BURST = 200.0
"""... and at once. What comes faster is dropped."""


class Bounded:
    """An inbox in front of another one; sound passes untouched. What is dropped is told, once a kind."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self.now, self.audio, self.flush = inbox.now, inbox.audio, inbox.flush
        self._allowance = BURST
        self._last = 0.0
        self._told: set[str] = set()

    def event(self, event: Event) -> None:
        now = self.now()
        self._allowance = min(BURST, self._allowance + (now - self._last) * RATE)
        self._last = now
        if self._allowance < 1.0:
            self._warn("rate", f"the agent sent more than {RATE:g} events a second; some are dropped")
            return
        self._allowance -= 1.0
        kept = bounded(event)
        if kept is None:
            self._warn("size", f"the agent sent an event of more than {EVENT_LIMIT} characters; dropped")
        else:
            self._inbox.event(kept)

    def ended(self, by: Literal["agent", "line", "harness"], detail: str) -> None:
        self._inbox.ended(by, redact(detail)[:TEXT_LIMIT])

    def _warn(self, kind: str, message: str) -> None:
        if kind not in self._told:
            self._told.add(kind)
            self._inbox.event(Warning_(t=self.now(), message=message))


def bounded(event: Event) -> Event | None:
    """The event with its texts cut to size and without keys; None when it is too big even so."""
    content = {name: _cut(getattr(event, name), 0) for name in type(event).model_fields}
    if len(json.dumps(content, default=str)) > EVENT_LIMIT:
        return None
    return EVENT.validate_python(content)


def _cut(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return redact(value[: TEXT_LIMIT + 200])[:TEXT_LIMIT]
    if depth >= DEPTH_LIMIT and isinstance(value, Mapping | list | tuple):
        return "..."
    if isinstance(value, Mapping):
        return {_cut(str(name), depth + 1): _cut(one, depth + 1) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_cut(one, depth + 1) for one in value)
    return value
