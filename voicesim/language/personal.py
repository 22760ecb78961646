"""Personal details in a text: names, dates, numbers, addresses. What is found is a proposal, never all there is."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from voicesim.language.kinds import Date, Digits, Quantity, Year
from voicesim.language.values import read

Entity = Literal["name", "date", "number", "address", "email"]
ENTITIES: tuple[Entity, ...] = get_args(Entity)
_NAMED = re.compile(
    r"\b(?:[Mm]y name is|[Tt]his is|I am|I'm|[Nn]amed|[Cc]alled|Mr\.?|Mrs\.?|Ms\.?|Miss|Dr\.?|Doctor)\s+"
    r"((?:[A-Z][\w'’-]+)(?:\s+[A-Z][\w'’-]+){0,2})"
)
_ADDRESS = re.compile(
    r"\b\d{1,5}[a-z]?\s+(?:[A-Z][\w'’-]+\s+){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Close|Square|Way|Court)\b\.?"
    r"|\b(?:[A-Z][\w'’-]+\s+){1,3}(?:Street|Road|Avenue|Lane|Drive|Close|Square|Court)\s+\d{1,5}[a-z]?\b"
)
_EMAIL = re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b")
_LONG_NUMBER = re.compile(r"(?<![\w.])\+?\d(?:[ .()/-]?\d){5,14}(?!\w)")
_NO_NAMES = frozenset(
    ("I", "Okay", "Yes", "No", "Not", "Just", "Sorry", "Fine", "Here", "Calling", "Taking", "Having", "Feeling")
)


@dataclass(frozen=True)
class Personal:
    """A personal detail: what kind it is, and the characters [start, end) that hold it."""

    entity: Entity
    start: int
    end: int
    text: str


def personal(
    text: str, entities: Iterable[Entity] = ENTITIES, names: Iterable[str] = (), language: str = "en"
) -> list[Personal]:
    """The personal details of some kinds in a text, in order, none within another.

    `names` are known already. A number is a phone number or a code: what counts something is none.
    """
    wanted = set(entities)
    details = [*_matches("email", _EMAIL, text), *_matches("address", _ADDRESS, text)]
    details += [*_matches("number", _LONG_NUMBER, text), *_matches("name", _NAMED, text, 1)]
    for name in names:
        details += _matches("name", re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE), text)
    for reading in read(text, language):
        value = reading.value
        kind: Entity | None = "date" if isinstance(value, Date | Year) else "number" if _is_code(value) else None
        if kind is not None:
            details.append(Personal(kind, reading.start, reading.end, text[reading.start : reading.end]))
    chosen: list[Personal] = []
    for part in sorted(details, key=lambda detail: (detail.start, -detail.end)):
        if (
            part.entity in wanted
            and part.text.split()[0] not in _NO_NAMES
            and (not chosen or part.start >= chosen[-1].end)
        ):
            chosen.append(part)
    return chosen


def _matches(entity: Entity, pattern: re.Pattern[str], text: str, group: int = 0) -> list[Personal]:
    return [Personal(entity, *match.span(group), match.group(group)) for match in pattern.finditer(text)]


def _is_code(value: object) -> bool:
    """Whether a value is a string of digits that counts nothing."""
    return (isinstance(value, Digits) and len(value.text) > 3) or (
        isinstance(value, Quantity) and not value.unit and value.number >= 100_000
    )
