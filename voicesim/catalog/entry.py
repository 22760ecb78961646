"""What everything that people write has in common."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")]
Words = tuple[Annotated[str, Field(min_length=1)], ...]


class Entry(BaseModel):
    """Base of everything in the catalogue: immutable, and a key that it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)
