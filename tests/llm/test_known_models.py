"""Models that go: their dates, what stands in for them, and what a user is told before and after."""

import asyncio
from datetime import date

import pytest
from model_server import Says, model_server

from voicesim.llm.errors import model_error
from voicesim.llm.known_models import default_model, known_models, model_end, retirement
from voicesim.llm.server import OPENAI, ModelServer
from voicesim.transports.openai_session import new_session

BEFORE = date(2026, 12, 1)


def test_every_default_and_every_replacement_is_a_model_that_is_known() -> None:
    known = known_models()
    date.fromisoformat(known.as_of)
    assert set(known.defaults.values()) <= set(known.models)
    assert {model.instead for model in known.models.values() if model.instead} <= set(known.models)
    assert not any(known.models[model.instead].ends for model in known.models.values() if model.instead)


def test_a_default_is_no_longer_taken_from_the_day_on_which_it_is_shut_down() -> None:
    name = default_model("transcription", BEFORE)
    assert name is not None
    ends = known_models().models[name].ends
    assert ends is not None
    assert default_model("transcription", date.fromordinal(ends.toordinal() - 1)) == name
    assert default_model("transcription", ends) is None


def told(content: bytes, status: int = 200, model: str = "m") -> str:
    with model_server() as fake:
        fake.answers = [Says(status=status, body=content)]
        end = asyncio.run(model_end(fake.model(model), BEFORE))
        assert fake.paths == [f"/v1/models/{model}"]
        return end.replace(fake.url.removeprefix("http://").removesuffix("/v1"), "HOST")


@pytest.mark.parametrize(
    ("content", "end"),
    [
        (b'{"id": "m", "object": "model", "shutdown_date": "2027-01-20"}', "HOST shuts m down on 2027-01-20"),
        (b'{"id": "m", "object": "model", "shutdown_date": "2026-11-30"}', "HOST shut m down on 2026-11-30"),
        (b'{"id": "m", "object": "model", "shutdown_date": null}', ""),
        (b'{"id": "m", "object": "model"}', ""),
        (b'{"shutdown_date": ["2027-01-20"]}', ""),
        (b'{"shutdown_date": "soon"}', ""),
        (b"[]", ""),
        (b"no json", ""),
    ],
)
def test_a_server_tells_when_it_shuts_a_model_down(content: bytes, end: str) -> None:
    assert told(content) == end


def test_a_server_that_has_no_such_question_is_no_error() -> None:
    assert told(b'{"error": {"message": "not found"}}', 404) == ""


def test_what_openai_documents_of_a_name_says_nothing_about_another_server() -> None:
    assert told(b'{"id": "gpt-5-mini"}', model="gpt-5-mini") == ""
    assert "2026-12-11" in retirement("gpt-5-mini", BEFORE)


def test_a_refusal_by_openai_says_that_the_model_is_gone() -> None:
    import httpx2
    import openai

    request = httpx2.Request("POST", f"{OPENAI}/audio/speech")
    refusal = openai.NotFoundError(
        "no such model", response=httpx2.Response(404, request=request), body={"message": "The model does not exist"}
    )
    message = str(model_error(refusal, ModelServer("openai:tts-1", "tts-1", OPENAI)))
    assert "does not exist (OpenAI " in message
    assert "tts-1 down on 2027-01-06; nothing follows it in its place" in message
    other = ModelServer("mine", "tts-1", "http://localhost:8080/v1")
    assert "2027" not in str(model_error(refusal, other))


def test_a_session_asks_for_a_transcript_of_the_caller_only_while_there_is_a_model_for_it() -> None:
    asked = new_session("m")["audio"]["input"]["transcription"]
    assert asked is None or asked["model"] in known_models().models
