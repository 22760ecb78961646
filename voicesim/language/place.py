"""A place where a pattern of values.yaml matched, and what builders make of it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from voicesim.language.kinds import Value, units
from voicesim.language.line import Piece
from voicesim.language.value_patterns import Grammar


@dataclass(frozen=True)
class Found:
    """A value and the characters of the line that hold it.

    `words` are what it is folded to; all of them cover the whole of it. None: its words one by one, which cover
    the whole of it only when it is `whole`.
    """

    value: Value
    start: int
    end: int
    words: tuple[str, ...] | None = None
    whole: bool = False


@dataclass(frozen=True)
class Place:
    """Where a pattern matched: the match, the piece it begins with, and the values before it."""

    match: re.Match[str]
    piece: Piece
    source: str
    """The text that the first piece came from."""
    before: Sequence[Found]
    grammar: Grammar
    language: str

    def __getitem__(self, group: str) -> str:
        return self.match.groupdict().get(group) or ""

    @property
    def follows_a_value(self) -> bool:
        """Whether a value ends right before the match."""
        return bool(self.before) and self.match.string[self.before[-1].end : self.match.start()].strip(" ,") == ""

    def behind(self, context: str) -> bool:
        """Whether a context (`calling`, `dosing`) stands before the match."""
        return self.grammar.contexts[context].search(self.match.string, 0, self.match.start()) is not None

    def value(self, value: Value, *words: str, group: str = "", whole: bool = False) -> list[Found]:
        """One value, from the beginning of a group or of the match to its end; a part of the day behind is left out."""
        start = self.match.start(group) if group else self.match.start()
        end = self.match.start("tail") if self["tail"] else self.match.end()
        return [Found(value, start, end, words or None, whole)]

    def number(self, group: str = "n") -> Decimal:
        """The number that a group holds: `-5`, `2 1/2`, `1.5 million`."""
        return number(self[group], self.grammar)

    def unit(self, group: str = "unit") -> str:
        """The id of the unit that a group names."""
        return self.grammar.unit_id(self[group])


Builder = Callable[[Place], list[Found] | None]


def number(text: str, known: Grammar) -> Decimal:
    """A number as patterns match it, as a Decimal; a scale stays visible in the exponent (`1.5E+6`)."""
    figure, _, scale = text.lower().partition(" ")
    if "/" in scale:
        figure, scale = text, ""
    whole, _, part = figure.rpartition(" ")
    above, _, below = part.partition("/")
    amount = Decimal(above) / Decimal(below) if below else Decimal(above)
    amount += Decimal(whole or 0).copy_sign(amount) if below else 0
    power = known.scales.get(scale.rstrip("s"), 0)
    return amount.scaleb(power) if power else amount


def figure(amount: Decimal) -> str:
    """A number in figures, the same for every way to write it: `38.50` and `38.5` are `38.5`."""
    return f"{amount.normalize():f}" if amount else "0"


def unit_word(unit: str, form: str = "", language: str = "en") -> str:
    """The one word that a unit is folded to, the same for all its forms; what is counted stays as it was said."""
    known = units(language).get(unit)
    if known is None or known.bare or " " in known.one:
        return unit
    return form.lower() if known.counted and form else known.one
