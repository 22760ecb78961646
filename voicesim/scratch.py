"""Temporary folders, which are gone at the end, or at the next start when their process was killed."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PREFIX = "voicesim-"
_LOCK = ".in-use"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A new folder that nobody else can read or guess; what killed processes left of theirs is deleted on the way."""
    _clear()
    with tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as name:
        handle = os.open(Path(name) / _LOCK, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield Path(name)
        finally:
            os.close(handle)


def _clear() -> None:
    with os.scandir(tempfile.gettempdir()) as entries:
        ours = [Path(entry.path) for entry in entries if entry.name.startswith(_PREFIX) and _is_ours(entry)]
    for folder in ours:
        if _abandoned(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _is_ours(entry: "os.DirEntry[str]") -> bool:
    with suppress(OSError):
        return entry.is_dir(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_uid == os.getuid()
    return False


def _abandoned(folder: Path) -> bool:
    """Whether nobody holds a folder's lock any more; the system lets go of it when a process dies."""
    try:
        handle = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return False  # it is being made, or somebody else's
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True
