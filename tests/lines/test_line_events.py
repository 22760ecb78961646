"""What agents tell beside their sound becomes events, and what they should not tell does no harm."""

import json

import pytest

from voicesim.lines import openai_webrtc, smallwebrtc
from voicesim.recording.events import AgentMetric, AgentSaid, Usage, Warning_


def test_openai_transcript_usage_and_errors() -> None:
    said = {"type": "response.output_audio_transcript.done", "transcript": "Hello.", "response_id": "r1"}
    assert openai_webrtc.translate(json.dumps(said), 2.0) == AgentSaid(t=2.0, text="Hello.", response_id="r1")
    done = {"type": "response.done", "response": {"id": "r1", "usage": {"total_tokens": 5}}}
    assert openai_webrtc.translate(json.dumps(done), 3.0) == Usage(t=3.0, response_id="r1", usage={"total_tokens": 5})
    error = {"type": "error", "error": {"message": "no such voice"}}
    event = openai_webrtc.translate(json.dumps(error), 4.0)
    assert isinstance(event, Warning_)
    assert "no such voice" in event.message


@pytest.mark.parametrize("message", ["[1, 2]", '"text"', "{}", '{"type": "response.done", "response": null}'])
def test_openai_events_without_news_are_passed_over(message: str) -> None:
    assert openai_webrtc.translate(message, 0.0) is None


@pytest.mark.parametrize("message", [b"\x00\x01", "x" * 1_000_001, "{not json"])
def test_openai_messages_that_cannot_be_read_warn(message: object) -> None:
    assert isinstance(openai_webrtc.translate(message, 0.0), Warning_)


def test_rtvi_transcript_and_metrics() -> None:
    said = {"label": "rtvi-ai", "type": "bot-transcription", "data": {"text": "Hello."}}
    assert smallwebrtc.translate(json.dumps(said), 1.0) == [AgentSaid(t=1.0, text="Hello.")]
    metrics = {
        "label": "rtvi-ai",
        "type": "metrics",
        "data": {"ttfb": [{"processor": "tts#0", "value": 0.12}], "processing": [{"processor": "x", "value": "?"}]},
    }
    assert smallwebrtc.translate(json.dumps(metrics), 1.0) == [
        AgentMetric(t=1.0, name="ttfb", value=0.12, detail="tts#0")
    ]


@pytest.mark.parametrize("message", ["pong", b"x", "[]", '{"type": "metrics", "data": 3}', "x" * 1_000_001])
def test_other_messages_of_a_bot_are_passed_over(message: object) -> None:
    assert smallwebrtc.translate(message, 0.0) == []
