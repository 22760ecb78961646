"""JSON and base64 from an agent, which may send anything."""

import base64
import json
from typing import Any

MOST_PARTS = 20_000
"""Parts of one message; one that has more is not read, as that would take as long as several ticks of the call."""
_SIGNS = ",:[{"


def parts_of(message: str | bytes) -> int:
    """How many keys and values a message can have as JSON, told without reading it."""
    if isinstance(message, str):
        return sum(message.count(sign) for sign in _SIGNS)
    return sum(message.count(sign) for sign in _SIGNS.encode())


def read_object(message: str | bytes) -> dict[str, Any]:
    """A message that is a JSON object; an empty one for any other."""
    if parts_of(message) > MOST_PARTS:
        return {}
    try:
        content = json.loads(message)
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def read_base64(value: Any) -> bytes | None:
    """The bytes of a base64 string; None for anything else."""
    if not isinstance(value, str):
        return None
    try:
        return base64.b64decode(value, validate=True)
    except ValueError:
        return None
