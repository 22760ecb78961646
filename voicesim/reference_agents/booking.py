"""The booking brain: a clinic's receptionist who gives no medical advice, verifies, and books what was asked."""

import re
from collections.abc import Mapping
from typing import Any

from voicesim.language.data import load
from voicesim.language.kinds import Date
from voicesim.language.values import read
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
_ASKS_ADVICE = re.compile(
    r"\b(?:what|anything|something|which)\b[^.?!]{0,40}\b(?:take|do (?:about|for|against)|help)\b|\bshould i take\b"
    r"|\bwhat (?:is|could|do you think)\b[^.?!]{0,20}\b(?:wrong|cause|have)\b"
    r"|\bis (?:it|that|this) (?:serious|dangerous)\b"
)
_UNWELL = re.compile(r"\b(?:dizz|light ?headed|pain|sick|ill|fever|unwell|headache|nause|weak)")
_DANGER = (
    r"\bchest (?:pain|hurts|tight)|\bfainted\b|\bpassed out\b|\bblacked out\b|\bcan't (?:speak|see|move|breathe)\b"
    r"|\bworst headache\b|\b(?:face|arm|leg) (?:is|feels|went) (?:numb|weak)\b"
)
_AGREES = re.compile(r"\b(?:please|fine|perfect|good|great|works|book it|sounds|take (?:it|that)|okay|ok)\b")
_CLOSING = re.compile(r"\b(?:good ?bye|bye|that's all|that's it|nothing else|thank)\b")
_NAMED = re.compile(
    r"^(?:(?:yes|sure|okay|ok|well|hello|hi|um|uh|of course|(?:like |as )?i said)[,. ]+)*"
    r"(?:(?:my (?:full )?name is|the name is|this is|it's|it is|i'm|i am)\s+)?",
    re.IGNORECASE,
)


