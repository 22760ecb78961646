"""Word lists and patterns of a language as regular expressions over words with one space between them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from voicesim.language.data import load
from voicesim.language.words import read

FILES = ("clauses", "negation", "acts", "people")


@dataclass(frozen=True)
class Entry:
    """One row of a data file; `holds` and `fails` are examples that a test walks."""

    name: str
    pattern: re.Pattern[str]
    words: frozenset[str]
    holds: tuple[str, ...]
    fails: tuple[str, ...]


@cache
def entries(file: str, language: str = "en") -> Mapping[str, Entry]:
    """The entries of a data file by name. A pattern may name a list in braces: `^{auxiliaries} you`."""
    earlier = FILES[: FILES.index(file)]
    known = {
        name: row.pattern.pattern for earlier_file in earlier for name, row in entries(earlier_file, language).items()
    }
    rows: dict[str, Entry] = {}
    for name, row in load(file, language)["entries"].items():
        rows[name] = _entry(name, row, known)
        known[name] = rows[name].pattern.pattern
    return rows


def pattern(file: str, name: str) -> re.Pattern[str]:
    """The expression of an entry."""
    return entries(file)[name].pattern


def word_list(file: str, name: str) -> frozenset[str]:
    """The single words of a list."""
    return entries(file)[name].words


def _entry(name: str, row: Mapping[str, Any], known: Mapping[str, str]) -> Entry:
    words: frozenset[str] = frozenset()
    if "words" in row:
        phrases = _phrases(row)
        words = frozenset(phrase for phrase in phrases if " " not in phrase)
        ordered = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
        expression = rf"(?<!\S)(?:{'|'.join(map(re.escape, ordered))})(?!\S)"
    else:
        listed = row["pattern"] if isinstance(row["pattern"], list) else [row["pattern"]]
        filled = [
            re.sub(r"\{([a-z_]+)\}", lambda match: known[match[1]], expression_part) for expression_part in listed
        ]
        expression = "|".join(f"(?:{expression_part})" for expression_part in filled)
    return Entry(name, re.compile(expression), words, tuple(row["holds"]), tuple(row["fails"]))


def _phrases(row: Mapping[str, Any]) -> list[str]:
    """The words and phrases of a list as sentences are read: `first` is 1st."""
    return [" ".join(read(text).texts) for text in (*str(row["words"]).split(), *row.get("phrases", ()))]
