"""The clinic behind the tools: what it gives, what it refuses, and that every call starts afresh."""

from typing import Any

import pytest

from voicesim.errors import UsageError
from voicesim.tools.clinic import Clinic

STATE: dict[str, Any] = {
    "patients": [
        {"id": "p-101", "name": "Ratna Dewi", "date_of_birth": "1968-04-12"},
        {"id": "p-102", "name": "Ratna Devi", "date_of_birth": "1986-04-21"},
    ],
    "slots": [
        {"id": "s-01", "day": "tuesday", "time": "10:00", "doctor": "Dr. Lim", "free": True},
        {"id": "s-02", "day": "thursday", "time": "09:30", "doctor": "Dr. Lim", "free": True},
        {"id": "s-03", "day": "thursday", "time": "11:00", "doctor": "Dr. Hart", "free": False},
    ],
    "bookings": [],
}


def test_a_patient_is_found_by_name_and_date_of_birth() -> None:
    clinic = Clinic(STATE)
    found = clinic.call("verify_patient", {"name": " ratna  DEWI", "date_of_birth": "1968-04-12"})
    assert found == {"ok": True, "patient_id": "p-101", "name": "Ratna Dewi"}


def test_a_name_heard_a_little_wrong_is_found_by_its_date_of_birth() -> None:
    clinic = Clinic(STATE)
    for heard in ("Ratna Dewey", "Retina Dewey"):
        assert clinic.call("verify_patient", {"name": heard, "date_of_birth": "1968-04-12"})["ok"]
    # The other patient's day of birth is another person's, however alike the names are.
    assert clinic.call("verify_patient", {"name": "Ratna Devi", "date_of_birth": "1986-04-21"})["patient_id"] == "p-102"
    assert not clinic.call("verify_patient", {"name": "Andi Susanto", "date_of_birth": "1968-04-12"})["ok"]


def test_free_slots_are_listed_and_a_booking_takes_one() -> None:
    clinic = Clinic(STATE)
    slot = {"slot_id": "s-02", "day": "thursday", "time": "09:30", "doctor": "Dr. Lim"}
    assert clinic.call("list_slots", {"day": "Thursday"}) == {"ok": True, "slots": [slot]}
    assert len(clinic.call("list_slots", {})["slots"]) == 2
    booked = clinic.call("book", {"patient_id": "p-101", "slot_id": "s-02", "reason": "dizzy"})
    assert booked == {"ok": True, "booking": {"patient_id": "p-101", **slot, "reason": "dizzy"}}
    assert clinic.call("list_slots", {"day": "thursday"})["slots"] == []
    assert clinic.state["bookings"] == [{"patient_id": "p-101", "slot_id": "s-02", "reason": "dizzy"}]
    assert Clinic(STATE).state["bookings"] == []  # the next call begins with what the case says


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("verify_patient", {"name": "Ratna Dewi", "date_of_birth": "12 April 1968"}, "no patient has this"),
        ("verify_patient", {"name": "Ratna Dewi"}, "needs date_of_birth"),
        ("verify_patient", {"name": "Ratna Dewi", "dob": "1968-04-12"}, "no argument 'dob'"),
        ("book", {"patient_id": "p-999", "slot_id": "s-02"}, "no patient with the id 'p-999'"),
        ("book", {"patient_id": "p-101", "slot_id": "s-99"}, "no slot with the id 's-99'"),
        ("book", {"patient_id": "p-101", "slot_id": "s-03"}, "is taken"),
        ("book", {"patient_id": 101, "slot_id": "s-02"}, "must be text"),
        ("boook", {}, "Did you mean book?"),
    ],
)
def test_wrong_input_is_refused_with_the_reason(tool: str, arguments: dict[str, Any], told: str) -> None:
    clinic = Clinic(STATE)
    result = clinic.call(tool, arguments)
    assert result["ok"] is False
    assert told in result["error"]
    assert clinic.state == Clinic(STATE).state


def test_a_state_that_is_none_is_told_with_its_place() -> None:
    with pytest.raises(UsageError, match=r"patients\.0\.date_of_birth"):
        Clinic({"patients": [{"id": "p", "name": "A", "date_of_birth": "yesterday"}]})