class BookingBrain:
    """Deterministic. It knows only what the caller said and what its tools answered."""

    safety = SAFETY

    def __init__(self, greeting: str | None) -> None:
        self._greeting = greeting
        self._asked = ""
        self._name = self._birth = self._patient = self._day = ""
        self._slots: list[dict[str, str]] | None = None
        self._agreed = self._booked = self._over = self._warned = False
        self._using = ""
        self._complaint = ""
        self._tries = self._blanks = self._refused = 0

    def greet(self) -> str | None:
        return self._greeting

    def interrupted(self, spoken: str) -> None:
        """What was asked and not heard is asked again by what comes next; only a goodbye must be taken back."""
        self._over = False

    async def reply(self, heard: str) -> Reply:
        folded = fold(heard)
        if self._over:
            return Reply("", done=True)
        if not re.search(r"[a-z0-9]", folded):
            self._blanks += 1
            return self._end(FAREWELL) if self._blanks > MOST_BLANKS else Reply(SAY_AGAIN)
        self._blanks = 0
        if mentions(folded, _DANGER):
            return self._end(EMERGENCY)
        lead = self._about_health(folded)
        self._take_in(heard, folded)
        if self._booked and not lead and (says_no(folded) or _CLOSING.search(folded)):
            return self._end(FAREWELL)
        return self._next(lead)

    async def took(self, result: Mapping[str, Any]) -> Reply:
        """Goes on with what a tool answered."""
        used, self._using = self._using, ""
        well = result.get("ok") is True
        if used == "verify_patient":
            return self._verified(str(result.get("patient_id", ""))) if well else self._not_found()
        if used == "list_slots":
            return self._listed([dict(slot) for slot in result.get("slots", ())] if well else [])
        if used == "book" and well:
            return self._booked_it("")
        if used == "book":
            return self._try_next("I'm sorry, that one has just been taken.")
        return self._next("")

    # -- what the caller says

    def _about_health(self, folded: str) -> str:
        """What must be said first to somebody who is unwell or asks what to take; empty for everybody else."""
        parts = []
        if _ASKS_ADVICE.search(folded):
            parts.append(self._refusal())
            self._refused += 1
        if (parts or _UNWELL.search(folded)) and not self._warned:
            self._warned = True
            parts.append(self.safety)
        return " ".join(part for part in parts if part)

    def _refusal(self) -> str:
        return REFUSALS[min(self._refused, len(REFUSALS) - 1)]

    def _take_in(self, heard: str, folded: str) -> None:
        self._birth = self._birth or birthday(heard)
        day = weekday(folded)
        if day and day != self._day and not self._booked:
            self._day, self._slots = day, None
        if not self._complaint and (found := _UNWELL.search(folded)):
            self._complaint = "dizziness" if found[0].startswith("dizz") else "feels unwell"
        if self._asked == "name" and not _ASKS_ADVICE.search(folded):
            self._name = name_in(heard)
        if self._asked == "offer" and not _ASKS_ADVICE.search(folded):
            self._agreed = not says_no(folded) and bool(says_yes(folded) or _AGREES.search(folded))
            if says_no(folded) and self._slots:
                self._slots.pop(0)

    # -- what the agent does

    def _next(self, lead: str) -> Reply:
        """The next step towards a booking; a tool can only be used when nothing has to be said first."""
        if not self._name:
            return self._ask("name", lead, "To book, may I have your full name, please?")
        if not self._patient and (step := self._identify(lead)) is not None:
            return step
        if self._booked:
            return self._ask("more", lead, "Is there anything else?")
        if not self._day and self._slots is None:
            return self._ask("day", lead, "Which day would suit you?")
        if self._slots is None:
            return self._use(lead, "list_slots", **self._wished())
        if not self._slots:
            self._day = ""
            self._slots = None
            return self._ask("day", lead, "I have nothing else then. Which other day would suit you?")
        if not self._agreed:
            return self._ask("offer", lead, f"I have {self._told()}. Shall I book that?")
        self._agreed = False
        return self._book(lead)

    def _identify(self, lead: str) -> Reply | None:
        """What is missing to know who calls; None when nothing is."""
        if not self._birth:
            return self._ask("birth", lead, "And what is your date of birth?")
        return self._use(lead, "verify_patient", name=self._name, date_of_birth=self._birth)

    def _wished(self) -> dict[str, str]:
        return {"day": self._day} if self._day != "any" else {}

    def _book(self, lead: str) -> Reply:
        booking = {"patient_id": self._patient, "slot_id": self._offer["slot_id"]}
        return self._use(lead, "book", **booking, **({"reason": self._complaint} if self._complaint else {}))

    def _booked_it(self, lead: str) -> Reply:
        self._booked = True
        return self._ask("more", lead, f"It's booked: {self._told()}. Is there anything else?")

    def _verified(self, patient: str) -> Reply:
        self._patient = patient
        return self._next("Thank you, I found you.") if not self._day else self._next("")

    def _not_found(self) -> Reply:
        self._name = self._birth = ""
        self._tries += 1
        if self._tries > MOST_TRIES:
            return self._end("I still can't find you, so the front desk has to do this. Please call them. Goodbye.")
        return self._ask("name", "I can't find anybody with that name and date of birth.", "What is your full name?")

    def _listed(self, slots: list[dict[str, str]]) -> Reply:
        if slots:
            self._slots = slots
            return self._next("")
        if self._day == "any":
            return self._end("I'm sorry, there is no free appointment at all. Please call again tomorrow. Goodbye.")
        self._day = "any"
        return self._next("")

    def _try_next(self, lead: str) -> Reply:
        if self._slots:
            self._slots.pop(0)
        return self._next(lead)

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

    def _ask(self, what: str, lead: str, question: str) -> Reply:
        self._asked = what
        return Reply(f"{lead} {question}".strip())

    def _use(self, lead: str, tool: str, **arguments: str) -> Reply:
        self._using = tool
        return Reply(lead, use=ToolUse(tool, arguments))

    def _end(self, text: str) -> Reply:
        self._over = True
        return Reply(text, done=True)


def name_in(heard: str) -> str:
    """The name in an answer to the question for it; empty when there is none.

    >>> name_in("Yes, my name is Ratna Dewi."), name_in("Like I said, Ratna Dewi, born in 1968.")
    ('Ratna Dewi', 'Ratna Dewi')
    """
    rest = _NAMED.sub("", heard.strip(), count=1)
    words = re.findall(r"[^\W\d_][\w'’-]*", re.split(r"[,.?!;]", rest)[0])
    return " ".join(words[:4])


def birthday(heard: str) -> str:
    """The first whole date in a text as YYYY-MM-DD; empty when there is none.

    >>> birthday("It's the twelfth of April, nineteen sixty-eight.")
    '1968-04-12'
    """
    dates = [reading.value for reading in read(heard) if isinstance(reading.value, Date)]
    return next((str(date) for date in dates if date.day and date.year), "")


def weekday(folded: str) -> str:
    """The first day of the week that a folded text names; empty when it names none."""
    days = "|".join(load("values")["weekdays"])
    found = re.search(rf"\b({days})s?\b", folded)
    return found[1] if found else ""
