"""A response that the agent's server could not give: told once, in the server's words, and named by the call's end."""

from pathlib import Path
from typing import Any

import pytest
from inboxes import Playing
from rig import call
from scripted_realtime import ScriptedServer, tone

from voicesim.recording.events import Warning_
from voicesim.recording.told import TEXT_LIMIT
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.openai_events import ServerEvents

QUOTA = "You exceeded your current quota, please check your plan and billing details."
RATE = "Rate limit reached for gpt-realtime. Please try again in 7.2s."


def done(status: str, details: Any) -> dict[str, Any]:
    return {"type": "response.done", "response": {"id": "r1", "status": status, "status_details": details}}


def failed(**error: Any) -> dict[str, Any]:
    return done("failed", {"type": "failed", "error": error})


def warnings(*events: dict[str, Any], secret: str = "") -> list[str]:
    inbox = Playing()
    bounded = BoundedInbox(inbox)
    bounded.hide(secret)
    server = ServerEvents(bounded)
    for event in events:
        server.read(event, 4.0)
    return [event.message for event in inbox.events if isinstance(event, Warning_)]


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (failed(type="insufficient_quota", code="insufficient_quota", message=QUOTA), QUOTA),
        (done("incomplete", {"type": "incomplete", "reason": "content_filter"}), "content_filter"),
        (done("incomplete", {"type": "incomplete", "reason": "max_output_tokens"}), "max_output_tokens"),
        (failed(type="server_error", code=None, message="The server had an error."), "The server had an error."),
        (failed(code="model_not_found"), "model_not_found"),
        (done("failed", None), "gave no reason"),
        (done("failed", {"error": None}), "gave no reason"),
        (done("failed", "overloaded"), "gave no reason"),
        (done("incomplete", 7), "gave no reason"),
    ],
)
def test_a_failure_is_one_warning_in_the_servers_words(event: dict[str, Any], words: str) -> None:
    (warning,) = warnings(event, event, event)
    assert words in warning


def test_a_failure_that_comes_in_two_events_is_told_once() -> None:
    error = {"type": "error", "error": {"message": "Session quota used up."}}
    assert len(warnings(error, failed(message="Session quota used up."))) == 1
    assert len(warnings(error, failed(message="Another reason."))) == 2


def test_a_response_that_the_caller_interrupted_has_not_failed() -> None:
    assert warnings(done("cancelled", {"type": "cancelled", "reason": "turn_detected"}), done("completed", None)) == []


@pytest.mark.parametrize("before", [0, 100, 292, 299, 3_985, 4_190, 10_000])
def test_a_long_reason_is_cut_and_shows_no_key_wherever_the_cut_goes(before: int) -> None:
    key = "plain-words-that-are-secret"
    (warning,) = warnings(failed(message="x" * before + f" {key} " + "y" * 20_000), secret=key)
    assert len(warning) <= TEXT_LIMIT
    assert "plain-words" not in warning


async def three_failures(server: ScriptedServer) -> None:
    for turn in range(3):
        await server.at(await server.speech_end() + 0.5)
        details = {"type": "failed", "error": {"type": "rate_limit_exceeded", "message": RATE}}
        server.emit("response.done", response={"id": f"r{turn}", "status": "failed", "status_details": details})


def test_the_end_of_a_call_in_which_the_agent_stays_silent_names_the_failure(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", ScriptedServer(three_failures).line())
    assert rig.manifest.end_reason == "agent_silent"
    assert RATE in rig.manifest.end_detail
    assert [event.message for event in rig.recording.events if isinstance(event, Warning_)] == [
        f"a response of the agent failed: {RATE}"
    ]


async def one_failure(server: ScriptedServer) -> None:
    await server.at(await server.speech_end() + 0.5)
    server.emit("response.done", response={"id": "r1", "status": "failed", "status_details": None})
    await server.at(await server.speech_end() + 0.5)
    server.delta(tone(1.0), item="i2", response="r2")
    server.done("r2")


def test_a_failure_after_which_the_agent_answers_again_ends_nothing(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", ScriptedServer(one_failure).line(), heard=["Goodbye."])
    assert rig.manifest.end_reason == "completed"
    assert "failed" not in rig.manifest.end_detail
