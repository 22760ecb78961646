"""`voicesim open`: a scorecard in the browser."""

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from voicesim.cli.telling import echo


def open_scorecard(
    where: Annotated[
        Path, typer.Argument(help="A recording, or a folder that holds some; the newest scorecard is taken.")
    ] = Path("recordings"),
    show: Annotated[bool, typer.Option(help="Open it; --no-show only prints its path.")] = True,
) -> None:
    """Open the newest scorecard in the browser, and print its path.

    Ends with 2 when there is none.
    """
    from voicesim.errors import UsageError
    from voicesim.recording import files

    pages = [path for path in where.rglob(files.SCORECARD) if path.is_file()] if where.is_dir() else []
    if not pages:
        raise UsageError(f"{where}: no scorecard here yet; `voicesim run` and `voicesim report` write them")
    newest = max(pages, key=lambda path: (path.stat().st_mtime_ns, str(path)))
    echo(newest)
    if show and not webbrowser.open(newest.resolve().as_uri()):
        echo("no browser could be opened; open the file yourself", err=True)
