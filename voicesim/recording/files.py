"""Files of a recording folder: written whole or not at all, never through a link; errors name them."""

import errno
import os
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

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

JSON_LIMIT = 16 * 2**20
"""Bytes of one JSON file of a recording; the transcript of a call of two hours has some 5 MB."""
BOM = b"\xef\xbb\xbf"
ABANDONED = 3600
"""Seconds after which a half-written file belongs to a process that is gone."""
_LINK = "{} is a link; a recording holds only files of its own"

Model = TypeVar("Model", bound=BaseModel)


def write_text(path: Path, text: str) -> None:
    """Replace a file's content in one step; on any failure the old file stays and no scrap is left."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replaced(path.parent, path.name) as handle, os.fdopen(handle, "wb") as file:
        file.write(text.encode("utf-8"))


@contextmanager
def replaced(folder: Path, name: str) -> Iterator[int]:
    """Gives the descriptor of a new file, which the caller closes; without an error it takes the place of `name`.

    The new file is made exclusively, under a name nobody can guess, so that no link can lead it elsewhere.
    """
    with _inside(folder, name, make=True) as (place, last):
        _clear_scraps(place, last)
        scrap = f".{last}.{secrets.token_hex(8)}.tmp"
        handle = os.open(scrap, os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_RDWR, 0o666, dir_fd=place)
        try:
            yield handle
            os.rename(scrap, last, src_dir_fd=place, dst_dir_fd=place)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(scrap, dir_fd=place)


def opened(folder: Path, name: str, limit: int) -> BinaryIO:
    """A file of a recording, to be read; `name` is relative to the folder.

    Raises FileNotFoundError, and RecordingError for a link, for anything that is no plain file, and for one of more
    than `limit` bytes.
    """
    path = folder / name
    with _inside(folder, name) as (place, last):
        handle = os.open(last, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=place)
    file = os.fdopen(handle, "rb")
    status = os.fstat(handle)
    if stat.S_ISREG(status.st_mode) and status.st_size <= limit:
        return file
    file.close()
    if not stat.S_ISREG(status.st_mode):
        raise RecordingError(f"{path} is no file")
    raise too_large(path, status.st_size, limit)


def too_large(path: Path, size: int, limit: int) -> RecordingError:
    """The error for a file that no call could have filled."""
    return RecordingError(f"{path} has {size / 1e6:,.1f} MB; of a call it can have {limit / 1e6:,.1f} MB at most")


def check_name(folder: Path) -> None:
    """Raises RecordingError for a path that is not UTF-8: no JSON and no page could name it."""
    try:
        str(folder).encode("utf-8")
    except UnicodeEncodeError as error:
        shown = os.fsencode(folder).decode("utf-8", "backslashreplace")
        raise RecordingError(f"{shown}: this name is not UTF-8; rename it") from error


def refuse_links(folder: Path) -> None:
    """Raises RecordingError, with its name, for a link in a recording or in one of the folders that voicesim makes."""
    for place in (folder, folder / LIVE, folder / VERDICTS):
        if place.is_dir():
            with os.scandir(place) as entries:
                for name in sorted(entry.name for entry in entries if entry.is_symlink()):
                    raise RecordingError(f"{place / name}: {_LINK.format(name)}")


def save(folder: Path, name: str, model: BaseModel) -> Path:
    """Write a derived file of a recording as JSON; the same model gives the same bytes. Returns its path."""
    with replaced(folder, name) as handle, os.fdopen(handle, "wb") as file:
        file.write(model.model_dump_json(indent=1).encode("utf-8") + b"\n")
    return folder / name


def load(folder: Path, name: str, model: type[Model]) -> Model:
    """Read a JSON file of a recording; a byte order mark before it is passed over.

    Raises RecordingError when it is missing, too large or a link, or does not fit the model.
    """
    try:
        return model.model_validate(load_json(folder, name))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise RecordingError(f"{folder / name}: {place}: {first['msg']}{_remade(name)}") from error


def load_json(folder: Path, name: str) -> Any:
    """The plain data of a JSON file of a recording. Raises RecordingError as `load` does; a number is always finite."""
    path = folder / name
    try:
        with opened(folder, name, JSON_LIMIT) as file:
            return from_json(file.read().removeprefix(BOM), allow_inf_nan=False)
    except FileNotFoundError as error:
        raise RecordingError(f"{path} is not there") from error
    except ValueError as error:
        raise RecordingError(f"{path} is no JSON: {error}{_remade(name)}") from error


def _remade(name: str) -> str:
    return "" if name == MANIFEST else "; it is derived: delete it and make it again (voicesim transcribe, score)"


@contextmanager
def _inside(folder: Path, name: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
    """The descriptor of the folder that holds a file of a recording, and the file's name in it.

    The recording's own folder may be reached by links; below it none is followed. With `make`, a folder on the way
    is made when it is missing.
    """
    *parents, last = name.split("/")
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for parent in parents:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(parent, dir_fd=place)
            below = os.open(parent, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=place)
            os.close(place)
            place = below
        yield place, last
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise RecordingError(f"{folder / name}: {_odd(folder, name)}") from error
        raise
    finally:
        os.close(place)


def _odd(folder: Path, name: str) -> str:
    """What is wrong on the way to a file that could not be opened for what it is."""
    path = folder
    for part in name.split("/"):
        path /= part
        if path.is_symlink():
            return _LINK.format(path.name)
    return "what should be a folder on the way is none"


def _clear_scraps(place: int, name: str) -> None:
    """Delete what a killed process left half-written under the names that `replaced` gives."""
    with os.scandir(place) as entries:
        scraps = [entry for entry in entries if entry.name.startswith(f".{name}.") and entry.name.endswith(".tmp")]
        for scrap in scraps:
            with suppress(OSError):
                if time.time() - scrap.stat(follow_symlinks=False).st_mtime > ABANDONED:
                    os.unlink(scrap.name, dir_fd=place)
