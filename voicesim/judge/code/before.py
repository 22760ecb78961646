"""What the system behind the agent's tools held before the call: what the agent could know."""

from collections.abc import Mapping
from typing import Any

from voicesim.judge.base import Call
from voicesim.recording.events import ToolState

NO_STATE = "nothing tells what the system behind the tools held before the call"


def state_before(call: Call) -> Mapping[str, Any] | None:
    """The agent's own report where it gave one, else the case's; None without either."""
    reported = next((event.state for event in call.events if isinstance(event, ToolState)), None)
    if reported is not None:
        return reported
    return call.case.backend.state if call.case.backend else None
