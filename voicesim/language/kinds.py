"""The kinds of values that texts hold, and when two of them are the same."""

from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from typing import Any

from voicesim.language.data import load


@dataclass(frozen=True)
class Quantity:
    """A number with its unit (an id of data/<language>/units.yaml, `mg/dl` for a rate) or with none.

    The Decimal keeps how the number was written (`1.5E+6` for `1.5 million`); comparisons do not look at that.
    """

    number: Decimal
    unit: str = ""
    bound: str = ""
    """<, <=, >= or >, where it is said to be a bound (`at most 4000 mg`)."""

    def __str__(self) -> str:
        return f"{self.bound} {_plain(self.number)} {self.unit}".strip()


@dataclass(frozen=True)
class Sum:
    """Quantities that make one value together: `6 ft 2 in`, `49 dollars and 95 cents`."""

    parts: tuple[Quantity, ...]

    def __str__(self) -> str:
        return " + ".join(map(str, self.parts))


@dataclass(frozen=True)
class Range:
    """From one number to another, with the unit of both."""

    low: Decimal
    high: Decimal
    unit: str = ""

    def __str__(self) -> str:
        return f"{_plain(self.low)} to {_plain(self.high)} {self.unit}".strip()


@dataclass(frozen=True)
class Ordinal:
    """A place in a row: `21st`."""

    number: int

    def __str__(self) -> str:
        return f"#{self.number}"


@dataclass(frozen=True)
class Year:
    """A year, as in `in 1998`; with `decade` the ten years from it on (`the 1990s`)."""

    number: int
    decade: bool = False

    def __str__(self) -> str:
        return f"year {self.number}" + ("s" if self.decade else "")


@dataclass(frozen=True)
class Digits:
    """A phone number or a code: digits that count nothing."""

    text: str

    def __str__(self) -> str:
        return f"tel {self.text}"


@dataclass(frozen=True)
class Pressure:
    """A blood pressure, in mmHg."""

    high: int
    low: int

    def __str__(self) -> str:
        return f"{self.high}/{self.low}"


@dataclass(frozen=True)
class Time:
    """A time of day as it is said: hour 0 to 23; `half` is am, pm or nothing."""

    hour: int
    minute: int
    half: str = ""
    second: int = 0

    def __str__(self) -> str:
        hour = self.hour
        if self.half and hour <= 12:
            hour = hour % 12 + 12 * (self.half == "pm")
        return f"{hour:02d}:{self.minute:02d}" + (f":{self.second:02d}" if self.second else "")

    def fits(self, hour: int, minute: int) -> bool:
        """Whether a time of the 24-hour clock can be called so."""
        if self.minute != minute or self.hour % 12 != hour % 12:
            return False
        if self.half:
            return (hour >= 12) == (self.half == "pm")
        return self.hour in (hour, hour % 12) or (self.hour == 12 and hour % 12 == 0)


@dataclass(frozen=True)
class Date:
    """A date, or what is said of one: month with day, with year, or with both."""

    month: int
    day: int | None = None
    year: int | None = None

    def __str__(self) -> str:
        year = "-" if self.year is None else f"{self.year:04d}"
        return f"{year}-{self.month:02d}" + (f"-{self.day:02d}" if self.day else "")


Value = Quantity | Sum | Range | Ordinal | Year | Digits | Pressure | Time | Date


@dataclass(frozen=True)
class Unit:
    """One row of units.yaml; `measures` is how much of each dimension's base one of it is."""

    id: str
    one: str
    many: str
    short: tuple[str, ...]
    """How it is written short: what a voice must not read as it stands."""
    words: tuple[str, ...]
    measures: dict[str, Decimal] = field(hash=False)
    bare: bool = False
    signs: tuple[str, ...] = ()
    counted: bool = False

    @property
    def forms(self) -> tuple[str, ...]:
        """All ways to write and say it."""
        return (*self.short, *self.words, self.one.lower(), self.many.lower())


