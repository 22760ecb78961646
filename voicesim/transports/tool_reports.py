"""What an agent that runs its own tools reports of them: one tiny JSON object a call, one a result, and one, if it
likes, of what its system held before the call.

    {"type": "tool_call", "call_id": "1", "name": "book", "arguments": {"slot_id": "s3"}}
    {"type": "tool_result", "call_id": "1", "result": {"ok": true}}
    {"type": "tool_state", "state": {"slots": [{"id": "s3", "free": true}]}}

The same come over a data channel, inside an RTVI server-message, or by POST to the webhook. RTVI's own messages about
function calls are read as well. Arguments may be the JSON text of an object, as models write them.
"""

from collections.abc import Mapping
from typing import Any

from voicesim.recording.events import Event, ToolCall, ToolResult, ToolState, Warning_
from voicesim.tools.dispatcher import read_arguments

HIDDEN = (
    "the agent ran a tool and its RTVI messages hide which: set function_call_report_level of its RTVI observer "
    'to {"*": FULL}'
)


def read_tool_report(content: object, now: float) -> Event | None:
    """A report as an event; None for what is none. A report without a `call_id` has the id ""."""
    if not isinstance(content, Mapping):
        return None
    match content.get("type"):
        case "tool_state" if isinstance(state := content.get("state"), Mapping):
            return ToolState(t=now, state=dict(state))
        case "tool_call" if isinstance(name := content.get("name"), str):
            return ToolCall(t=now, call_id=_id(content), name=name, arguments=_arguments(content.get("arguments")))
        case "tool_result" if "result" in content:
            return ToolResult(t=now, call_id=_id(content), result=content["result"])
    return None


def read_rtvi_report(kind: object, data: Mapping[str, Any], now: float) -> Event | None:
    """An RTVI message about a function call, or a report inside a server-message, as an event; None for others."""
    if kind == "server-message":
        return read_tool_report(data, now)
    call_id, name = _id(data, "tool_call_id"), data.get("function_name")
    if kind in ("llm-function-call-in-progress", "llm-function-call"):
        if not isinstance(name, str):
            return Warning_(t=now, message=HIDDEN)
        return ToolCall(
            t=now, call_id=call_id, name=name, arguments=_arguments(data.get("arguments", data.get("args")))
        )
    if kind == "llm-function-call-stopped" and isinstance(name, str):
        result = {"ok": False, "error": "cancelled"} if data.get("cancelled") else data.get("result")
        return ToolResult(t=now, call_id=call_id, result=result)
    return None


def _id(content: Mapping[str, Any], key: str = "call_id") -> str:
    """An id as text, as agents send numbers too; "" where there is none."""
    value = content.get(key)
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _arguments(value: object) -> dict[str, Any]:
    """Arguments as an object; empty where they cannot be read, so that no rule finds in them what was not sent."""
    return read_arguments(value) or {}
