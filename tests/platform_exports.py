"""Exports of calls as platforms give them."""

from typing import Any

RETELL: dict[str, Any] = {
    "call_id": "c1",
    "start_timestamp": 1_772_359_200_000,  # 2026-03-01T10:00:00Z
    "disconnection_reason": "user_hangup",
    "transcript_with_tool_calls": [
        {"role": "agent", "content": "Hello.", "words": [{"word": "Hello.", "start": 0.5, "end": 0.9}]},
        {
            "role": "user",
            "content": "I cough.",
            "words": [{"word": "I", "start": 2.0, "end": 2.1}, {"end": 2.6, "start": 2.2}],
        },
        {"role": "node_transition", "time_sec": 2.7, "new_node_id": "x"},
        {
            "role": "tool_call_invocation",
            "tool_call_id": "t1",
            "name": "book",
            "arguments": '{"day": "Monday"}',
            "time_sec": 3.1,
        },
        {"role": "tool_call_result", "tool_call_id": "t1", "content": '{"ok": true}', "time_sec": 3.5},
    ],
}
VAPI: dict[str, Any] = {
    "endedReason": "customer-ended-call",
    "startedAt": "2026-03-01T10:00:00.000Z",
    "artifact": {
        "messages": [
            {"role": "system", "message": "You are a nurse.", "time": 0, "secondsFromStart": 0},
            {"role": "bot", "message": "Hello.", "time": 1500, "endTime": 1900, "secondsFromStart": 0.5},
            {"role": "user", "message": "I cough.", "time": 3000, "endTime": 3600, "secondsFromStart": 2.0},
            {
                "role": "tool_calls",
                "time": 4100,
                "secondsFromStart": 3.1,
                "toolCalls": [
                    {"id": "t1", "type": "function", "function": {"name": "book", "arguments": {"day": "Monday"}}}
                ],
            },
            {
                "role": "tool_call_result",
                "toolCallId": "t1",
                "name": "book",
                "result": '{"ok": true}',
                "secondsFromStart": 3.5,
            },
        ]
    },
}
