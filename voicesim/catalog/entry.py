"""What everything that people write has in common."""

from typing import Annotated

from pydantic import Field

from voicesim.frozen import Frozen

Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")]
Words = tuple[Annotated[str, Field(min_length=1)], ...]


class Entry(Frozen, str_strip_whitespace=True):
    """Base of everything in the catalogue; white space around a text is dropped."""
