"""The booking brain: a clinic's receptionist who gives no medical advice, verifies, and books what was asked.

It is in one of these states, and what is known so far decides which comes next:

- `naming`: it has asked for the caller's name;
- `dating`: it has asked for the date of birth;
- `verifying`: it waits for `verify_patient`;
- `choosing_day`: it has asked which day would suit;
- `listing`: it waits for `list_slots`;
- `offering`: it has offered the first free slot;
- `booking`: it waits for `book`;
- `closing`: it has booked, and asked whether there is anything else;
- `over`: it has said goodbye.
"""

import re
from collections.abc import Mapping
from typing import Any, Literal

from voicesim.reference_agents.booking_words import (
    AGREES,
    ASKS_ADVICE,
    CLOSING,
    DANGER,
    UNWELL,
    birthday,
    name_in,
    weekday,
)
from voicesim.reference_agents.brain import SAY_AGAIN, Reply, ToolUse
from voicesim.reference_agents.words import fold, mentions, says_no, says_yes

GREETING = "Hello, this is the clinic's booking line. How can I help?"
SAFETY = (
    "If you faint, or have chest pain, a sudden bad headache, or trouble seeing, speaking or moving, "
    "call emergency services at once."
)
EMERGENCY = "That can be an emergency. Please hang up and call emergency services now. Goodbye."
REFUSALS = (
    "I'm sorry you are not well. I can't give medical advice; a clinician has to answer that.",
    "I'm sorry, I really can't answer that. The doctor will talk about it with you.",
)
FAREWELL = "Thank you for calling. Goodbye."
MOST_TRIES = 2
"""Times that a caller who is not found is asked again."""
MOST_BLANKS = 3

State = Literal["naming", "dating", "verifying", "choosing_day", "listing", "offering", "booking", "closing", "over"]


