"""Options that several commands share: each is said once, so that it means and reads the same everywhere."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Clock(StrEnum):
    """What time a call runs on."""

    live = "live"
    virtual = "virtual"


class EngineName(StrEnum):
    """Where calls are made."""

    local = "local"
    ray = "ray"


AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object, and nothing else.")]
AtOnce = Annotated[
    int | None, typer.Option(min=1, max=256, help="Calls side by side; left out, as many as the machine has room for.")
]
Brain = Annotated[
    str | None, typer.Option(help="Brain of a reference agent: rules, booking, openai:MODEL or a model file.")
]
OnEngine = Annotated[EngineName, typer.Option("--engine", help="ray: on a Ray cluster that is running.")]
RayAddress = Annotated[
    str | None, typer.Option(help="Of the Ray cluster; left out, RAY_ADDRESS or the one of this machine.")
]
Store = Annotated[
    str | None,
    typer.Option(help="With ray, a URL for recordings, such as s3://bucket/calls; left out, machines share --out."),
]
Ear = Annotated[
    str, typer.Option(help="Whisper model with which the patient understands: base, or tiny.en for slow machines.")
]
MaxDuration = Annotated[float, typer.Option(min=5, help="Seconds after which a call ends.")]
MaxTurns = Annotated[int, typer.Option(min=1, help="Lines of the patient after which a call ends.")]
On = Annotated[Clock, typer.Option(help="virtual: no waiting, the same bytes every time; for python: agents only.")]
Out = Annotated[Path, typer.Option(help="Folder for recordings.")]
Recordings = Annotated[list[Path], typer.Argument(help="Recording folders, or folders that hold some.")]
Suite = Annotated[str | None, typer.Option(help="Name of the folder for these calls.")]
Virtual = Annotated[bool, typer.Option("--virtual", help="On virtual time: no waiting; for python: agents only.")]
Whisper = Annotated[str, typer.Option(help="Whisper model of the transcript: base, a folder or a size.")]
