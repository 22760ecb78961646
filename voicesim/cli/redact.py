"""`voicesim redact`: a copy of a recording without some words."""

from pathlib import Path
from typing import Annotated

import typer

from voicesim.cli.telling import echo


def redact(
    recording: Annotated[Path, typer.Argument(help="A recording folder that is transcribed.")],
    words: Annotated[
        list[str] | None, typer.Option("--words", help="Words to take out, as they are said. Repeatable.")
    ] = None,
    entity: Annotated[
        list[str] | None, typer.Option(help="Kinds to take out: name, date, number, address, email, all. Repeatable.")
    ] = None,
    tone: Annotated[bool, typer.Option("--tone", help="A tone in the sound instead of silence.")] = False,
    out: Annotated[Path | None, typer.Option(help="Folder of the copy; by default beside the original.")] = None,
) -> None:
    """Write a copy in which words are silence (or a tone) in the sound and marks in every text.

    The original stays as it is. Kinds are found by rules, which can overlook some: listen to the copy.
    """
    from voicesim.errors import UsageError, near
    from voicesim.language.personal import ENTITIES
    from voicesim.transcript.redaction import Wanted, redact_recording

    named = entity or []
    for name in named:
        if name not in (*ENTITIES, "all"):
            raise UsageError(f"--entity {name}: no such kind.{near(name, (*ENTITIES, 'all'))}")
    kinds = tuple(kind for kind in ENTITIES if kind in named or "all" in named)
    place = out or recording.with_name(f"{recording.resolve().name}-redacted")
    redacted = redact_recording(recording, place, Wanted(tuple(words or ()), kinds, "tone" if tone else "silence"))
    echo(f"{place}: {redacted.stretches} stretches are {redacted.sound} now; pages have to be made again")