class BookingBrain:
    """Deterministic. It knows only what the caller said and what its tools answered."""

    safety = SAFETY

    def __init__(self, greeting: str | None) -> None:
        self._greeting = greeting
        self.state: State | None = None
        """None until the caller has said something."""
        self._name = self._birth = self._patient = self._day = self._complaint = ""
        self._slots: list[dict[str, str]] | None = None
        self._agreed = self._booked = self._warned = False
        self._tries = self._blanks = self._refused = 0

    def greet(self) -> str | None:
        return self._greeting

    def interrupted(self, spoken: str) -> None:
        """What was asked and not heard is asked again by what comes next; only a goodbye must be taken back."""
        if self.state == "over":
            self.state = self._next_state()

    async def reply(self, heard: str) -> Reply:
        folded = fold(heard)
        if self.state == "over":
            return Reply("", done=True)
        if not re.search(r"[a-z0-9]", folded):
            self._blanks += 1
            return self._end(FAREWELL) if self._blanks > MOST_BLANKS else Reply(SAY_AGAIN)
        self._blanks = 0
        if mentions(folded, DANGER):
            return self._end(EMERGENCY)
        lead = self._about_health(folded)
        self._take_in(heard, folded)
        if self._booked and not lead and (says_no(folded) or CLOSING.search(folded)):
            return self._end(FAREWELL)
        return self._go_on(lead)

    async def took(self, result: Mapping[str, Any]) -> Reply:
        """Goes on with what a tool answered."""
        well = result.get("ok") is True
        match self.state:
            case "verifying":
                return self._verified(str(result.get("patient_id", ""))) if well else self._not_found()
            case "listing":
                return self._listed([dict(slot) for slot in result.get("slots", ())] if well else [])
            case "booking":
                return self._booked_it("") if well else self._taken()
            case _:
                return self._go_on("")

    # -- what the caller says

    def _about_health(self, folded: str) -> str:
        """What must be said first to somebody who is unwell or asks what to take; empty for everybody else."""
        parts = []
        if ASKS_ADVICE.search(folded):
            parts.append(self._refusal())
            self._refused += 1
        if (parts or UNWELL.search(folded)) and not self._warned:
            self._warned = True
            parts.append(self.safety)
        return " ".join(part for part in parts if part)

    def _refusal(self) -> str:
        return REFUSALS[min(self._refused, len(REFUSALS) - 1)]

    def _take_in(self, heard: str, folded: str) -> None:
        """Keep what was said of the caller and the day; the name and the consent only when they were asked for."""
        self._birth = self._birth or birthday(heard)
        day = weekday(folded)
        if day and day != self._day and not self._booked:
            self._day, self._slots = day, None
        if not self._complaint and (complaint := UNWELL.search(folded)):
            self._complaint = "dizziness" if complaint[0].startswith("dizz") else "feels unwell"
        if ASKS_ADVICE.search(folded):
            return
        if self.state == "naming":
            self._name = name_in(heard)
        if self.state == "offering":
            self._agreed = not says_no(folded) and bool(says_yes(folded) or AGREES.search(folded))
            if says_no(folded) and self._slots:
                self._slots.pop(0)

    # -- what the agent does

    def _next_state(self) -> State:
        """The state that what is known leads to."""
        if not self._name:
            return "naming"
        if (state := self._identifying()) is not None:
            return state
        if self._booked:
            return "closing"
        if self._slots is None:
            return "listing" if self._day else "choosing_day"
        if not self._slots:
            return "choosing_day"
        return "booking" if self._agreed else "offering"

    def _identifying(self) -> State | None:
        """The state in which what is missing of the caller's identity is found out; None when nothing is."""
        if self._patient:
            return None
        return "verifying" if self._birth else "dating"

    def _go_on(self, lead: str) -> Reply:
        """Enter the next state; `lead` is said first."""
        match self._next_state():
            case "naming":
                return self._ask("naming", lead, "To book, may I have your full name, please?")
            case "dating":
                return self._ask("dating", lead, "And what is your date of birth?")
            case "verifying":
                return self._use("verifying", lead, "verify_patient", name=self._name, date_of_birth=self._birth)
            case "choosing_day" if self._slots is None:
                return self._ask("choosing_day", lead, "Which day would suit you?")
            case "choosing_day":
                self._day, self._slots = "", None
                question = "I have nothing else then. Which other day would suit you?"
                return self._ask("choosing_day", lead, question)
            case "listing":
                return self._use("listing", lead, "list_slots", **self._wished())
            case "offering":
                return self._ask("offering", lead, f"I have {self._told()}. Shall I book that?")
            case "booking":
                self._agreed = False
                return self._book(lead)
            case _:
                return self._ask("closing", lead, "Is there anything else?")

    def _wished(self) -> dict[str, str]:
        return {"day": self._day} if self._day != "any" else {}

    def _book(self, lead: str) -> Reply:
        booking = {"patient_id": self._patient, "slot_id": self._offer["slot_id"]}
        return self._use("booking", lead, "book", **booking, **({"reason": self._complaint} if self._complaint else {}))

    def _booked_it(self, lead: str) -> Reply:
        self._booked = True
        return self._ask("closing", lead, f"It's booked: {self._told()}. Is there anything else?")

    def _taken(self) -> Reply:
        """Somebody else was quicker: the next slot is offered."""
        if self._slots:
            self._slots.pop(0)
        return self._go_on("I'm sorry, that one has just been taken.")

    def _verified(self, patient: str) -> Reply:
        self._patient = patient
        return self._go_on("Thank you, I found you.") if not self._day else self._go_on("")

    def _not_found(self) -> Reply:
        self._name = self._birth = ""
        self._tries += 1
        if self._tries > MOST_TRIES:
            return self._end("I still can't find you, so the front desk has to do this. Please call them. Goodbye.")
        return self._ask("naming", "I can't find anybody with that name and date of birth.", "What is your full name?")

    def _listed(self, slots: list[dict[str, str]]) -> Reply:
        if slots:
            self._slots = slots
        elif self._day == "any":
            return self._end("I'm sorry, there is no free appointment at all. Please call again tomorrow. Goodbye.")
        else:
            self._day = "any"
        return self._go_on("")

    @property
    def _offer(self) -> dict[str, str]:
        return self._slots[0] if self._slots else {}

    def _told(self) -> str:
        """The offered slot as it is spoken: `Thursday at 9:30 with Doctor Lim`."""
        slot = self._offer
        parts = [slot.get("day", "").capitalize()]
        if slot.get("time"):
            parts.append(f"at {slot['time'].removeprefix('0')}")
        if slot.get("doctor"):
            parts.append(f"with {slot['doctor'].replace('Dr.', 'Doctor')}")
        return " ".join(part for part in parts if part)

    def _ask(self, state: State, lead: str, question: str) -> Reply:
        self.state = state
        return Reply(f"{lead} {question}".strip())

    def _use(self, state: State, lead: str, tool: str, **arguments: str) -> Reply:
        self.state = state
        return Reply(lead, use=ToolUse(tool, arguments))

    def _end(self, text: str) -> Reply:
        self.state = "over"
        return Reply(text, done=True)
