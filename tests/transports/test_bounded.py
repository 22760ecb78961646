"""Whatever an agent tells is bounded in size, depth and rate, and carries no key into the recording."""

from typing import Any

import numpy as np
import pytest
from inboxes import Playing

from voicesim.recording.events import AgentSaid, ToolCall, ToolResult, Usage, Warning_
from voicesim.recording.told import EVENT_LIMIT, TEXT_LIMIT
from voicesim.redact import REMOVED
from voicesim.transports.bounded_inbox import (
    BYTES_AT_ONCE,
    EVENTS_AT_ONCE,
    KINDS,
    MESSAGES_AT_ONCE,
    TOLD_AT_ONCE,
    BoundedInbox,
)


def said(text: str) -> AgentSaid:
    return AgentSaid(t=0.0, text=text)


def test_what_is_small_and_slow_passes_untouched() -> None:
    box = Playing()
    inbox = BoundedInbox(box)
    event = ToolResult(t=1.0, call_id="1", result={"ok": True, "slots": [{"day": "friday"}]})
    inbox.event(event)
    inbox.audio(np.zeros(480, np.int16), 0.0)
    assert box.events == [event]
    assert box.end == 480


def test_a_long_text_is_cut_and_a_huge_event_dropped_with_one_warning() -> None:
    box = Playing()
    inbox = BoundedInbox(box)
    inbox.event(said("a" * 1_000_000))
    for _ in range(3):
        inbox.event(Usage(t=0.0, response_id="r", usage={str(n): n for n in range(EVENT_LIMIT)}))
    assert isinstance(box.events[0], AgentSaid)
    assert len(box.events[0].text) == TEXT_LIMIT
    assert [type(event) for event in box.events[1:]] == [Warning_]


def test_a_flood_is_cut_off_and_the_allowance_comes_back() -> None:
    box = Playing()
    inbox = BoundedInbox(box)
    for _ in range(10_000):
        inbox.event(said("x"))
    assert len(box.events) == EVENTS_AT_ONCE + 1  # and one warning
    box.time = 1.0
    for _ in range(10_000):
        inbox.event(said("y"))
    # Fifty events a second come back; the warning is not repeated.
    assert len(box.events) == EVENTS_AT_ONCE + 1 + 50


def test_many_large_events_are_cut_off_and_that_is_told_once() -> None:
    box = Playing()
    inbox = BoundedInbox(box)
    # 8 texts of 4,000 characters would be more than one event may have.
    large = ToolResult(t=0.0, call_id="1", result=["x" * TEXT_LIMIT] * 7)
    for _ in range(100):
        inbox.event(large)
    kept = [event for event in box.events if isinstance(event, ToolResult)]
    # Each is 28,000 characters, the quotes and commas between them, and its other fields.
    assert len(kept) == TOLD_AT_ONCE // 28_100
    assert [event.message for event in box.events if isinstance(event, Warning_)] == [
        "the agent tells more than 20,000 characters a second; some events are dropped"
    ]


def test_a_flood_of_messages_ends_the_line() -> None:
    box = Playing()
    inbox = BoundedInbox(box)
    assert all(inbox.admit("{}") for _ in range(MESSAGES_AT_ONCE))
    box.time = 1.0
    assert all(inbox.admit("{}") for _ in range(1_000))  # a thousand a second come back
    assert box.over == []
    assert not inbox.admit("{}")
    assert box.over == [("line", "the agent sends more than 1,000 messages a second")]


def test_a_flood_of_bytes_ends_the_line() -> None:
    box = Playing()
    inbox = BoundedInbox(box)
    message = bytes(BYTES_AT_ONCE // 16)
    assert all(inbox.admit(message) for _ in range(16))
    assert not inbox.admit(b"x")
    assert box.over == [("line", "the agent sent far more than anybody can hear; the line was cut")]


def test_a_warning_is_told_once_whoever_gives_it_and_kinds_have_an_end() -> None:
    box = Playing()
    inbox = BoundedInbox(box)
    inbox.warn("a strange message", "first")
    inbox.warn("a strange message", "second")
    for _ in range(3):
        inbox.event(Warning_(t=0.0, message="a hidden tool"))
    assert [event.message for event in box.events if isinstance(event, Warning_)] == [
        "a strange message: first",
        "a hidden tool",
    ]
    for n in range(1_000):
        inbox.warn(f"error {n}")
    assert len(box.events) == KINDS


def test_what_cannot_be_written_is_replaced() -> None:
    box = Playing()
    BoundedInbox(box).event(said("half a pair: \ud800."))
    assert box.events == [said("half a pair: ?.")]


def test_a_key_that_no_variable_holds_is_removed_too() -> None:
    box = Playing()
    inbox = BoundedInbox(box)
    inbox.hide("open-sesame-please")
    inbox.warn("the agent reports an error", "no such key: open-sesame-please")
    inbox.event(ToolResult(t=0.0, call_id="1", result={"open-sesame-please": ["open-sesame-please"]}))
    inbox.ended("line", "closed: open-sesame-please")
    text = "".join(event.model_dump_json() for event in box.events) + box.over[0][1]
    assert "sesame" not in text
    assert text.count(REMOVED) == 4


def test_deep_nesting_is_cut() -> None:
    nested: Any = "bottom"
    for _ in range(500):
        nested = {"in": nested}
    box = Playing()
    BoundedInbox(box).event(ToolResult(t=0.0, call_id="1", result=nested))
    assert "bottom" not in box.events[0].model_dump_json()


def test_keys_are_removed_from_events_and_from_the_reason_of_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "my-very-secret-key")
    box = Playing()
    inbox = BoundedInbox(box)
    inbox.event(said("your key is my-very-secret-key"))
    inbox.event(ToolResult(t=0.0, call_id="1", result={"my-very-secret-key": ["sk-abcdefghijklmnop"]}))
    inbox.ended("line", "refused my-very-secret-key")
    text = "".join(event.model_dump_json() for event in box.events) + box.over[0][1]
    assert "my-very-secret-key" not in text
    assert "sk-abc" not in text
    assert text.count(REMOVED) == 4


async def test_an_event_of_very_many_parts_is_dropped_before_it_is_cleaned() -> None:
    inbox = Playing()
    bounded = BoundedInbox(inbox)
    many: dict[str, Any] = {f"key {number}": "x" for number in range(75_000)}
    for arguments in (many, {"deep": {"list": [0] * 75_000}}):
        bounded.event(ToolCall(t=0.0, call_id="1", name="book", arguments=arguments))
    bounded.event(ToolCall(t=0.0, call_id="2", name="book", arguments={"slot_id": "s-02"}))
    assert [event.type for event in inbox.events] == ["warning", "tool_call"]
