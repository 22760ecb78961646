"""What an agent, or a platform, tells of a call: cut to size and without keys before it is kept."""

import json
from collections.abc import Mapping
from typing import Any

from voicesim.recording.events import EVENT, Event
from voicesim.redact import Redactor

TEXT_LIMIT = 4_000
"""Characters of one text inside an event; what is longer is cut."""
EVENT_LIMIT = 32_000
"""Characters of one event as JSON; one that is still longer is dropped."""
PARTS_LIMIT = 2_000
"""Keys and values of one event; one that has more is dropped before it is cleaned."""
DEPTH_LIMIT = 12
"""Levels of nesting inside an event."""


def cleaned(event: Event, redactor: Redactor) -> tuple[Event, int]:
    """An event as it may be kept, and its length in characters. Raises ValueError, with the bound, for too large a one.

    Its parts are counted before anything is cleaned: that takes time for each part.
    """
    if _parts(event, PARTS_LIMIT) > PARTS_LIMIT:
        raise ValueError(f"an event of more than {PARTS_LIMIT:,} parts")
    content = {name: _cut(getattr(event, name), 0, redactor) for name in type(event).model_fields}
    length = len(json.dumps(content, default=str))
    if length > EVENT_LIMIT:
        raise ValueError(f"an event of more than {EVENT_LIMIT} characters")
    return EVENT.validate_python(content), length


def cleaned_text(text: str, redactor: Redactor) -> str:
    """A text cut to size, without keys, and such that it can be written as UTF-8.

    A little more is cleaned than is kept, or a key at the cut would not be known as one.
    """
    writable = text[: TEXT_LIMIT + 200].encode("utf-8", "replace").decode("utf-8")
    return redactor.clean(writable)[:TEXT_LIMIT]


def _cut(value: Any, depth: int, redactor: Redactor) -> Any:
    if isinstance(value, str):
        return cleaned_text(value, redactor)
    if depth >= DEPTH_LIMIT and isinstance(value, Mapping | list | tuple):
        return "..."
    if isinstance(value, Mapping):
        return {cleaned_text(str(name), redactor): _cut(item, depth + 1, redactor) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_cut(item, depth + 1, redactor) for item in value)
    return value


def _parts(event: Event, most: int) -> int:
    """How many keys and values there are in an event; not counted beyond `most`."""
    count, waiting = 0, list[Any]([dict(event)])
    while waiting and count <= most:
        part = waiting.pop()
        count += 1
        if isinstance(part, Mapping):
            waiting += part.values()
        elif isinstance(part, list | tuple):
            waiting += part
        if len(waiting) > most:
            return most + 1
    return count
