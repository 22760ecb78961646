"""A persona with another voice, accent or pace, as one is named on the command line."""

from typing import Any

from pydantic import ValidationError

from voicesim.catalog.model import Persona
from voicesim.errors import UsageError


def changed(
    persona: Persona, *, voice: str | None = None, accent: str | None = None, rate: float | None = None
) -> Persona:
    """The persona with `voice` (ENGINE:NAME), `accent` (NAME or NAME:STRENGTH) or `rate` in place of its own.

    Raises UsageError for one that cannot be. Whether an engine has such a voice is only known when it speaks.
    """
    values: dict[str, Any] = persona.model_dump()
    if voice is not None:
        engine, _, name = voice.partition(":")
        if not name:
            raise UsageError(f"a voice is ENGINE:NAME, such as kokoro:bf_emma (`voicesim list voices`), not {voice!r}")
        values["voice"] = {"engine": engine, "name": name}
    if accent is not None:
        name, _, strength = accent.partition(":")
        values["accent"] = {"name": name, "strength": strength or 1.0}
    if rate is not None:
        values["rate"] = rate
    try:
        return Persona.model_validate(values)
    except ValidationError as error:
        raise UsageError("; ".join(detail["msg"].removeprefix("Value error, ") for detail in error.errors())) from error
