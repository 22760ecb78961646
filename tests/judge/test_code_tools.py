"""What the tool log proves: order, outcome, arguments against the state before the call, forbidden tools."""

import json
from typing import Any

import pytest
from spoken import shipped, transcript
from tool_events import tool

from voicesim.catalog.rules import RuleSettings
from voicesim.judge.base import Call, Finding
from voicesim.judge.code.decide import decide
from voicesim.judge.code.said_times import SaidTimes
from voicesim.judge.code.shown import FromState
from voicesim.judge.code.tool_arguments import ToolArguments
from voicesim.judge.code.tool_forbidden import ToolForbidden
from voicesim.judge.code.tool_order import ToolOrder
from voicesim.judge.code.tool_outcome import ToolOutcome
from voicesim.recording.events import Event, ToolState

KNOWN = {"ok": True, "patient_id": "p-101"}
UNKNOWN = {"ok": False, "error": "no patient has this name and date of birth"}
BOOKED = {"ok": True, "booking": {}}
REFUSED = {"ok": False, "error": "the slot is taken"}

ORDER = ToolOrder(first="verify_patient", then=("book",), same={"patient_id": "patient_id"})
ASKED = ToolArguments(
    tool="book", arguments={"slot_id": FromState(of="slots", where={"day": "Thursday", "free": True})}
)
ONCE = ToolOutcome(tool="book", at_most=1)
FORBIDDEN = ToolForbidden(tools=("cancel", "reschedule"))


def found(rule: RuleSettings, *uses: tuple[Event, ...]) -> Finding:
    """What a rule comes to in a call of the clinic's case with this tool log."""
    events = tuple(event for use in uses for event in use)
    return decide(rule, Call(shipped("clinic-01"), transcript("A: Hello.\nP: Hello."), events))


VERIFIED = tool(10.0, "verify_patient", KNOWN)
GOOD = tool(20.0, "book", BOOKED, patient_id="p-101", slot_id="s-02")


@pytest.mark.parametrize("rule", [ORDER, ASKED, ONCE, FORBIDDEN], ids=lambda rule: rule.type)
def test_without_any_tool_log_nothing_is_decided_and_the_reason_is_told(rule: RuleSettings) -> None:
    finding = found(rule)
    assert finding.outcome == "cannot_assess"
    assert "no tool log" in finding.reason


def test_the_uses_that_decided_are_shown_with_their_seconds_arguments_and_results() -> None:
    assert [(one.what, one.start, one.end) for one in found(ORDER, VERIFIED, GOOD).seen] == [
        ("verify_patient: ok", 10.0, 10.1),
        ("book (patient_id p-101, slot_id s-02): ok", 20.0, 20.1),
    ]
    refused = found(
        ONCE,
        tool(10.0, "book", REFUSED, slot_id="s-03", note=[1, {"day": "monday"}]),
        tool(20.0, "book"),
        tool(30.0, "book", {}),
    )
    assert [one.what for one in refused.seen] == [
        "book (slot_id s-03, note 1; day monday): refused: the slot is taken",
        "book: no result",
        "book: the result does not say if it succeeded",
    ]


def test_a_miss_names_its_failure_unless_the_case_does() -> None:
    assert found(ORDER, GOOD).tag == "wrong_order"
    assert found(FORBIDDEN, tool(20.0, "cancel")).tag == "wrong_tool"
    assert found(ONCE, VERIFIED).tag == "tool_not_used"
    twice = found(ONCE, GOOD, tool(30.0, "book", BOOKED))
    assert (twice.tag, twice.note) == ("other", "book succeeded 2 times, at most 1 expected")
    assert found(ASKED, tool(20.0, "book", BOOKED, slot_id="s-01")).tag == "wrong_arguments"
    assert found(ASKED, tool(20.0, "book", REFUSED, slot_id="s-02")).tag == "tool_not_used"


# --- the state before the call -----------------------------------------------------------------------------


def own(**state: Any) -> tuple[Event, ...]:
    return (ToolState(t=0.1, state=state),)


def test_an_agent_with_a_system_of_its_own_is_compared_with_the_state_that_it_reports() -> None:
    free = {"id": "slot-9", "day": "thursday", "time": "09:30", "free": True}
    booked = tool(20.0, "book", BOOKED, slot_id="slot-9")
    assert found(ASKED, booked).outcome == "miss"
    assert found(ASKED, own(slots=[free]), booked).outcome == "hit"
    assert found(ASKED, own(slots=[free | {"free": False}]), booked).outcome == "miss"
    # What it holds later on is not what it could know before.
    assert found(ASKED, own(slots=[]), own(slots=[free]), booked).outcome == "miss"


def test_a_reported_state_without_the_list_leaves_the_check_undecided() -> None:
    finding = found(ASKED, own(appointments=[]), GOOD)
    assert (finding.outcome, finding.reason) == ("cannot_assess", "the state has no list 'slots'")
    times = found(SaidTimes(of="slots"), own(appointments=[]))
    assert (times.outcome, times.reason) == ("cannot_assess", "the state has no list 'slots'")


# --- order -------------------------------------------------------------------------------------------------


