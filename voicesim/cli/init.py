"""`voicesim init`: a small project of your own."""

from pathlib import Path
from typing import Annotated

import typer

from voicesim.cli.telling import echo


def init(
    folder: Annotated[Path, typer.Argument(help="Where the project goes; it is made where it is not there.")] = Path(),
) -> None:
    """Write a small project that runs as it is: a case, a persona, a profile, an agent, a suite, a CI workflow.

    Ends with 2, and writes nothing, when one of its files is there already.
    """
    from voicesim.suite.starting import start_project

    for path in start_project(folder):
        echo(f"written: {path}")
    lead = "" if folder == Path() else f"cd {folder} && "
    echo(f"Next: {lead}voicesim suite suites/first.yaml")
