"""The tools that the agent used, each call with its result."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from voicesim.recording.events import Event, ToolCall, ToolResult

_SHOWN = 200
NO_LOG = "the recording has no tool log: the agent used no tool, or its line does not tell"


@dataclass(frozen=True)
class ToolUse:
    """A call at `t` and its result at `answered` (seconds); both of the latter are None when none came."""

    t: float
    name: str
    arguments: Mapping[str, Any]
    answered: float | None = None
    result: Mapping[str, Any] | None = None

    @property
    def ok(self) -> bool | None:
        """Whether it succeeded; None when its result is missing or does not say so."""
        ok = self.result.get("ok") if self.result else None
        return ok if isinstance(ok, bool) else None

    @property
    def told(self) -> str:
        """The call in words, for a reason."""
        return f"{self.name} at {self.t:.1f} s"

    @property
    def outcome(self) -> str:
        """What came of it in words: `ok`, `refused: the slot is taken`, or that nobody knows."""
        if self.ok is None:
            return "no result" if self.answered is None else "the result does not say if it succeeded"
        error = (self.result or {}).get("error")
        return "ok" if self.ok else f"refused: {worded(error)}" if error else "refused"

    @property
    def summary(self) -> str:
        """The use in one line: `book (slot_id s-02): ok`."""
        given = ", ".join(f"{name} {worded(value)}" for name, value in self.arguments.items())
        return f"{self.name} ({given}): {self.outcome}" if given else f"{self.name}: {self.outcome}"


def worded(value: Any) -> str:
    """A value of a tool log in words: `day thursday, time 09:30` for an object, its items apart for a list."""
    if isinstance(value, Mapping):
        text = ", ".join(f"{name} {worded(part)}" for name, part in value.items())
    elif isinstance(value, list):
        text = "; ".join(map(worded, value)) or "none"
    else:
        text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …"


def tool_log(events: Iterable[Event]) -> tuple[ToolUse, ...] | None:
    """The uses of tools in the order of their calls; None when no event speaks of a tool at all."""
    reports = [event for event in events if isinstance(event, ToolCall | ToolResult)]
    if not reports:
        return None
    uses: list[ToolUse] = []
    unanswered: defaultdict[str, list[int]] = defaultdict(list)
    for event in sorted(reports, key=lambda event: event.t):
        if isinstance(event, ToolCall):
            unanswered[event.call_id].append(len(uses))
            uses.append(ToolUse(event.t, event.name, event.arguments))
        elif unanswered[event.call_id]:
            # Agents use an id again; a result belongs to the oldest call of its id that has none.
            place = unanswered[event.call_id].pop(0)
            uses[place] = replace(uses[place], answered=event.t, result=_mapping(event.result))
    return tuple(uses)


def _mapping(result: Any) -> Mapping[str, Any] | None:
    """A result as a mapping; agents that hand results on as text send JSON."""
    if isinstance(result, str):
        try:
            result = json.loads(result)
        except ValueError:
            return None
    return result if isinstance(result, dict) else None
