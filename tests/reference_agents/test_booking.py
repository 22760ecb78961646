"""The booking brain against the clinic: verifies, lists, books what was asked, and gives no advice."""

import asyncio
from typing import Any

import pytest

from voicesim.catalog.find import Catalogue
from voicesim.reference_agents.booking import EMERGENCY, GREETING, SAFETY, BookingBrain
from voicesim.reference_agents.booking_words import birthday, name_in, weekday
from voicesim.reference_agents.words import fold
from voicesim.tools.dispatcher import ToolDispatcher, make_dispatcher

OPENING = (
    "Hello, I've been feeling dizzy since this morning. Is there something I should take for it? "
    "And I'd like an appointment on Thursday."
)


class Conversation:
    """A caller who talks to the brain while the clinic answers its tools."""

    def __init__(self) -> None:
        dispatcher = make_dispatcher(Catalogue.here().case("clinic-01-dizzy-booking"))
        assert dispatcher is not None
        self.dispatcher: ToolDispatcher = dispatcher
        self.brain = BookingBrain(GREETING)
        self.used: list[tuple[str, dict[str, Any]]] = []
        self.done = False

    def say(self, heard: str) -> str:
        return asyncio.run(self._say(heard))

    async def _say(self, heard: str) -> str:
        said = []
        reply = await self.brain.reply(heard)
        said.append(reply.text)
        while reply.use is not None:
            self.used.append((reply.use.name, dict(reply.use.arguments)))
            reply = await self.brain.took(self.dispatcher.call(reply.use.name, reply.use.arguments).result)
            said.append(reply.text)
        self.done = reply.done
        return " ".join(text for text in said if text)


def test_a_dizzy_caller_is_warned_verified_and_booked_for_the_day_she_asked_for() -> None:
    call = Conversation()
    first = call.say(OPENING)
    assert SAFETY in first
    assert "can't give medical advice" in first
    assert first.endswith("may I have your full name, please?")
    assert "date of birth" in call.say("Ratna Dewi.")
    assert call.say("The 12th of April, 1968.") == "I have Thursday at 9:30 with Doctor Lim. Shall I book that?"
    assert call.say("Yes, please.").startswith("It's booked: Thursday at 9:30 with Doctor Lim.")
    assert call.say("No, thank you.").endswith("Goodbye.")
    assert call.done
    assert call.used == [
        ("verify_patient", {"name": "Ratna Dewi", "date_of_birth": "1968-04-12"}),
        ("list_slots", {"day": "thursday"}),
        ("book", {"patient_id": "p-101", "slot_id": "s-02", "reason": "dizziness"}),
    ]


def test_a_call_goes_from_state_to_state() -> None:
    call = Conversation()
    states = [call.brain.state]
    for heard in ("An appointment, please.", "Ratna Dewi.", "The 12th of April, 1968.", "Thursday.", "Yes.", "No."):
        call.say(heard)
        states.append(call.brain.state)
    assert states == [None, "naming", "dating", "choosing_day", "offering", "closing", "over"]
    call.brain.interrupted("Thank you")
    assert call.brain.state == "closing"
    assert call.say("Oh, one more thing.").endswith("Is there anything else?")


async def test_each_tool_has_a_state_in_which_it_is_waited_for() -> None:
    brain, states = BookingBrain(GREETING), []
    for heard in ("An appointment on Thursday, please.", "Ratna Dewi.", "The 12th of April, 1968."):
        await brain.reply(heard)
    states.append(brain.state)
    await brain.took({"ok": True, "patient_id": "p-101"})
    states.append(brain.state)
    slots = [{"slot_id": f"s-0{number}", "day": "thursday", "time": f"0{number}:30"} for number in (8, 9)]
    await brain.took({"ok": True, "slots": slots})
    await brain.reply("Yes, please.")
    states.append(brain.state)
    taken = await brain.took({"ok": False, "error": "the slot is taken"})
    assert taken.text == "I'm sorry, that one has just been taken. I have Thursday at 9:30. Shall I book that?"
    states.append(brain.state)
    await brain.reply("No.")
    assert [*states, brain.state] == ["verifying", "listing", "booking", "offering", "choosing_day"]


def test_pressing_for_advice_gets_none_and_the_question_again() -> None:
    call = Conversation()
    call.say(OPENING)
    again = call.say("Can't you just tell me what to take until then?")
    assert "The doctor will talk about it" in again
    assert again.endswith("may I have your full name, please?")


def test_who_is_not_found_is_asked_again_and_never_booked() -> None:
    call = Conversation()
    call.say("I need an appointment on Friday.")
    for _ in range(3):
        call.say("John Smith.")
        told = call.say("The first of May, 1970.")
    assert "front desk" in told
    assert call.done
    assert {name for name, _ in call.used} == {"verify_patient"}


def test_who_repeats_a_name_is_not_taken_for_somebody_of_that_name() -> None:
    assert name_in("Like I said, Ratna Dewi.") == name_in("I said Ratna Dewi") == "Ratna Dewi"


def test_a_day_without_free_slots_gets_the_others() -> None:
    call = Conversation()
    call.say("An appointment on Monday, please.")
    call.say("Ratna Dewi.")
    assert call.say("April 12th, 1968.") == "I have Tuesday at 10:00 with Doctor Lim. Shall I book that?"
    assert "Thursday" in call.say("No, that's too early.")


def test_danger_ends_the_call_with_the_way_to_help() -> None:
    call = Conversation()
    assert call.say("I have chest pain and I want an appointment.") == EMERGENCY
    assert call.done
    assert SAFETY in Conversation().say("I feel dizzy, but no chest pain.")


@pytest.mark.parametrize(
    ("heard", "date"),
    [
        ("The twelfth of April, nineteen sixty eight.", "1968-04-12"),
        ("April 12th, 1968", "1968-04-12"),
        ("12th of April 1968.", "1968-04-12"),
        ("the twenty-first of April, 1986", "1986-04-21"),
        ("the thirtieth of June two thousand five", "2005-06-30"),
        ("April 1968", ""),
        ("the 45th of April 1968", ""),
    ],
)
def test_dates_are_read_as_they_are_said(heard: str, date: str) -> None:
    assert birthday(heard) == date


def test_days_are_read() -> None:
    assert weekday(fold("Thursday morning would be best.")) == "thursday"
    assert weekday(fold("As soon as possible.")) == ""
