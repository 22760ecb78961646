"""The patterns of values.yaml, compiled: macros put in, units and currency signs from units.yaml."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from voicesim.language.data import load
from voicesim.language.kinds import units

_MACRO = re.compile(r"\{([a-z_]+\d*)\}")


@dataclass(frozen=True)
class Pattern:
    """A way to write or say a value, and the name of what builds the value from a match."""

    build: str
    regex: re.Pattern[str]
    word: bool = False
    """Whether it may begin with a letter."""


@dataclass(frozen=True)
class Grammar:
    """All patterns of a language in the order they are tried, and the contexts that builders look at."""

    patterns: tuple[Pattern, ...]
    worded: tuple[Pattern, ...]
    """Those that may begin with a letter."""
    inside: re.Pattern[str]
    """The parts of a value: a number `n`, a `unit`, a `word` or a sign."""
    contexts: dict[str, re.Pattern[str]]
    """Patterns of what stands before a value, up to its first character."""
    bounds: dict[str, re.Pattern[str]]
    """What stands before a bound, by its sign."""
    months: tuple[str, ...]
    unit_ids: dict[str, str]
    signs: dict[str, str]
    scales: dict[str, int]
    emergency: frozenset[str]

    def unit_id(self, form: str) -> str:
        """The id of a unit by a way to write or say it; empty for what is no unit."""
        return self.unit_ids.get(form) or self.unit_ids.get(form.lower(), "")


@cache
def grammar(language: str = "en") -> Grammar:
    """The grammar of a language, from its data files."""
    data = load("values", language)
    ids, signs = _forms(language), {sign: unit.id for unit in units(language).values() for sign in unit.signs}
    macros = {
        "unit": f"(?:{_any(ids)})(?!\\w)",
        "unit_open": f"(?:{_any(ids)})",
        "sign": f"(?:{_any(signs)})",
        **data["macros"],
    }

    def compiled(pattern: str) -> re.Pattern[str]:
        while (filled := _MACRO.sub(lambda match: macros[match[1]], pattern)) != pattern:
            pattern = filled
        return re.compile(pattern, re.IGNORECASE)

    names = (
        "no_time_behind",
        "dosing",
        "calling",
        "dating",
        "dated_behind",
        "clock_behind",
        "at_behind",
        "measured_behind",
        "priced_behind",
    )
    patterns = tuple(Pattern(row["as"], compiled(row["match"]), row.get("word", False)) for row in data["values"])
    return Grammar(
        patterns,
        tuple(pattern for pattern in patterns if pattern.word),
        compiled(r"(?P<n>{n})|(?P<unit>{unit})|(?P<word>\w+)|\S"),
        {name: compiled(data[name]) for name in names},
        {sign: compiled(pattern) for sign, pattern in data["bounds"].items()},
        tuple(data["months"]),
        ids,
        {sign.lower(): unit for sign, unit in signs.items()},
        data["scales"],
        frozenset(data["emergency"]),
    )


def _forms(language: str) -> dict[str, str]:
    """Every way to write or say a unit, and its id; those with an upper-case letter count in that case alone."""
    table: dict[str, str] = {}
    for unit in units(language).values():
        for form in unit.forms:
            table.setdefault(form, unit.id)
    return table


def _any(forms: Iterable[str]) -> str:
    escaped = (re.escape(form) for form in sorted(forms, key=len, reverse=True))
    return "|".join(f"(?-i:{form})" if form != form.lower() else form for form in escaped)
