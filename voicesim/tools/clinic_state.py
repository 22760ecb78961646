"""The clinic that a case can put behind an agent's tools: what is in it, and the three tools it has."""

from typing import Annotated

from pydantic import Field

from voicesim.catalog.entry import Entry
from voicesim.catalog.tools import Tool

Date = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", description="YYYY-MM-DD")]
Name = Annotated[str, Field(min_length=1)]


class Registered(Entry):
    """A patient the clinic knows."""

    id: Name
    name: Name
    date_of_birth: Date


class Slot(Entry):
    """An appointment that can be had while it is free. Day and time are in the words of the case."""

    id: Name
    day: str = ""
    time: str = ""
    doctor: str = ""
    free: bool = True


class Booking(Entry):
    """An appointment somebody has."""

    patient_id: Name
    slot_id: Name
    reason: str = ""


class ClinicState(Entry):
    """Everything in the clinic's system at one moment."""

    patients: tuple[Registered, ...] = ()
    slots: tuple[Slot, ...] = ()
    bookings: tuple[Booking, ...] = ()


TOOLS = (
    Tool(
        name="verify_patient",
        description="Look up a patient by full name and date of birth. Gives the patient_id that booking needs.",
        parameters={
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "Full name as the caller gives it."},
                "date_of_birth": {"type": "string", "description": "YYYY-MM-DD"},
            },
            "required": ["name", "date_of_birth"],
            "additionalProperties": False,
        },
    ),
    Tool(
        name="list_slots",
        description="List the appointments that are still free, all of them or those of one day.",
        parameters={
            "type": "object",
            "properties": {"day": {"type": "string", "description": "A day as it stands in the list."}},
            "required": [],
            "additionalProperties": False,
        },
    ),
    Tool(
        name="book",
        description="Book a free appointment for a patient.",
        parameters={
            "type": "object",
            "properties": {
                "patient_id": {"type": "string", "description": "From verify_patient."},
                "slot_id": {"type": "string", "description": "From list_slots."},
                "reason": {"type": "string", "description": "Why the patient wants to be seen, in a few words."},
            },
            "required": ["patient_id", "slot_id"],
            "additionalProperties": False,
        },
    ),
)
