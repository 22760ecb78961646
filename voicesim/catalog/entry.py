"""What everything that people write has in common."""

from collections.abc import Callable
from typing import Annotated

from pydantic import AfterValidator, Field

from voicesim.errors import UsageError
from voicesim.frozen import Frozen
from voicesim.registry import Registry

Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=100)]
"""An id. It becomes part of a folder's name, which no file system takes at any length."""
Words = tuple[Annotated[str, Field(min_length=1)], ...]


def _has_a_letter(cue: str) -> str:
    if not any(letter.isalnum() for letter in cue):
        raise ValueError(f"{cue!r} has no letter or digit, so nothing that is said can hold it")
    return cue


def _spelled_out(cues: tuple[str, ...]) -> tuple[str, ...]:
    if not any(cue.startswith("@") for cue in cues):
        return cues
    from voicesim.language.topics import expanded

    return expanded(cues)


Cues = Annotated[
    tuple[Annotated[str, Field(min_length=1), AfterValidator(_has_a_letter)], ...], AfterValidator(_spelled_out)
]
"""Beginnings of words to listen for; `@breathing` stands for a list that comes with voicesim, and is replaced by it."""


class Entry(Frozen, str_strip_whitespace=True):
    """Base of everything in the catalogue; white space around a text is dropped."""


def named_in(registry: Registry, *also: str) -> Callable[[str], str]:
    """A validator for the name of a part: raises ValueError with the near names unless a table (or `also`) has it."""

    def known(name: str) -> str:
        try:
            if name not in also:
                registry.row(name)
        except UsageError as error:
            raise ValueError(str(error)) from error
        return name

    return known