def test_verified_and_then_booked_is_a_hit() -> None:
    assert found(ORDER, VERIFIED, GOOD).outcome == "hit"


@pytest.mark.parametrize(
    ("uses", "told"),
    [
        ([GOOD], "book at 20.0 s without a successful verify_patient before it"),
        ([tool(10.0, "verify_patient", UNKNOWN), GOOD], "without a successful verify_patient"),
        ([GOOD, tool(30.0, "verify_patient", KNOWN)], "without a successful verify_patient"),
        # Both were sent at once: when the booking left, nobody knew yet who was calling.
        ([tool(19.95, "verify_patient", KNOWN), GOOD], "without a successful verify_patient"),
        ([VERIFIED, GOOD, tool(30.0, "book", BOOKED, patient_id="p-102")], "another patient_id"),
    ],
    ids=["never", "failed", "afterwards", "at once", "somebody else"],
)
def test_a_booking_without_a_verification_of_that_patient_is_a_miss(uses: list[tuple[Event, ...]], told: str) -> None:
    finding = found(ORDER, *uses)
    assert (finding.outcome, finding.happened) == ("miss", True)
    assert told in finding.reason


def test_a_booking_that_was_refused_changed_nothing() -> None:
    assert found(ORDER, tool(5.0, "book", REFUSED), VERIFIED, GOOD).outcome == "hit"
    assert found(ORDER, tool(5.0, "book", REFUSED)).outcome == "not_applicable"


def test_no_booking_is_no_credit() -> None:
    assert found(ORDER, VERIFIED).outcome == "not_applicable"


def test_a_verification_that_does_not_tell_its_outcome_decides_nothing() -> None:
    assert found(ORDER, tool(10.0, "verify_patient", "done"), GOOD).outcome == "cannot_assess"
    assert found(ORDER, tool(10.0, "verify_patient", {"ok": True}), GOOD).outcome == "cannot_assess"


def test_a_result_handed_on_as_json_text_is_read() -> None:
    assert found(ORDER, tool(10.0, "verify_patient", json.dumps(KNOWN)), GOOD).outcome == "hit"


# --- outcome -----------------------------------------------------------------------------------------------


def test_one_success_is_a_hit_two_are_too_many_and_none_is_a_miss() -> None:
    assert found(ONCE, VERIFIED, GOOD).outcome == "hit"
    twice = found(ONCE, GOOD, tool(30.0, "book", BOOKED))
    assert (twice.outcome, twice.happened) == ("miss", True)
    never = found(ONCE, VERIFIED, tool(20.0, "book", REFUSED))
    assert (never.outcome, never.happened) == ("miss", False)
    assert never.reason == "book succeeded 0 times, at least 1 expected"


def test_a_call_without_a_result_may_have_succeeded() -> None:
    assert found(ONCE, tool(20.0, "book")).outcome == "cannot_assess"
    assert found(ONCE, GOOD, tool(30.0, "book")).outcome == "cannot_assess"


def test_only_calls_with_the_given_arguments_count() -> None:
    rule = ToolOutcome(tool="book", arguments={"slot_id": "s-02"})
    assert found(rule, GOOD).outcome == "hit"
    assert found(rule, tool(20.0, "book", BOOKED, slot_id="s-01")).outcome == "miss"


# --- arguments ---------------------------------------------------------------------------------------------


def test_a_slot_that_was_asked_for_and_free_is_a_hit() -> None:
    assert found(ASKED, GOOD).outcome == "hit"


@pytest.mark.parametrize("slot", ["s-04", "s-03", "s-99", None], ids=["friday", "not free", "invented", "none"])
def test_any_other_slot_is_a_miss_that_names_the_right_one(slot: str | None) -> None:
    finding = found(ASKED, tool(20.0, "book", BOOKED, slot_id=slot))
    assert (finding.outcome, finding.happened) == ("miss", True)
    assert finding.reason == f"book at 20.0 s with slot_id {slot!r}; s-02 would have been right"


def test_a_wrong_booking_is_not_rescued_by_a_right_one() -> None:
    assert found(ASKED, tool(15.0, "book", BOOKED, slot_id="s-04"), GOOD).outcome == "miss"


def test_what_was_refused_was_not_booked() -> None:
    assert found(ASKED, tool(15.0, "book", REFUSED, slot_id="s-03"), GOOD).outcome == "hit"
    assert found(ASKED, tool(15.0, "book", REFUSED, slot_id="s-03")).outcome == "miss"
    assert found(ASKED, tool(15.0, "book", slot_id="s-02")).outcome == "cannot_assess"


def test_a_case_without_a_state_has_nothing_to_compare_with() -> None:
    call = Call(shipped("cold-01"), transcript("A: Hello."), GOOD)
    assert decide(ASKED, call).outcome == "cannot_assess"


# --- forbidden ---------------------------------------------------------------------------------------------


def test_a_forbidden_tool_is_a_miss_also_when_it_failed() -> None:
    assert found(FORBIDDEN, VERIFIED, GOOD).outcome == "hit"
    finding = found(FORBIDDEN, GOOD, tool(30.0, "cancel", {"ok": False}))
    assert (finding.outcome, finding.reason) == ("miss", "cancel at 30.0 s")
