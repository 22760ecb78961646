"""`voicesim export`: recordings as sound, captions, pages to read, or tables."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from voicesim.cli import options
from voicesim.cli.telling import echo


class Form(StrEnum):
    """What a recording can become."""

    wav = "wav"
    srt = "srt"
    vtt = "vtt"
    rttm = "rttm"
    md = "md"
    jsonl = "jsonl"
    parquet = "parquet"


def export(
    recordings: options.Recordings,
    form: Annotated[
        Form,
        typer.Option("--as", help="wav: stereo sound; srt, vtt, rttm, md: the transcript; jsonl, parquet: tables."),
    ],
    out: Annotated[Path, typer.Option(help="Folder for the files.")] = Path("exported"),
) -> None:
    """Write each recording in another form, or tables of all calls, turns and verdicts.

    What was there under the same name is replaced. Prints the path of each file.
    """
    from voicesim.recording.read import find_recordings
    from voicesim.report.export import export as export_all

    for path in export_all(find_recordings(*recordings), form.value, out):
        echo(path)
