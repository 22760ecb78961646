"""Whatever an agent tells is bounded in size, depth and rate, and carries no key into the recording."""

from typing import Any, Literal

import numpy as np
import pytest

from voicesim.lines.bounded import BURST, EVENT_LIMIT, TEXT_LIMIT, Bounded
from voicesim.recording.events import AgentSaid, Event, ToolResult, Usage, Warning_
from voicesim.redact import REMOVED
from voicesim.sound import Pcm


class Box:
    """An inbox with a clock that is set by hand."""

    def __init__(self) -> None:
        self.time = 0.0
        self.events: list[Event] = []
        self.sound = 0
        self.over = ""

    def now(self) -> float:
        return self.time

    def audio(self, pcm: Pcm, media: float | None = None) -> None:
        self.sound += len(pcm)

    def flush(self) -> None:
        self.sound = 0

    def event(self, event: Event) -> None:
        self.events.append(event)

    def ended(self, by: Literal["agent", "line", "harness"], detail: str) -> None:
        self.over = detail


def said(text: str) -> AgentSaid:
    return AgentSaid(t=0.0, text=text)


def test_what_is_small_and_slow_passes_untouched() -> None:
    box = Box()
    inbox = Bounded(box)
    event = ToolResult(t=1.0, call_id="1", result={"ok": True, "slots": [{"day": "friday"}]})
    inbox.event(event)
    inbox.audio(np.zeros(480, np.int16), 0.0)
    assert box.events == [event]
    assert box.sound == 480


def test_a_long_text_is_cut_and_a_huge_event_dropped_with_one_warning() -> None:
    box = Box()
    inbox = Bounded(box)
    inbox.event(said("a" * 1_000_000))
    for _ in range(3):
        inbox.event(Usage(t=0.0, response_id="r", usage={str(n): n for n in range(EVENT_LIMIT)}))
    assert isinstance(box.events[0], AgentSaid)
    assert len(box.events[0].text) == TEXT_LIMIT
    assert [type(event) for event in box.events[1:]] == [Warning_]


def test_a_flood_is_cut_off_and_the_allowance_comes_back() -> None:
    box = Box()
    inbox = Bounded(box)
    for _ in range(10_000):
        inbox.event(said("x"))
    assert len(box.events) == BURST + 1  # and one warning
    box.time = 1.0
    for _ in range(10_000):
        inbox.event(said("y"))
    # Fifty events a second come back; the warning is not repeated.
    assert len(box.events) == BURST + 1 + 50


def test_deep_nesting_is_cut() -> None:
    nested: Any = "bottom"
    for _ in range(500):
        nested = {"in": nested}
    box = Box()
    Bounded(box).event(ToolResult(t=0.0, call_id="1", result=nested))
    assert "bottom" not in box.events[0].model_dump_json()


def test_keys_are_removed_from_events_and_from_the_reason_of_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "my-very-secret-key")
    box = Box()
    inbox = Bounded(box)
    inbox.event(said("your key is my-very-secret-key"))
    inbox.event(ToolResult(t=0.0, call_id="1", result={"my-very-secret-key": ["sk-abcdefghijklmnop"]}))
    inbox.ended("line", "refused my-very-secret-key")
    text = "".join(event.model_dump_json() for event in box.events) + box.over
    assert "my-very-secret-key" not in text
    assert "sk-abc" not in text
    assert text.count(REMOVED) == 4
