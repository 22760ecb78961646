"""The tools that the agent used, as the transcript shows them: between the utterances, at their time."""

from collections.abc import Iterable
from dataclasses import dataclass

from voicesim.recording import files
from voicesim.recording.events import Event
from voicesim.tools.log import ToolUse, tool_log, worded

ALIKE = ("ok", "error")
"""Keys of a result that its outcome in words has told already."""

MOST = 300
"""Uses that the page shows."""


@dataclass(frozen=True)
class ToolRow:
    """One use of a tool. `start` and `end` are in seconds; arguments and result are names with their values."""

    name: str
    start: float
    end: float
    arguments: tuple[tuple[str, str], ...]
    outcome: str
    ok: bool | None
    result: tuple[tuple[str, str], ...]


def tool_rows(events: Iterable[Event]) -> tuple[ToolRow, ...]:
    """The uses in the order of the calls; none for a call without tools. What is too much for a page is counted."""
    uses = tool_log(events) or ()
    rows = tuple(map(_row, uses[:MOST]))
    if len(uses) <= MOST:
        return rows
    last = rows[-1]
    more = f"{len(uses) - MOST:,} uses more, which only {files.EVENTS} tells"
    return (*rows, ToolRow("…", last.start, last.end, (), more, None, ()))


def _row(use: ToolUse) -> ToolRow:
    result = {name: value for name, value in (use.result or {}).items() if name not in ALIKE}
    return ToolRow(
        name=worded(use.name),
        start=use.t,
        end=use.t if use.answered is None else use.answered,
        arguments=tuple((name, worded(value)) for name, value in use.arguments.items()),
        outcome=use.outcome,
        ok=use.ok,
        result=tuple((name, worded(value)) for name, value in result.items()),
    )
