"""Files of a recording folder: written whole or not at all, and read with an error that names them."""

import os
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from voicesim.errors import RecordingError

MANIFEST = "call.json"
EVENTS = "events.jsonl"
AUDIO = "audio.flac"
CLEAN = "caller_clean.flac"
LIVE = "live"
TRANSCRIPT = "transcript.json"
METRICS = "metrics.json"
VERDICTS = "verdicts"
SCORECARD = "scorecard.html"

Model = TypeVar("Model", bound=BaseModel)


def write_text(path: Path, text: str) -> None:
    """Replace a file's content in one step; on any failure the old file stays and no scrap is left."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scrap = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        scrap.write_text(text, encoding="utf-8")
        scrap.replace(path)
    finally:
        scrap.unlink(missing_ok=True)


def save(folder: Path, name: str, model: BaseModel) -> Path:
    """Write a derived file of a recording as JSON; the same model gives the same bytes. Returns its path."""
    path = folder / name
    write_text(path, model.model_dump_json(indent=1) + "\n")
    return path


def load(folder: Path, name: str, model: type[Model]) -> Model:
    """Read a JSON file of a recording.

    Raises RecordingError when it is missing or does not fit the model.
    """
    path = folder / name
    try:
        return model.model_validate_json(path.read_bytes())
    except FileNotFoundError as error:
        raise RecordingError(f"{path} is not there") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        hint = "" if name == MANIFEST else "; it is derived: delete it and make it again (voicesim transcribe, score)"
        raise RecordingError(f"{path}: {place}: {first['msg']}{hint}") from error
