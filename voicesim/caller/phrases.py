"""The patient's stock of small phrases; which one is said depends on how often the patient has spoken."""

from collections.abc import Iterable, Mapping
from typing import Any

from voicesim.caller.mind import Memory
from voicesim.catalog.model import Case
from voicesim.language.data import has, load


def voiced(language: str) -> str:
    """The language in which the patient's small phrases and reactions are: its own, English where that has no files."""
    return language if has("moves", language) else "en"


def phrases_of(language: str) -> Mapping[str, Any]:
    """What a patient says on the phone that no case has to write, by name; English for a language without a file."""
    return load("phrases", voiced(language))


def ways(name: str, language: str = "en") -> tuple[str, ...]:
    """All ways to say something, such as `unheard`."""
    given = phrases_of(language)[name]
    return (given,) if isinstance(given, str) else tuple(given)


def phrase(name: str, language: str = "en") -> str:
    """What is said in one way only, such as `goodbye`."""
    return str(phrases_of(language)[name])


def likely(case: Case) -> tuple[str, ...]:
    """The lines that the patient of a case probably says in the call, the most probable first."""
    patient = case.patient
    insists = patient.insists.says if patient.insists is not None else ()
    facts = tuple(fact.says for fact in patient.reveal_only_if_asked)
    small = ("nothing_else", "goodbye", "unknown", "understood", "hearing", "not_known_of", "thanks")
    said = (text for name in small for text in ways(name, case.language))
    return (*facts, *said, *insists, *ways("unheard", case.language))


def spoken(memory: Memory) -> list[str]:
    """The patient's own lines so far."""
    return [turn.text for turn in memory.turns if turn.side == "caller"]


def unreminded(line: str, language: str = "en") -> str:
    """A line without the words that mark it as said before.

    >>> unreminded("As I said, no allergies.")
    'no allergies.'
    """
    for reminder in (*ways("reminders", language), phrase("repeated", language)):
        line = line.removeprefix(reminder)
    return line


def pick(phrases: tuple[str, ...], memory: Memory) -> str:
    """One of several ways to say the same, so that two turns in a row differ; no chance in it."""
    return phrases[len(spoken(memory)) % len(phrases)]


def times(phrases: Iterable[str], memory: Memory) -> int:
    """How many of the patient's lines so far hold one of the phrases."""
    wanted = tuple(phrases)
    return sum(any(phrase in line for phrase in wanted) for line in spoken(memory))
