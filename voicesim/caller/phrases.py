"""The patient's stock of small phrases; which one is said depends on how often the patient has spoken."""

from collections.abc import Iterable, Mapping
from typing import Any

from voicesim.caller.mind import Memory
from voicesim.catalog.model import Case
from voicesim.errors import UsageError
from voicesim.language.data import load

UNHEARD = ("Sorry, could you say that again?", "Sorry, I didn't catch that. Could you repeat it?")
UNKNOWN = ("I'm not sure.", "I don't know, sorry.", "I couldn't tell you, sorry.")
NOT_KNOWN_OF = ("Not that I know of.", "Not that I've noticed.")
UNDERSTOOD = ("Yes, okay.", "Yes, I understand.", "Yes, that's fine.")
AGREED = ("Yes, I can do that.", "Yes, okay, I will.")
ACCEPTED = ("Yes, please.", "Yes, please do.", "Yes, that would be good.")
CORRECT = ("Yes, that's right.", "Yes, exactly.")
HEARING = ("Okay.", "I see.", "All right.")
PRESENT = ("Yes, I'm here.",)
NOTHING_ELSE = "No, that's all. Thank you."
TO_EMERGENCY = "Okay, I'll call them now. Thank you."
TO_EMERGENCY_AGAIN = "Yes, I'm calling them now. Thank you. Goodbye."
GOODBYE = "Thank you. Goodbye."
SECOND_GOODBYE = "Bye."
NO_MORE_GOODBYES = "Thank you."
REMINDERS = ("As I said, ", "Like I said, ")
REPEATED = "I said, "


def phrases_of(language: str) -> Mapping[str, Any]:
    """What a patient says on the phone that no case has to write, by name; English for a language without a file."""
    try:
        return load("phrases", language)
    except UsageError:
        return load("phrases")


def likely(case: Case) -> tuple[str, ...]:
    """The lines that the patient of a case probably says in the call, the most probable first."""
    patient = case.patient
    insists = patient.insists.says if patient.insists is not None else ()
    facts = tuple(fact.says for fact in patient.reveal_only_if_asked)
    return (*facts, NOTHING_ELSE, GOODBYE, *UNKNOWN, *UNDERSTOOD, *HEARING, *NOT_KNOWN_OF, *insists, *UNHEARD)


def spoken(memory: Memory) -> list[str]:
    """The patient's own lines so far."""
    return [turn.text for turn in memory.turns if turn.side == "caller"]


def unreminded(line: str) -> str:
    """A line without the words that mark it as said before.

    >>> unreminded("As I said, no allergies.")
    'no allergies.'
    """
    for reminder in (*REMINDERS, REPEATED):
        line = line.removeprefix(reminder)
    return line


def pick(phrases: tuple[str, ...], memory: Memory) -> str:
    """One of several ways to say the same, so that two turns in a row differ; no chance in it."""
    return phrases[len(spoken(memory)) % len(phrases)]


def times(phrases: Iterable[str], memory: Memory) -> int:
    """How many of the patient's lines so far hold one of the phrases."""
    wanted = tuple(phrases)
    return sum(any(phrase in line for phrase in wanted) for line in spoken(memory))
