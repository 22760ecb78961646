"""The booking system of a clinic: verifies patients, lists free slots, books. Refuses as a real one would."""

import difflib
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from voicesim.errors import UsageError, near
from voicesim.tools.clinic_state import TOOLS, Booking, ClinicState, Slot
from voicesim.tools.system import Result, ToolSystem

ALIKE = 0.7
"""Likeness from which a name is taken for a patient's whose date of birth is right."""


class Clinic:
    """One call's own copy. Every result is a JSON object with `ok`; where that is false, `error` says why."""

    def __init__(self, state: Mapping[str, Any]) -> None:
        """Raises UsageError for a state that is none."""
        try:
            given = ClinicState.model_validate(state)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            raise UsageError(f"the clinic's state is wrong: {place}: {first['msg']}") from error
        self._patients = {patient.id: patient for patient in given.patients}
        self._slots = {slot.id: slot for slot in given.slots}
        self._bookings = list(given.bookings)
        self._tools: dict[str, Callable[..., Result]] = {
            "verify_patient": self._verify,
            "list_slots": self._list,
            "book": self._book,
        }

    @property
    def state(self) -> dict[str, Any]:
        """What is in the system now, as plain data in the form of the case."""
        now = ClinicState(
            patients=tuple(self._patients.values()),
            slots=tuple(self._slots.values()),
            bookings=tuple(self._bookings),
        )
        return now.model_dump(mode="json")

    def call(self, name: str, arguments: Mapping[str, Any]) -> Result:
        """Do what a tool does. The same calls in the same order give the same results."""
        if name not in self._tools:
            return _refused(f"there is no tool {name!r}.{near(name, self._tools)}")
        wrong = _misfit(name, arguments)
        return _refused(wrong) if wrong else self._tools[name](**arguments)

    def _verify(self, name: str, date_of_birth: str) -> Result:
        born = [patient for patient in self._patients.values() if patient.date_of_birth == date_of_birth.strip()]
        for patient in sorted(born, key=lambda patient: _likeness(patient.name, name), reverse=True):
            if _likeness(patient.name, name) >= ALIKE:
                return {"ok": True, "patient_id": patient.id, "name": patient.name}
        return _refused("no patient has this name and date of birth (YYYY-MM-DD)")

    def _list(self, day: str = "") -> Result:
        free = [slot for slot in self._slots.values() if slot.free and _same(day) in ("", _same(slot.day))]
        return {"ok": True, "slots": [_shown(slot) for slot in free]}

    def _book(self, patient_id: str, slot_id: str, reason: str = "") -> Result:
        if patient_id not in self._patients:
            return _refused(f"there is no patient with the id {patient_id!r}")
        slot = self._slots.get(slot_id)
        if slot is None:
            return _refused(f"there is no slot with the id {slot_id!r}")
        if not slot.free:
            return _refused(f"the slot {slot_id!r} is taken")
        self._slots[slot_id] = slot.model_copy(update={"free": False})
        self._bookings.append(Booking(patient_id=patient_id, slot_id=slot_id, reason=reason))
        return {"ok": True, "booking": {"patient_id": patient_id, **_shown(slot), "reason": reason}}


def _likeness(name: str, given: str) -> float:
    """How much two names are alike, 0 to 1: names come over the telephone, their spelling does not."""
    return difflib.SequenceMatcher(None, _same(name), _same(given), autojunk=False).ratio()


def _misfit(name: str, arguments: Mapping[str, Any]) -> str:
    """What is wrong with the arguments by the tool's own schema; empty when nothing is."""
    schema = next(tool.parameters for tool in TOOLS if tool.name == name)
    for key, value in arguments.items():
        if key not in schema["properties"]:
            return f"{name} has no argument {key!r}.{near(key, schema['properties'])}"
        if not isinstance(value, str):
            return f"the argument {key!r} must be text"
    missing = [key for key in schema["required"] if not str(arguments.get(key, "")).strip()]
    return f"{name} needs {' and '.join(missing)}" if missing else ""


def _shown(slot: Slot) -> dict[str, str]:
    return {"slot_id": slot.id, "day": slot.day, "time": slot.time, "doctor": slot.doctor}


def _same(text: str) -> str:
    return " ".join(text.split()).casefold()


def _refused(why: str) -> Result:
    return {"ok": False, "error": why}


SYSTEM = ToolSystem("clinic", TOOLS, ClinicState, Clinic)
