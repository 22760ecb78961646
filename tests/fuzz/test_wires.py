"""Whatever an agent sends over a wire: told, or passed over; and what was told can be read back from the recording."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inboxes import Playing

from fuzz.odd import CHANGES, FUZZ, PLACES, VALUES, as_json, changed
from voicesim.metrics.cost import cost
from voicesim.recording.events import EVENT
from voicesim.report.agent_claims import pairs
from voicesim.report.tools import tool_rows
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.openai_events import ServerEvents, parse_event
from voicesim.transports.openai_live import LiveClient
from voicesim.transports.smallwebrtc import translate

OPENAI: tuple[dict[str, Any], ...] = (
    {"type": "response.output_audio_transcript.done", "transcript": "Hello.", "response_id": "r1"},
    {
        "type": "response.done",
        "response": {
            "id": "r1",
            "status": "failed",
            "status_details": {"error": {"code": "quota", "message": "no"}},
            "usage": {
                "input_tokens": 5,
                "output_tokens": 6,
                "input_token_details": {"text_tokens": 5, "cached_tokens": 0},
                "output_token_details": {"text_tokens": 6},
            },
        },
    },
    {"type": "input_audio_buffer.speech_started", "item_id": "i1", "audio_start_ms": 5},
    {"type": "conversation.item.input_audio_transcription.completed", "item_id": "i1", "transcript": "Hi"},
    {"type": "error", "error": {"code": "x", "message": "y", "param": "z"}},
)
LIVE: tuple[dict[str, Any], ...] = (
    {"type": "session.started", "session": {"id": "s", "audio": {"format": {"type": "audio/pcm"}}}},
    {"type": "session.output_transcript.delta", "delta": "Hello."},
    {"type": "session.input_transcript.delta", "delta": "Hi"},
    {"type": "session.delegation.created", "delegation": {"id": "d1", "type": "delegation", "target": "client"}},
    {"type": "session.usage.updated", "usage": {"seconds": 5.0}},
    {"type": "session.closed", "reason": "expired", "usage": {"seconds": 6.0}},
    {"type": "error", "error": {"code": "x", "message": "y", "param": "z"}},
)
RTVI: tuple[dict[str, Any], ...] = (
    {"type": "bot-transcription", "data": {"text": "Hello."}},
    {"type": "user-transcription", "data": {"text": "Hi", "final": True}},
    {"type": "metrics", "data": {"ttfb": [{"processor": "LLM", "value": 0.4}], "processing": []}},
    {"type": "llm-function-call", "data": {"tool_call_id": "1", "function_name": "book", "args": {"a": 1}}},
    {"type": "tool_call", "call_id": "1", "name": "book", "arguments": {"a": 1}},
    {"type": "tool_result", "call_id": "1", "result": {"ok": True}},
    {"type": "tool_state", "state": {"slots": []}},
)


def kept(inbox: Playing) -> None:
    """What was told is written, read back as it was, priced and shown."""
    for event in inbox.events:
        assert EVENT.validate_json(event.model_dump_json()).type == event.type
    cost(inbox.events, {"text_in": 1.0, "text_out": 2.0})
    pairs(inbox.events, ())
    tool_rows(inbox.events)


def told_by_openai(message: object) -> None:
    inbox = Playing()
    events = ServerEvents(BoundedInbox(inbox))
    if (event := events.parse(message)) is not None:
        events.read(event, 1.0)
    kept(inbox)


def told_by_live(message: str | bytes) -> None:
    inbox = Playing()

    async def take() -> None:
        bounded = BoundedInbox(inbox)
        client = LiveClient(bounded, lambda event: None, None)
        for _ in range(2):
            if (event := parse_event(message, bounded)) is not None:
                client.take(event)
        client.tick()
        client.stop()
        client.why_over()

    asyncio.run(take())
    kept(inbox)


def told_by_rtvi(message: str | bytes) -> None:
    inbox = Playing()
    bounded = BoundedInbox(inbox)
    for event in translate(message, 1.0):
        bounded.event(event)
    kept(inbox)


@FUZZ
@given(event=st.sampled_from(OPENAI), place=PLACES, change=CHANGES, value=VALUES)
def test_an_event_of_openais_protocol(event: dict[str, Any], place: int, change: str, value: Any) -> None:
    told_by_openai(as_json(changed(event, place, change, value)))


@FUZZ
@given(event=st.sampled_from(LIVE), place=PLACES, change=CHANGES, value=VALUES)
def test_an_event_of_gpt_live(event: dict[str, Any], place: int, change: str, value: Any) -> None:
    told_by_live(as_json(changed(event, place, change, value)))


@FUZZ
@given(message=st.sampled_from(RTVI), place=PLACES, change=CHANGES, value=VALUES)
def test_a_message_of_rtvi(message: dict[str, Any], place: int, change: str, value: Any) -> None:
    told_by_rtvi(as_json(changed(message, place, change, value)))


@FUZZ
@given(message=st.one_of(st.binary(max_size=200), st.text(max_size=200), VALUES.map(json.dumps)))
def test_messages_of_anything(message: str | bytes) -> None:
    told_by_openai(message)
    told_by_live(message)
    told_by_rtvi(message)


@pytest.mark.parametrize(
    "message", ["[" * 100_000, '{"type":' * 50_000, "9" * 10_000, '{"type": []}', '{"type": {}}', "\x00"]
)
def test_messages_that_break_readers_of_json(message: str) -> None:
    told_by_openai(message)
    told_by_live(message)
    told_by_rtvi(message)
