"""`voicesim draft-case`: a case out of a call, to be read by a person."""

from pathlib import Path
from typing import Annotated

import typer

from voicesim.cli.telling import echo


def draft_case(
    recording: Annotated[Path, typer.Argument(help="A recording folder that is transcribed.")],
    out: Annotated[Path | None, typer.Option(help="The file; by default cases/ID.yaml.")] = None,
    case_id: Annotated[str, typer.Option("--id", help="The id of the case; by default from the recording.")] = "",
) -> None:
    """Draft a case from what was asked, told and judged in a call, with the quotes it came from.

    Personal details become invented ones and are listed. A person has to read the draft before it judges anybody.
    """
    import re

    from voicesim.errors import UsageError
    from voicesim.recording import files
    from voicesim.suite.draft_case import draft_case as drafted

    plain = re.sub(r"[^a-z0-9]+", "-", recording.resolve().name.lower()).strip("-")
    name = case_id or f"draft-{plain}"[:60].rstrip("-")
    path = out or Path("cases") / f"{name}.yaml"
    if path.exists():
        raise UsageError(f"{path}: there is a file already; name another with --out")
    files.write_text(path, drafted(recording, name))
    echo(f"{path}: read it, then: voicesim check {path}")
