"""Requests for a response: one at a time, made again when the server was busy, and only then."""

from collections.abc import Mapping
from typing import Any

import pytest
from inboxes import Playing

from voicesim.catalog.find import Catalogue
from voicesim.recording.events import Warning_
from voicesim.tools.dispatcher import make_dispatcher
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.openai_client import RealtimeClient
from voicesim.transports.openai_requests import REFUSALS

BUSY = (
    "Conversation already has an active response in progress: r2. Wait until the response is finished before creating "
    "a new one."
)


class Session:
    """A session with the clinic's tools on a clock set by hand; `creates` are the call seconds of requests."""

    def __init__(self) -> None:
        self.box = Playing()
        self.sent: list[tuple[float, Mapping[str, Any]]] = []
        self.client = RealtimeClient(
            BoundedInbox(self.box),
            lambda event: self.sent.append((self.box.time, event)),
            make_dispatcher(Catalogue.here().case("clinic-01-dizzy-booking")),
            manual=False,
            interrupt=lambda: None,
        )

    def at(self, time: float, kind: str, **fields: Any) -> None:
        self.box.time = time
        self.client.take({"type": kind, **fields})

    def created(self, time: float, response: str) -> None:
        self.at(time, "response.created", response={"id": response})

    def done(self, time: float, response: str, status: str = "completed", **more: Any) -> None:
        self.at(time, "response.done", response={"id": response, "status": status, **more})

    def calls(self, time: float, *names: str) -> None:
        """Response r1 calls tools."""
        self.created(time, "r1")
        for number, name in enumerate(names):
            item = {"type": "function_call", "id": f"f{number}", "call_id": f"c{number}", "name": name}
            self.at(time, "response.output_item.done", response_id="r1", item={**item, "arguments": "{}"})
        self.done(time, "r1")

    def refuse(self, time: float, **error: Any) -> None:
        self.at(time, "error", error={"type": "invalid_request_error", **error})

    def busy(self, time: float) -> None:
        code = "conversation_already_has_active_response"
        self.refuse(time, code=code, message=BUSY, event_id=self.last_request)

    @property
    def last_request(self) -> str:
        return str([event["event_id"] for _, event in self.sent if event["type"] == "response.create"][-1])

    @property
    def creates(self) -> list[float]:
        return [time for time, event in self.sent if event["type"] == "response.create"]

    @property
    def warnings(self) -> list[str]:
        return [event.message for event in self.box.events if isinstance(event, Warning_)]


@pytest.fixture
async def session() -> Session:
    session = Session()
    session.calls(3.0, "list_slots")
    return session


async def test_a_refused_request_is_made_again_when_the_active_response_is_done(session: Session) -> None:
    session.busy(3.05)
    session.done(5.0, "r2")
    session.created(5.1, "r3")
    session.done(7.0, "r3")
    assert session.creates == [3.0, 5.0]
    assert session.warnings == []


async def test_it_may_be_refused_twice(session: Session) -> None:
    session.busy(3.05)
    session.done(4.0, "r2")
    session.busy(4.05)
    session.done(6.0, "r3")
    session.created(6.1, "r4")
    session.done(8.0, "r4")
    assert session.creates == [3.0, 4.0, 6.0]
    assert session.warnings == []


async def test_a_refusal_without_a_code_is_known_by_its_words(session: Session) -> None:
    session.refuse(3.05, code=None, event_id=None, message="Conversation already has an active response")
    session.done(5.0, "r2")
    assert session.creates == [3.0, 5.0]
    assert session.warnings == []


@pytest.mark.parametrize("status", ["cancelled", "failed"])
async def test_one_request_follows_a_response_that_did_not_come_to_its_end(session: Session, status: str) -> None:
    session.busy(3.05)
    session.done(4.0, "r2", status, status_details={"error": {"message": "Overloaded."}})
    session.created(4.1, "r3")
    session.done(5.0, "r3", "failed", status_details={"error": {"message": "Overloaded."}})
    assert session.creates == [3.0, 4.0]
    assert session.warnings == ["a response of the agent failed: Overloaded."]


async def test_while_a_response_is_active_nothing_is_asked_for() -> None:
    session = Session()
    session.created(2.5, "r2")
    session.calls(3.0, "list_slots", "list_slots")
    assert session.creates == []
    session.done(5.0, "r2")
    assert session.creates == [5.0]
    outputs = [time for time, event in session.sent if event["type"] == "conversation.item.create"]
    assert outputs == [3.0, 3.0]


async def test_another_refusal_is_told_and_not_repeated(session: Session) -> None:
    session.refuse(3.05, code="invalid_value", message="No such voice.", event_id=session.last_request)
    session.done(5.0, "r2")
    assert session.creates == [3.0]
    assert session.warnings == ["the agent reports an error: No such voice. (invalid_value)"]


async def test_an_error_about_something_else_repeats_nothing(session: Session) -> None:
    session.refuse(3.05, code="invalid_value", message="Audio content is shorter.", event_id="truncate-1")
    session.created(3.1, "r2")
    session.done(5.0, "r2")
    assert session.creates == [3.0]


async def test_a_server_that_is_always_busy_is_not_asked_for_ever(session: Session) -> None:
    for second in range(4, 40):
        session.busy(float(second))
        session.done(second + 0.5, f"r{second}")
    assert len(session.creates) == REFUSALS
