"""The dispatcher: which tools a case offers, and how their calls are read."""

from typing import Any

from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import Case
from voicesim.catalog.tools import Tool
from voicesim.tools.clinic import SYSTEM
from voicesim.tools.dispatcher import CALLS_LIMIT, make_dispatcher


def clinic(**changes: Any) -> Case:
    return Catalogue.here().case("clinic-01-dizzy-booking").model_copy(update=changes)


def test_a_case_with_a_backend_offers_its_tools() -> None:
    assert [tool.name for tool in SYSTEM.offered(clinic())] == ["verify_patient", "list_slots", "book"]
    cold = Catalogue.here().case("cold-01-andi")
    assert make_dispatcher(cold) is None


def test_a_case_may_offer_fewer_tools_in_its_own_words() -> None:
    (tool,) = SYSTEM.offered(clinic(tools=(Tool(name="list_slots", description="Was ist frei?"),)))
    assert tool.description == "Was ist frei?"
    assert tool.parameters["properties"]["day"]["type"] == "string"
    dispatcher = make_dispatcher(clinic(tools=(Tool(name="list_slots"),)))
    assert dispatcher is not None
    assert dispatcher.call("book", "{}").result == {"ok": False, "error": "there is no tool 'book'"}


def test_arguments_are_read_from_json_and_what_is_none_is_refused() -> None:
    dispatcher = make_dispatcher(clinic())
    assert dispatcher is not None
    answer = dispatcher.call("list_slots", '{"day": "friday"}')
    assert answer.arguments == {"day": "friday"}
    assert [slot["slot_id"] for slot in answer.result["slots"]] == ["s-04"]
    assert dispatcher.call("list_slots", "").result["ok"]  # models leave out an empty object
    for wrong in ("{", "[1]", 7):
        told = f"the arguments are no JSON object: {wrong}"
        assert dispatcher.call("list_slots", wrong).result == {"ok": False, "error": told}
    assert len(str(dispatcher.call("x" * 5000, "y" * 5000).result)) < 200
    assert len(str(dispatcher.call("x" * 5000, {}).result)) < 200


def test_an_agent_that_calls_without_end_is_stopped() -> None:
    dispatcher = make_dispatcher(clinic())
    assert dispatcher is not None
    results = [dispatcher.call("list_slots", {}).result["ok"] for _ in range(CALLS_LIMIT + 1)]
    assert results == [True] * CALLS_LIMIT + [False]


def test_each_call_has_a_desk_of_its_own() -> None:
    first, second = make_dispatcher(clinic()), make_dispatcher(clinic())
    assert first is not None
    assert second is not None
    booking = {"patient_id": "p-101", "slot_id": "s-02"}
    assert first.call("book", booking).result["ok"]
    assert second.call("book", booking).result["ok"]
    assert not first.call("book", booking).result["ok"]
