"""Tool logs as events: `tool(12.0, "book", {"ok": True}, slot_id="s-02")`."""

from typing import Any

from voicesim.recording.events import Event, ToolCall, ToolResult

UNANSWERED = object()


def tool(t: float, name: str, /, result: Any = UNANSWERED, took: float = 0.1, **arguments: Any) -> tuple[Event, ...]:
    """A call at `t` seconds and, `took` seconds later, its result; none when no result is given."""
    call = ToolCall(t=t, call_id=f"{name}-{t}", name=name, arguments=arguments)
    if result is UNANSWERED:
        return (call,)
    return (call, ToolResult(t=t + took, call_id=call.call_id, result=result))