@cache
def units(language: str = "en") -> dict[str, Unit]:
    """The units of a language by id."""
    data = load("units", language)
    table = {name: _unit(name, row) for name, row in data["units"].items()}
    for word in data["counted"]:
        many = data["plurals"].get(word, f"{word}s")
        table[word] = Unit(word, word, many, (), (), {word: Decimal(1)}, counted=True)
    return table


def _unit(name: str, row: dict[str, Any]) -> Unit:
    singular, many = row["said"]
    measures = {dimension: Decimal(factor) for dimension, factor in row["is"].items()}
    short, words, signs = (tuple(row.get(key, ())) for key in ("forms", "words", "signs"))
    return Unit(name, singular, many, short, words, measures, row.get("bare", False), signs)


def same(value: Value, other: Value, language: str = "en") -> bool:
    """Whether two values are the same, however they were written or said.

    Units of a dimension are converted (500 mg is 0.5 g); a bare number is not the same as one with a unit. A time
    without am or pm is the same as that time in either half of the day; a date without a year as that day of any;
    a number without a bound as that number with any (`70` and `under 70`, but not `over 70` and `under 70`).
    """
    if isinstance(value, Time) and isinstance(other, Time):
        return value.second == other.second and (
            value.fits(*_on_24_hours(other)) if other.half or other.hour > 12 else other.fits(*_on_24_hours(value))
        )
    if isinstance(value, Date) and isinstance(other, Date):
        pairs = ((value.day, other.day), (value.year, other.year))
        return value.month == other.month and all(a == b or None in (a, b) for a, b in pairs)
    if isinstance(value, Range) != isinstance(other, Range):
        return False
    if isinstance(value, Range) and isinstance(other, Range):
        low = same(Quantity(value.low, value.unit), Quantity(other.low, other.unit), language)
        return low and same(Quantity(value.high, value.unit), Quantity(other.high, other.unit), language)
    bounds = {held.bound for held in (value, other) if isinstance(held, Quantity) and held.bound}
    if len(bounds) > 1:
        return False
    sums = amounts(value, language), amounts(other, language)
    if sums[0] and sums[1]:
        return any(sums[1].get(dimension) == amount for dimension, amount in sums[0].items())
    return type(value) is type(other) and value == other


def _on_24_hours(time: Time) -> tuple[int, int]:
    hour, minute = str(time).split(":")[:2]
    return int(hour), int(minute)


def amounts(value: Value, language: str = "en") -> dict[str, Decimal]:
    """How much of each dimension's base a value is: seconds of `time`, grams of `mass` (units.yaml).

    The dimension of bare numbers is the empty name. A value that is no amount (a time of day) has none; a range
    is its upper end.
    """
    if isinstance(value, Year):
        return {"decade" if value.decade else "": Decimal(value.number)}
    if isinstance(value, Digits):
        return {"": Decimal(value.text), "digits": Decimal(f"1{value.text}")} if value.text[0] != "0" else {}
    if isinstance(value, Quantity):
        return {dimension: value.number * factor for dimension, factor in _measures(value.unit, language).items()}
    if isinstance(value, Range):
        return amounts(Quantity(value.high, value.unit), language)
    if isinstance(value, Sum):
        parts = [amounts(part, language) for part in value.parts]
        shared = set(parts[0]).intersection(*parts)
        return {dimension: sum((part[dimension] for part in parts), Decimal(0)) for dimension in shared}
    return {}


def _measures(unit: str, language: str) -> dict[str, Decimal]:
    known = units(language)
    if not unit:
        return {"": Decimal(1)}
    if unit in known:
        return known[unit].measures
    top, _, bottom = unit.partition("/")
    return {
        f"{over}/{under}": known[top].measures[over] / known[bottom].measures[under]
        for over in known[top].measures
        for under in known[bottom].measures
    }


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}" if number else "0"
