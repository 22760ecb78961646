"""`voicesim check`: is what people wrote right?"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from voicesim.cli.telling import echo


def check(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Files or folders. None: the catalogue of this directory and the shipped one."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Validate cases, personas, audio profiles, agent files and model files.

    Prints each problem as file:line: key: what is wrong. Ends with 2 if there is any problem.
    """
    from voicesim.catalog.check import Spoken
    from voicesim.catalog.check import check as check_paths
    from voicesim.catalog.find import Catalogue
    from voicesim.catalog.model import Case

    def spoken() -> Spoken:
        from voicesim.tts.engines import accents, voices

        return Spoken(voices=voices(), accents=accents())

    def opening(case: Case) -> str:
        from voicesim.caller.opening import opening_fault

        return opening_fault(case)

    catalogue = Catalogue.here()
    checked = check_paths(paths or catalogue.folders(), catalogue, spoken, opening)
    if as_json:
        echo(
            json.dumps(
                {
                    "files": [str(path) for path in checked.files],
                    "notes": [{"file": str(path), "note": note} for path, note in checked.notes],
                    "problems": [asdict(problem) for problem in checked.problems],
                },
                indent=2,
            )
        )
    else:
        for problem in checked.problems:
            echo(str(problem))
        for path, note in checked.notes:
            echo(f"{path}: note: {note}")
        echo(_count(len(checked.files), "file") + " checked, " + _count(len(checked.problems), "problem"))
    if checked.problems:
        raise typer.Exit(2)


def _count(number: int, name: str) -> str:
    return f"{number or 'no'} {name}{'' if number == 1 else 's'}"
