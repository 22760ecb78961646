"""Who stands behind something that was drafted, and since when."""

from datetime import date
from typing import Annotated

from pydantic import AfterValidator, Field

from voicesim.catalog.entry import Entry


def _day(given: str) -> str:
    try:
        return date.fromisoformat(given).isoformat()
    except ValueError as error:
        raise ValueError(f"{given!r} is no day; write it as 2026-03-31") from error


Day = Annotated[str, AfterValidator(_day)]
"""A day, written as 2026-03-31."""


class Signature(Entry):
    """A person who read it and agrees, and the day of it."""

    by: str = Field(min_length=1)
    on: Day
