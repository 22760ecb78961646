"""What agents tell beside their sound becomes events, and what they should not tell does no harm."""

import json
from typing import Any

import pytest

from voicesim.audio.samples import Pcm
from voicesim.recording.events import AgentHeard, AgentMetric, AgentSaid, Event, Usage, Warning_
from voicesim.redact import REMOVED
from voicesim.transports import smallwebrtc
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.openai_events import NAMES, ServerEvents, reason


class Book:
    """An inbox that keeps events."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.over: list[str] = []

    def now(self) -> float:
        return 2.0

    def audio(self, pcm: Pcm, media: float | None = None) -> float | None:
        raise AssertionError("events carry no sound")

    def flush(self) -> None:
        raise AssertionError("events take nothing back")

    def event(self, event: Event) -> None:
        self.events.append(event)

    def ended(self, by: str, detail: str) -> None:
        self.over.append(detail)


async def told(*messages: object, secret: str = "") -> Book:
    """What is kept of messages that all arrive at 2.0 s."""
    book = Book()
    inbox = BoundedInbox(book)
    inbox.hide(secret)
    events = ServerEvents(inbox)
    for message in messages:
        if (event := events.parse(json.dumps(message) if isinstance(message, dict) else message)) is not None:
            events.read(event, 2.0)
    return book


async def test_openai_transcript_usage_and_errors() -> None:
    book = await told(
        {"type": "response.output_audio_transcript.done", "transcript": "Hello.", "response_id": "r1"},
        {"type": "response.done", "response": {"id": "r1", "usage": {"total_tokens": 5}}},
        {"type": "error", "error": {"message": "no such voice", "code": "invalid_value"}},
    )
    assert book.events == [
        AgentSaid(t=2.0, text="Hello.", response_id="r1"),
        Usage(t=2.0, response_id="r1", usage={"total_tokens": 5}),
        Warning_(t=2.0, message="the agent reports an error: no such voice (invalid_value)"),
    ]


async def test_what_the_agent_heard_is_kept_with_the_time_of_the_turn() -> None:
    transcript = {"type": "conversation.item.input_audio_transcription.completed", "transcript": "Hola."}
    book = await told(
        {"type": "input_audio_buffer.speech_started", "item_id": "u1"},
        {**transcript, "item_id": "u1"},
        {**transcript, "item_id": "u2"},
    )
    assert book.events == [AgentHeard(t=2.0, text="Hola.", start=2.0), AgentHeard(t=2.0, text="Hola.")]


@pytest.mark.parametrize(
    "message", ["[1, 2]", '"text"', "{}", '{"type": "response.done", "response": null}', '{"type": 7}']
)
async def test_openai_events_without_news_are_passed_over(message: str) -> None:
    assert (await told(message)).events == []


@pytest.mark.parametrize("message", [None, "x" * 1_000_001, "{not json", "[" * 100_000])
async def test_openai_messages_that_cannot_be_read_warn(message: object) -> None:
    assert [event.type for event in (await told(message)).events] == ["warning"]


async def test_unknown_events_are_named_once_each_and_not_without_end() -> None:
    book = await told(*({"type": f"new.{n % 40}"} for n in range(200)))
    assert len(book.events) == NAMES
    assert book.events[0] == Warning_(t=2.0, message="the agent sends an event that voicesim does not know: new.0")
    assert book.over == []


async def test_an_agent_without_sound_in_the_retired_beta_is_found_out_at_the_end_of_its_response() -> None:
    book = await told({"type": "response.audio_transcript.done"}, {"type": "response.done", "response": {"id": "r"}})
    assert book.over[0].endswith(
        "unknown events: response.audio_transcript.done (now response.output_audio_transcript.done)"
    )


@pytest.mark.parametrize(
    "message",
    [
        {"type": "error", "error": {"message": "bad key sk-1234567890"}},
        {"type": "response.done", "response": {"id": "r", "usage": {"sk-1234567890": ["sk-1234567890"]}}},
        {"type": "response.output_audio_transcript.done", "transcript": "your key is \\u0073k-1234567890"},
    ],
)
async def test_the_key_is_in_no_event(message: dict[str, Any]) -> None:
    book = await told(json.dumps(message).replace("\\\\u", "\\u"), secret="sk-1234567890")
    assert len(book.events) == 1
    assert "1234567890" not in book.events[0].model_dump_json()
    assert REMOVED in book.events[0].model_dump_json()


def test_rtvi_transcripts_and_metrics() -> None:
    said = {"label": "rtvi-ai", "type": "bot-transcription", "data": {"text": "Hello."}}
    assert smallwebrtc.translate(json.dumps(said), 1.0) == [AgentSaid(t=1.0, text="Hello.")]
    heard = {"label": "rtvi-ai", "type": "user-transcription", "data": {"text": "A cold.", "final": True}}
    assert smallwebrtc.translate(json.dumps(heard), 1.0) == [AgentHeard(t=1.0, text="A cold.")]
    heard["data"] = {"text": "A co", "final": False}
    assert smallwebrtc.translate(json.dumps(heard), 1.0) == []
    odd = [{"value": value} for value in ("?", None, float("nan"), 10**400)] + [7]
    metrics = {
        "label": "rtvi-ai",
        "type": "metrics",
        "data": {"ttfb": [{"processor": "tts#0", "value": 0.12}, *odd], "processing": 5},
    }
    assert smallwebrtc.translate(json.dumps(metrics), 1.0) == [
        AgentMetric(t=1.0, name="ttfb", value=0.12, detail="tts#0")
    ]


@pytest.mark.parametrize("message", ["pong", b"x", "[]", '{"type": "metrics", "data": 3}', "x" * 1_000_001])
def test_other_messages_of_a_bot_are_passed_over(message: str | bytes) -> None:
    assert smallwebrtc.translate(message, 0.0) == []


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        ({"message": "no such model", "code": "model_not_found"}, "no such model (model_not_found)"),
        ("not\n  here", "not here"),
        ("<!DOCTYPE HTML>\n<html><body>501</body></html>", ""),
        (None, ""),
    ],
)
def test_a_servers_own_words_are_one_line_and_no_web_page(problem: object, told: str) -> None:
    assert reason(problem) == told
