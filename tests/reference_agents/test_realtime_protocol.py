"""The realtime agent takes the GA shapes and refuses everything else by name."""

import json
from typing import Any

import pytest

from voicesim.reference_agents.realtime.protocol import ItemCreate, ResponseCreate, SessionUpdate, TextItem, parse_event
from voicesim.reference_agents.realtime.refusal import ProtocolError
from voicesim.reference_agents.realtime.session import Session, updated


def refused(event: Any) -> ProtocolError:
    with pytest.raises(ProtocolError) as caught:
        parse_event(event if isinstance(event, str | bytes) else json.dumps(event))
    return caught.value


def test_events_of_the_protocol_are_taken() -> None:
    update = parse_event('{"type": "session.update", "event_id": "e1", "session": {"type": "realtime"}}')
    assert isinstance(update, SessionUpdate)
    assert update.event_id == "e1"
    create = parse_event('{"type": "response.create"}')
    assert isinstance(create, ResponseCreate)
    item = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}
    typed = parse_event(json.dumps({"type": "conversation.item.create", "item": item}))
    assert isinstance(typed, ItemCreate)
    assert isinstance(typed.item, TextItem)
    assert typed.item.content[0].text == "hi"


def test_an_unknown_event_is_refused_with_its_id_and_the_known_ones() -> None:
    error = refused({"type": "response.audio.delta", "event_id": "mine"})
    assert (error.code, error.param, error.event_id) == ("invalid_value", "type", "mine")
    assert "response.create" in error.message


@pytest.mark.parametrize("message", ["{", "[]", "7", b"\x00"])
def test_what_is_no_json_object_is_refused(message: Any) -> None:
    assert refused(message).code == "invalid_json"


def test_a_field_an_event_does_not_have_is_refused() -> None:
    error = refused({"type": "response.cancel", "why": "x"})
    assert (error.code, error.param) == ("unknown_parameter", "why")


@pytest.mark.parametrize(
    "field",
    [
        "modalities",
        "input_audio_format",
        "output_audio_format",
        "input_audio_transcription",
        "turn_detection",
        "voice",
        "temperature",
        "max_response_output_tokens",
    ],
)
def test_flat_fields_of_the_retired_beta_are_refused_by_name(field: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        updated(Session(), {"type": "realtime", field: None}, "e7")
    assert (caught.value.code, caught.value.param) == ("unknown_parameter", f"session.{field}")
    assert caught.value.event_id == "e7"


def test_a_session_without_its_type_is_refused() -> None:
    with pytest.raises(ProtocolError) as caught:
        updated(Session(), {"instructions": "x"})
    assert (caught.value.code, caught.value.param) == ("missing_required_parameter", "session.type")


def test_an_update_changes_only_what_it_names() -> None:
    first = updated(Session(), {"type": "realtime", "audio": {"input": {"transcription": {"model": "whisper-1"}}}})
    detection = {"type": "server_vad", "silence_duration_ms": 400}
    second = updated(first, {"type": "realtime", "audio": {"input": {"turn_detection": detection}}})
    assert second.audio.input.transcription is not None
    assert second.audio.input.turn_detection is not None
    assert second.audio.input.turn_detection.silence_duration_ms == 400
    assert second.audio.input.turn_detection.threshold == 0.5


def test_null_turns_detection_and_transcription_off() -> None:
    off = {"type": "realtime", "audio": {"input": {"turn_detection": None, "transcription": None}}}
    session = updated(Session(), off)
    assert session.audio.input.turn_detection is None
    assert session.audio.input.transcription is None


def test_the_session_says_which_voice_it_really_has() -> None:
    session = updated(Session(), {"type": "realtime", "audio": {"output": {"voice": "marin"}}})
    assert session.audio.output.voice == "heart"


@pytest.mark.parametrize(
    ("wanted", "param"),
    [
        ({"output_modalities": ["text"]}, "session.output_modalities.0"),
        ({"audio": {"input": {"turn_detection": {"type": "semantic_vad"}}}}, "session.audio.input.turn_detection.type"),
        ({"audio": {"output": {"speed": 1.2}}}, "session.audio.output.speed"),
        ({"audio": {"input": {"format": {"type": "audio/pcma"}}}}, "session.audio.input.format"),
        ({"audio": {"output": {"format": {"type": "audio/pcm", "rate": 16000}}}}, "session.audio.output.format.rate"),
    ],
)
def test_what_this_server_cannot_do_is_refused_not_ignored(wanted: dict[str, Any], param: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        updated(Session(), {"type": "realtime", **wanted})
    assert caught.value.param == param
