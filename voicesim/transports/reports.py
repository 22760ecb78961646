"""What an agent that runs its own tools reports of them: one tiny JSON object a call, one a result, and one, if it
likes, of what its system held before the call.

    {"type": "tool_call", "call_id": "1", "name": "book", "arguments": {"slot_id": "s3"}}
    {"type": "tool_result", "call_id": "1", "result": {"ok": true}}
    {"type": "tool_state", "state": {"slots": [{"id": "s3", "free": true}]}}

The same come over a data channel, inside an RTVI server-message, or by POST to the sink. RTVI's own
messages about function calls are read as well.
"""

from collections.abc import Mapping
from typing import Any

from voicesim.recording.events import Event, ToolCall, ToolResult, ToolState, Warning_

HIDDEN = (
    "the agent ran a tool and its RTVI messages hide which: set function_call_report_level of its RTVI observer "
    'to {"*": FULL}'
)


def report(content: object, now: float) -> Event | None:
    """A report as an event; None for what is none."""
    if not isinstance(content, Mapping):
        return None
    if content.get("type") == "tool_state" and isinstance(state := content.get("state"), Mapping):
        return ToolState(t=now, state=dict(state))
    call_id = content.get("call_id")
    if not isinstance(call_id, str | int) or isinstance(call_id, bool):
        return None
    if content.get("type") == "tool_call" and isinstance(name := content.get("name"), str):
        return ToolCall(t=now, call_id=str(call_id), name=name, arguments=_object(content.get("arguments")))
    if content.get("type") == "tool_result" and "result" in content:
        return ToolResult(t=now, call_id=str(call_id), result=content["result"])
    return None


def rtvi_report(kind: object, data: Mapping[str, Any], now: float) -> Event | None:
    """An RTVI message about a function call, or a report inside a server-message, as an event."""
    if kind == "server-message":
        return report(data, now)
    call_id = str(data.get("tool_call_id", ""))
    if kind in {"llm-function-call-in-progress", "llm-function-call"}:
        name = data.get("function_name")
        if not isinstance(name, str):
            return Warning_(t=now, message=HIDDEN)
        return ToolCall(t=now, call_id=call_id, name=name, arguments=_object(data.get("arguments", data.get("args"))))
    if kind == "llm-function-call-stopped" and isinstance(data.get("function_name"), str):
        result = {"ok": False, "error": "cancelled"} if data.get("cancelled") else data.get("result")
        return ToolResult(t=now, call_id=call_id, result=result)
    return None


def _object(value: object) -> dict[str, Any]:
    return dict(value) if isinstance(value, Mapping) else {}
