"""JSON and base64 from an agent, which may send anything."""

import base64
import json
from typing import Any


def read_object(message: str | bytes) -> dict[str, Any]:
    """A message that is a JSON object; an empty one for any other."""
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
