"""Whether an agent tells the patient's own facts wrong: another number, date or time than the patient gave."""

from collections.abc import Sequence
from dataclasses import dataclass

from voicesim.caller.words import content
from voicesim.language.data import has
from voicesim.language.kinds import Date, Pressure, Quantity, Time, Value, same
from voicesim.language.patterns import patterns, plain
from voicesim.language.sentences import split
from voicesim.language.values import read


@dataclass(frozen=True)
class Mistake:
    """What the agent said of the patient, and what the patient had said; both in their own words ("two weeks")."""

    heard: str
    said: str


def mistake(heard: str, own_lines: Sequence[str], language: str = "en") -> Mistake | None:
    """The first value in the agent's words that contradicts what the patient told; None when nothing does.

    Only sentences about the patient count ("so you've had it for three weeks"), no advice and nothing that is yet to
    come. Values contradict each other when they are of one kind and unit, and the patient told no such value that is
    the same. A sentence about something else that the patient also told is no contradiction.

    What is told wrong in a language without the data file `retelling` is not noticed.

    >>> mistake("So you've had the cough for three weeks.", ["Two weeks now."])
    Mistake(heard='three weeks', said='Two weeks')
    """
    if not has("retelling", language):
        return None
    known = [(value, words, line) for line in own_lines for value, words in _values(line, language)]
    about, other = (pattern.expression for pattern in patterns("retelling", language))
    for sentence in split(heard):
        if not about.search(plain(sentence)) or other.search(plain(sentence)):
            continue
        for value, words in _values(sentence, language):
            alike = [(said, line) for before, said, line in known if _one_kind(value, before)]
            if not alike or any(same(value, before, language) for before, _, _ in known):
                continue
            said, line = max(alike, key=lambda entry: len(_topic(entry[1], entry[0]) & _topic(sentence, words)))
            if not _about_another(sentence, words, line, own_lines):
                return Mistake(words, said)
    return None


def _values(text: str, language: str) -> list[tuple[Value, str]]:
    """The measured values, dates and times of a text, each with its words; bare numbers say too little."""
    read_values = [(reading.value, text[reading.start : reading.end]) for reading in read(text, language)]
    return [(value, words) for value, words in read_values if not isinstance(value, Quantity) or value.unit]


def _one_kind(value: Value, other: Value) -> bool:
    if isinstance(value, Quantity) and isinstance(other, Quantity):
        return value.unit == other.unit
    return type(value) is type(other) and isinstance(value, Date | Time | Pressure)


def _topic(text: str, value: str) -> frozenset[str]:
    """What a text is about, its value aside."""
    return content(text) - content(value)


def _about_another(sentence: str, value: str, line: str, own_lines: Sequence[str]) -> bool:
    """Whether a sentence shares more with something else that the patient told than with the line it contradicts."""
    topic = _topic(sentence, value)
    shared = len(topic & content(line))
    return any(len(topic & content(other)) > shared for other in own_lines if other != line)
