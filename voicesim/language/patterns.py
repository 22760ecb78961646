"""Named patterns of a language: regular expressions in its data files, with sentences that do and do not hold them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from voicesim.language.data import load


@dataclass(frozen=True)
class Pattern:
    """One idea as an expression for `plain` text; `holds` and `misses` are example sentences of a test."""

    name: str
    expression: re.Pattern[str]
    holds: tuple[str, ...]
    misses: tuple[str, ...]


@cache
def patterns(file: str, language: str = "en") -> tuple[Pattern, ...]:
    """The patterns of a data file, in its order.

    The file has `patterns`, a list of `name`, `any` (expressions, one of which has to be found), `holds` and
    `misses`. `<word>` in an expression stands for the entry `word` of the file's `define`. Raises UsageError
    for a language that has no such file.
    """
    data = load(file, language)
    defined: Mapping[str, str] = data.get("define", {})
    return tuple(
        Pattern(
            row["name"],
            re.compile("|".join(f"(?:{_filled(expression, defined)})" for expression in row["any"])),
            tuple(row.get("holds", ())),
            tuple(row.get("misses", ())),
        )
        for row in data["patterns"]
    )


def plain(text: str) -> str:
    """Lower case, straight apostrophes, single spaces, no punctuation at the ends.

    >>> plain("  Does that make  sense? ")
    'does that make sense'
    """
    straight = text.lower().replace("’", "'").replace("‘", "'")
    return " ".join(straight.split()).strip(' .,!?;:"“”-')


def _filled(expression: str, defined: Mapping[str, str]) -> str:
    """An expression with its defined words written out; definitions may hold others."""
    for _ in range(3):
        for name, text in defined.items():
            expression = expression.replace(f"<{name}>", f"(?:{text})")
    return expression
