"""What platforms export of a call becomes events on the call clock."""

import json
from pathlib import Path
from typing import Any

import pytest
from platform_exports import RETELL, VAPI

from voicesim.errors import RecordingError
from voicesim.recording.events import AgentHeard, AgentSaid, ToolCall, ToolResult
from voicesim.recording.export_events import Export, read_export

LIVEKIT = {
    "job_id": "j",
    "audio_recording_started_at": 1_772_359_200.0,
    "chat_history": {
        "items": [
            {"type": "message", "role": "assistant", "content": ["Hello."], "created_at": 1_772_359_200.5},
            {"type": "message", "role": "user", "content": ["I cough."], "created_at": 1_772_359_202.6},
            {
                "type": "function_call",
                "call_id": "t1",
                "name": "book",
                "arguments": '{"day": "Monday"}',
                "created_at": 1_772_359_203.1,
            },
            {
                "type": "function_call_output",
                "call_id": "t1",
                "output": '{"ok": true}',
                "is_error": False,
                "created_at": 1_772_359_203.5,
            },
        ]
    },
}
TWILIO = {
    "sentences": [
        {"media_channel": 2, "sentence_index": 0, "start_time": "0.5", "end_time": "0.9", "transcript": "Hello."},
        {"media_channel": 1, "sentence_index": 1, "start_time": "2.0", "end_time": "2.6", "transcript": "I cough."},
    ],
    "meta": {},
}


def read(tmp_path: Path, content: Any, **options: str) -> Export:
    path = tmp_path / "export.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return read_export(path, **options)


@pytest.mark.parametrize("content", [RETELL, {"event": "call_ended", "call": RETELL}, VAPI, LIVEKIT, TWILIO])
def test_turns_and_tool_calls_have_their_place_on_the_call_clock(content: dict[str, Any], tmp_path: Path) -> None:
    export = read(tmp_path, content)
    said = next(event for event in export.events if isinstance(event, AgentSaid))
    heard = next(event for event in export.events if isinstance(event, AgentHeard))
    assert (said.t, said.text) == (0.5, "Hello.")
    assert (heard.t, heard.text) == (2.6, "I cough.")
    tools = [event for event in export.events if isinstance(event, ToolCall | ToolResult)]
    if content is not TWILIO:
        assert tools == [
            ToolCall(t=3.1, call_id="t1", name="book", arguments={"day": "Monday"}),
            ToolResult(t=3.5, call_id="t1", result={"ok": True}),
        ]


def test_how_a_call_began_and_ended_is_taken_over(tmp_path: Path) -> None:
    assert read(tmp_path, RETELL).end == "caller_hung_up"
    assert read(tmp_path, RETELL).started == "2026-03-01T10:00:00+00:00"
    assert (read(tmp_path, VAPI).end, read(tmp_path, VAPI).end_detail) == ("caller_hung_up", "customer-ended-call")
    assert read(tmp_path, TWILIO).end is None


def test_channels_of_a_transcript_follow_the_patients_channel(tmp_path: Path) -> None:
    swapped = read(tmp_path, TWILIO, caller="right").events
    assert [type(event).__name__ for event in swapped] == ["AgentHeard", "AgentSaid"]


def test_an_export_by_the_clock_needs_the_start_and_says_so(tmp_path: Path) -> None:
    content = {"items": LIVEKIT["chat_history"]["items"]}  # type: ignore[index]
    assert "does not say when the recording began" in read(tmp_path, content).notes[0]
    told = read(tmp_path, content, started="2026-03-01T09:59:59+00:00")
    assert (told.events[0].t, told.notes) == (1.5, ())


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", r"^(?!.*Traceback)"),
        ("[1, 2]", "JSON of no known form"),
        ('{"hello": 1}', "JSON of no known form.*Retell"),
        ('{"sentences": [{"media_channel": 1}]}', "not what such an export holds: KeyError"),
        (
            '{"sentences": [{"media_channel": 1, "transcript": "x", "start_time": "-4", "end_time": "2"}]}',
            "no moment of a call",
        ),
        ('{"type": "heard", "t": 1.0}\n', r"export.json:1: Field required"),
        ("a letter\n", r"export.json:1: no JSON"),
    ],
)
def test_what_is_no_export_is_refused_by_name(content: str, says: str, tmp_path: Path) -> None:
    if not content:
        assert read(tmp_path, content) == Export()
        return
    with pytest.raises(RecordingError, match=says):
        read(tmp_path, content)


def test_voicesims_own_events_are_read_line_by_line(tmp_path: Path) -> None:
    said, heard = '{"type": "agent_said", "t": 1, "text": "Hello."}', '{"type": "agent_heard", "t": 2, "text": "x"}'
    lines = f"{said}\n\n{heard}\n"
    assert [event.type for event in read(tmp_path, lines).events] == ["agent_said", "agent_heard"]
    assert [event.type for event in read(tmp_path, lines.splitlines()[0]).events] == ["agent_said"]
