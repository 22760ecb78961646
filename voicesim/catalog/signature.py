"""Who stands behind something that was drafted, and since when."""

from datetime import date
from typing import Annotated

from pydantic import BeforeValidator, Field

from voicesim.catalog.entry import Entry


def _day(given: object) -> object:
    return date.fromisoformat(given) if isinstance(given, str) else given


Day = Annotated[date, BeforeValidator(_day)]
"""A day as YAML and JSON write it: 2026-03-31."""


class Signature(Entry):
    """A person who read it and agrees, and the day of it."""

    by: str = Field(min_length=1)
    on: Day
