"""What a question asks for beside its subject: said outright, heard between the lines, or missing and to be asked."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from voicesim.language.data import load
from voicesim.language.patterns import plain
from voicesim.language.sentences import split
from voicesim.rubrics.model import Need, NeedKind


@dataclass(frozen=True)
class Wanted:
    """A need, what it is worth, and the topics of a question that asks about it (of a missing one)."""

    need: Need
    points: int
    topics: tuple[str, ...] = ()


def wanted(question: str, known: str = "", language: str = "en") -> tuple[Wanted, ...]:
    """The needs of a question. `known` is what else is told of the person (age, sex), and not missing then."""
    data = load("intent", language)
    said = [*_said(question, data["instructions"], "instruction"), *_said(question, data["cues"], "cue")]
    text = plain(f"{question} {known}")
    lost = [_lost(row) for row in data["missing"] if _applies(row, text)]
    return (*said, *lost)


def _said(question: str, rows: list[Mapping[str, Any]], kind: NeedKind) -> Iterator[Wanted]:
    for number, row in enumerate(rows, start=1):
        quote = next((sentence for sentence in split(question) if _holds(row["any"], plain(sentence))), "")
        if quote:
            yield Wanted(Need(id=f"{kind}-{number}", kind=kind, says=row["asks"], quote=quote), row["points"])


def _lost(row: Mapping[str, Any]) -> Wanted:
    need = Need(id=f"missing-{row['name']}", kind="missing", says=row["asks"])
    return Wanted(need, row["points"], tuple(row["topics"]))


def _applies(row: Mapping[str, Any], text: str) -> bool:
    return not _holds(row["told_by"], text) and (_holds(row["only_if"], text) if "only_if" in row else True)


def _holds(expressions: list[str], text: str) -> bool:
    return any(re.search(expression, text) for expression in expressions)
