"""Reading the values that an English text holds: numbers, doses, times, dates, phone numbers, as written or as said.

>>> [str(reading.value) for reading in read("Take two hundred fifty mg at half past nine, until 12 July.")]
['250 mg', '09:30', '--07-12']
>>> same(read("500 mg")[0].value, read("half a gram")[0].value)
True
"""

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from voicesim.language import builders, dates, times
from voicesim.language.kinds import Date, Ordinal, Pressure, Quantity, Sum, Time, Value, Year, same, units
from voicesim.language.line import Line
from voicesim.language.numbers import line_of
from voicesim.language.place import Found, Place
from voicesim.language.value_patterns import Grammar, grammar

__all__ = ["Reading", "holds", "part_of", "read", "read_line", "same", "times_in"]


@dataclass(frozen=True)
class Reading:
    """A value and the characters [start, end) of the text that hold it."""

    value: Value
    start: int
    end: int


def read(text: str, language: str = "en") -> list[Reading]:
    """The values of a text in order; they do not overlap. Spans are of `text`, and leave out words before (`at`)."""
    line, values = read_line(text, language)
    return [Reading(held.value, *line.span(held.start, held.end)) for held in values]


def holds(text: str, value: Value, language: str = "en") -> bool:
    """Whether a text holds a value, however it is written or said there."""
    return any(same(reading.value, value, language) for reading in read(text, language))


def times_in(text: str, language: str = "en") -> list[Time]:
    """The times of day in a text, in order: `9:30`, `half past nine`, `2 pm`, `noon`, `between 3 and 4`."""
    return [reading.value for reading in read(text, language) if isinstance(reading.value, Time)]


def part_of(said: Value, whole: Value, language: str = "en") -> bool:
    """Whether what is said is a value or leaves out a part of it, and says nothing else.

    `Fourteen` is part of 14 days (but not of 14 % or $14), `140` of 140/90, `the 21st` and `1961` of 21 July 1961.
    A number said in two halves (`one twenty`, read as a time) is also part of that number.
    """
    if same(said, whole, language):
        return True
    match said, whole:
        case Quantity(number, ""), Quantity(whole_number, unit):
            spent = unit == "percent" or any(units(language)[name].signs for name in unit.split("/") if name)
            return number == whole_number and not spent
        case Quantity(number, ""), Pressure(high, low):
            return number in (high, low)
        case Quantity(number, "") | Year(number), Date(_, _, year):
            return number == year
        case Ordinal(number), Date(_, day, _):
            return number == day
        case Time(hour, minute, ""), (Quantity() | Pressure()) if minute >= 10:
            return part_of(Quantity(Decimal(100 * hour + minute)), whole, language)
        case Time(hour, minute, ""), Sum(parts):
            return [part.number for part in parts] == [hour, minute]
    return False


_BOUND = 60
"""Characters before a quantity in which its bound stands; the longest has half as many."""


@lru_cache(maxsize=2048)
def read_line(text: str, language: str = "en") -> tuple[Line, tuple[Found, ...]]:
    """A text as a line, and the values in it with the characters of the line that hold them."""
    line, known = line_of(text, language), grammar(language)
    build = builders.BUILDERS | dates.BUILDERS | times.BUILDERS
    held: list[Found] = []
    ends = {start + len(piece.text) for piece, start in zip(line.pieces, line.places, strict=True)}
    end = 0
    for piece, start in zip(line.pieces, line.places, strict=True):
        if start < end:
            continue
        for pattern in known.worded if piece.text[0].isalpha() else known.patterns:
            match = pattern.regex.match(line.text, start)
            if match is None or match.end() not in ends:
                continue
            source = text[piece.start : piece.end]
            values = build[pattern.build](Place(match, piece, source, held, known, language))
            if values:
                held += [_bounded(value, line, known) for value in values]
                end = values[-1].end
                break
    return line, tuple(held)


def _bounded(place: Found, line: Line, known: Grammar) -> Found:
    """A quantity with the bound that stands before it."""
    if not isinstance(place.value, Quantity):
        return place
    near = max(0, place.start - _BOUND)
    bounds = (sign for sign, pattern in known.bounds.items() if pattern.search(line.text, near, place.start))
    return replace(place, value=replace(place.value, bound=next(bounds, "")))
