"""Function calls of a realtime session: answered once, told as events, and the model asked to go on in time."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from voicesim.catalog.agent_file import AgentFile, Header, TurnDetection
from voicesim.catalog.find import Catalogue
from voicesim.errors import UsageError
from voicesim.recording.events import Event, ToolCall, ToolResult
from voicesim.tools.dispatcher import ToolDispatcher, make_dispatcher
from voicesim.tools.log import tool_log
from voicesim.transports.endpoint import header_values, secrets_of
from voicesim.transports.function_calls import FunctionCalls
from voicesim.transports.openai_session import INSTRUCTIONS, NO_KEY, key_for, new_session, session_update
from voicesim.transports.twilio import TwilioAgentFile, TwilioStream


def dispatcher() -> ToolDispatcher:
    made = make_dispatcher(Catalogue.here().case("clinic-01-dizzy-booking"))
    assert made is not None
    return made


def call(name: str = "list_slots", arguments: str = '{"day": "friday"}', **more: Any) -> dict[str, Any]:
    item = {"type": "function_call", "call_id": "c1", "name": name, "arguments": arguments, **more}
    return {"type": "response.output_item.done", "response_id": "r1", "item": item}


def done(status: str = "completed", output: Any = ()) -> dict[str, Any]:
    return {"type": "response.done", "response": {"id": "r1", "status": status, "output": list(output)}}


def test_a_call_is_answered_at_once_and_the_model_goes_on_when_its_response_is_done() -> None:
    calls = FunctionCalls(dispatcher())
    first = calls.take(call(), 4.0)
    slots = [{"slot_id": "s-04", "day": "friday", "time": "14:30", "doctor": "Dr. Hart"}]
    assert first.events == [
        ToolCall(t=4.0, call_id="c1", name="list_slots", arguments={"day": "friday"}),
        ToolResult(t=4.0, call_id="c1", result={"ok": True, "slots": slots}),
    ]
    (message,) = first.messages
    assert message["type"] == "conversation.item.create"
    assert (message["item"]["type"], message["item"]["call_id"]) == ("function_call_output", "c1")
    assert json.loads(message["item"]["output"]) == {"ok": True, "slots": slots}
    assert calls.take(done(), 4.1).goes_on


def test_a_call_that_is_told_three_times_is_made_once() -> None:
    calls = FunctionCalls(dispatcher())
    booking = json.dumps({"patient_id": "p-101", "slot_id": "s-02"})
    arguments = {"type": "response.function_call_arguments.done", "response_id": "r1", "call_id": "c1"}
    events = calls.take({**arguments, "name": "book", "arguments": booking}, 1.0).events
    events += calls.take(call("book", booking), 1.0).events
    reaction = calls.take(done(output=[call("book", booking)["item"]]), 1.1)
    assert [event.type for event in events] == ["tool_call", "tool_result"]
    assert isinstance(events[1], ToolResult)
    assert events[1].result["ok"]
    assert reaction.events == []
    assert (reaction.messages, reaction.goes_on) == ([], True)


def test_a_call_that_only_the_end_of_the_response_tells_is_answered_before_the_model_goes_on() -> None:
    reaction = FunctionCalls(dispatcher()).take(done(output=[call()["item"]]), 1.0)
    assert ([message["type"] for message in reaction.messages], reaction.goes_on) == (
        ["conversation.item.create"],
        True,
    )


def test_after_an_interruption_the_model_is_not_asked_to_go_on() -> None:
    calls = FunctionCalls(dispatcher())
    calls.take(call(), 1.0)
    assert calls.take(done("cancelled"), 1.1).messages == []
    assert FunctionCalls(dispatcher()).take(call(status="incomplete"), 1.0).events == []


def test_bad_arguments_are_answered_with_the_reason() -> None:
    reaction = FunctionCalls(dispatcher()).take(call(arguments='{"day": '), 1.0)
    assert isinstance(reaction.events[1], ToolResult)
    assert reaction.events[1].result == {"ok": False, "error": 'the arguments are no JSON object: {"day": '}


def test_calls_that_somebody_else_answers_are_told() -> None:
    calls = FunctionCalls(None)
    assert [event.type for event in calls.take(call(), 1.0).events] == ["tool_call"]
    output = {"type": "function_call_output", "call_id": "c1", "output": '{"ok": true}'}
    other = calls.take({"type": "conversation.item.done", "item": output}, 1.5)
    assert other.events == [ToolResult(t=1.5, call_id="c1", result={"ok": True})]
    assert (other.messages, calls.take(done(), 2.0).messages) == ([], [])


def test_what_is_no_call_leads_to_nothing() -> None:
    calls = FunctionCalls(dispatcher())
    for event in ({}, {"type": "response.output_item.done", "item": 3}, {"type": "response.done", "response": None}):
        assert calls.take(event, 0.0).events == []


def test_the_session_has_what_the_agent_file_says_and_the_tools_of_the_case() -> None:
    detection = TurnDetection(type="semantic_vad", eagerness="low")
    settings = AgentFile(agent="openai:m", instructions="Book.", voice="marin", turn_detection=detection)
    session = new_session("m", settings, dispatcher().tools)
    assert (session["type"], session["instructions"]) == ("realtime", "Book.")
    assert session["audio"]["output"] == {"voice": "marin"}
    assert session["audio"]["input"]["turn_detection"] == {"type": "semantic_vad", "eagerness": "low"}
    assert [tool["name"] for tool in session["tools"]] == ["verify_patient", "list_slots", "book"]
    assert session["tools"][0]["type"] == "function"


def test_a_bare_string_gets_a_nurse_with_server_vad_and_no_tools() -> None:
    session = new_session("m", AgentFile(agent="openai:m"))
    assert session["instructions"] == INSTRUCTIONS
    assert session["audio"]["input"]["turn_detection"] == {"type": "server_vad"}
    assert "tools" not in session
    off = AgentFile(agent="openai:m", turn_detection=TurnDetection(type="none"))
    assert new_session("m", off)["audio"]["input"]["turn_detection"] is None


def test_headers_and_keys_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_TOKEN", "abc")
    headers = {"Authorization": Header(env="MY_TOKEN", prefix="Bearer "), "X-Team": Header(value="blue")}
    assert header_values(headers, "mine") == {"Authorization": "Bearer abc", "X-Team": "blue"}
    settings = AgentFile(agent="openai:m", key_env="MY_TOKEN")
    assert key_for("mine", None, settings) == "abc"
    monkeypatch.delenv("MY_TOKEN")
    with pytest.raises(UsageError, match="MY_TOKEN"):
        header_values(headers, "mine")
    with pytest.raises(UsageError, match="MY_TOKEN"):
        key_for("mine", None, settings)


@pytest.mark.parametrize(
    ("base_url", "key"),
    [
        ("", "sk-mine"),
        ("https://api.openai.com/v1", "sk-mine"),
        ("https://eu.api.openai.com/v1", "sk-mine"),
        ("https://proxy.example:8443/v1", "sk-mine"),  # OPENAI_BASE_URL is there
        ("https://proxy.example/v1", NO_KEY),
        ("http://proxy.example:8443/v1", NO_KEY),
        ("http://api.openai.com/v1", NO_KEY),
        ("https://api.openai.com.evil.example/v1", NO_KEY),
        ("http://localhost:8080/v1", NO_KEY),
    ],
)
def test_openais_key_goes_to_openai_and_to_the_server_of_the_environment_only(
    monkeypatch: pytest.MonkeyPatch, base_url: str, key: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://proxy.example:8443/v1")
    assert key_for("mine", None, AgentFile(agent="openai:m", base_url=base_url)) == key
    named = AgentFile(agent="openai:m", base_url=base_url, key_env="OPENAI_API_KEY")
    assert key_for("mine", None, named) == "sk-mine"


def test_an_address_with_a_user_in_it_is_refused() -> None:
    with pytest.raises(ValidationError, match="must have no user, password or query"):
        AgentFile(agent="openai:m", base_url="https://evil-api.openai.com@evil.example/v1")


def test_no_value_that_a_file_takes_from_the_environment_may_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY_OF_MINE", "first")
    monkeypatch.setenv("TENANT", "second")
    monkeypatch.setenv("PIN", "third")
    settings = TwilioAgentFile(
        agent="twilio:ws://localhost:1",
        key_env="KEY_OF_MINE",
        headers={"X-Tenant": Header(env="TENANT"), "X-Other": Header(env="NOT_SET"), "X-Plain": Header(value="blue")},
        twilio=TwilioStream(parameters={"pin": Header(env="PIN")}),
    )
    assert set(secrets_of(settings)) == {"first", "second", "third"}


def test_over_a_websocket_the_session_has_the_same_and_the_sounds_format() -> None:
    settings = AgentFile(agent="openai+ws:m", instructions="Book.", voice="marin")
    session = session_update("key", "audio/pcmu", settings, dispatcher().tools)
    wire = {"type": "audio/pcmu"}
    assert "model" not in session
    assert session["audio"]["output"] == {"voice": "marin", "format": wire}
    assert session["audio"]["input"]["format"] == wire
    assert session["instructions"] == "Book."
    assert len(session["tools"]) == 3
    # Whoever made the client secret has configured its session.
    secret = session_update("ek_abc", "audio/pcmu", settings, dispatcher().tools)
    assert secret == {"type": "realtime", "audio": {"input": {"format": wire}, "output": {"format": wire}}}


def booking(slot: str, **more: Any) -> dict[str, Any]:
    arguments = json.dumps({"patient_id": "p-101", "slot_id": slot})
    return {"type": "function_call", "status": "completed", "name": "book", "arguments": arguments, **more}


def called(response: str, *items: dict[str, Any], status: str = "completed") -> list[dict[str, Any]]:
    """What a server sends of a response: each item, told three times, and the end of the response."""
    events: list[dict[str, Any]] = []
    for item in items:
        told = {"type": "response.function_call_arguments.done", "response_id": response, "item_id": item["id"]}
        events.append(told | {name: item[name] for name in ("call_id", "name", "arguments")})
        events.append({"type": "response.output_item.done", "response_id": response, "item": item})
    body = {"id": response, "status": status, "output": list(items)}
    return [*events, {"type": "response.done", "response": body}]


class Session:
    """What became of the events of a session with the clinic: outputs, requests to go on, and the log."""

    def __init__(self, *events: dict[str, Any]) -> None:
        calls = FunctionCalls(dispatcher())
        reactions = [calls.take(event, float(number)) for number, event in enumerate(events)]
        messages = [message for reaction in reactions for message in reaction.messages]
        self.order = [
            kind
            for reaction in reactions
            for kind in (*(message["type"] for message in reaction.messages), *["response.create"] * reaction.goes_on)
        ]
        self.outputs = [json.loads(message["item"]["output"]) for message in messages if "item" in message]
        self.log = tool_log([event for reaction in reactions for event in reaction.events]) or ()

    @property
    def creates(self) -> int:
        return self.order.count("response.create")


@pytest.mark.parametrize("call_id", ["call_1", ""])
@pytest.mark.parametrize("response", [True, False])
def test_a_server_that_uses_one_call_id_for_all_is_answered_and_logged_every_time(call_id: str, response: bool) -> None:
    verify = {"name": "Ratna Dewi", "date_of_birth": "1968-04-12"}
    items = [
        {**call()["item"], "id": "i1"},
        {**call("verify_patient", json.dumps(verify))["item"], "id": "i2"},
        booking("s-02", id="i3"),
    ]
    events = [
        event
        for n, item in enumerate(items)
        for event in called(f"r{n}" if response else "", item | {"call_id": call_id})
    ]
    session = Session(*events, *called("r4", status="failed"))
    assert [use.name for use in session.log] == ["list_slots", "verify_patient", "book"]
    assert [use.ok for use in session.log] == [True, True, True]
    assert (len(session.outputs), session.creates) == (3, 3)


def test_one_item_id_for_every_response_is_no_repetition() -> None:
    first, second = booking("s-03", id="item_0", call_id="0"), booking("s-02", id="item_0", call_id="0")
    session = Session(*called("r1", first), *called("r2", second))
    assert [output["ok"] for output in session.outputs] == [False, True]
    assert [use.ok for use in session.log] == [False, True]


def test_two_calls_of_one_response_are_both_answered_before_the_model_goes_on() -> None:
    items = [{**call()["item"], "id": "i1", "call_id": "call_1"}, booking("s-02", id="i2", call_id="call_1")]
    session = Session(*called("r1", *items))
    assert session.order == ["conversation.item.create", "conversation.item.create", "response.create"]
    assert [(use.name, use.ok) for use in session.log] == [("list_slots", True), ("book", True)]


def test_after_a_failed_response_nothing_is_asked_for_and_the_next_is_as_ever() -> None:
    session = Session(*called("r1", status="failed"), *called("r2", booking("s-02", id="i1", call_id="call_1")))
    assert (len(session.outputs), session.creates) == (1, 1)


def test_a_call_that_was_cut_off_is_not_made_and_its_id_is_free() -> None:
    cut = booking("s-02", id="i1", call_id="call_1") | {"status": "incomplete", "arguments": '{"slot_id": "s-'}
    first = {"type": "response.done", "response": {"id": "r1", "status": "cancelled", "output": [cut]}}
    session = Session(first, *called("r2", booking("s-02", id="i1", call_id="call_1")))
    assert [use.ok for use in session.log] == [True]
    assert session.creates == 1


def test_the_same_call_in_another_response_is_made_again() -> None:
    item = booking("s-02", id="i1", call_id="call_1")
    session = Session(*called("r1", item), *called("r2", item))
    assert [output["ok"] for output in session.outputs] == [True, False]
    assert [use.ok for use in session.log] == [True, False]


def test_results_that_somebody_else_gives_under_one_id_belong_to_their_calls() -> None:
    calls = FunctionCalls(None)
    events: list[Event] = []
    for response, ok in (("r1", False), ("r2", True)):
        output = {"type": "function_call_output", "call_id": "1", "output": json.dumps({"ok": ok})}
        answered = {"type": "conversation.item.done", "item": output}
        for event in [*called(response, booking("s-02", id="i", call_id="1")), answered, answered]:
            events += calls.take(event, float(len(events))).events
    assert [use.ok for use in tool_log(events) or ()] == [False, True]
