"""Where voicesim keeps what it would have to make, fetch or buy again."""

import contextlib
import hashlib
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

LIMIT = 512 * 2**20
"""Bytes above which the entries of a cache that were used longest ago are deleted."""
_DIGEST = hashlib.sha256().digest_size


def cache_folder() -> Path:
    """VOICESIM_CACHE, or `voicesim` in the user's cache folder of the platform."""
    if chosen := os.environ.get("VOICESIM_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "voicesim"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "voicesim"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "voicesim"


class DiskCache:
    """Entries by key, one file each: the sha256 of the content, then the content.

    A cache that cannot be read or written is no failure: it holds nothing then. It may be deleted at any time,
    and used by several processes at once. A key is anything that JSON can hold; `limit` is in bytes.
    """

    def __init__(self, folder: Path, suffix: str, limit: int = LIMIT) -> None:
        self._folder, self._suffix, self._limit = folder, suffix, limit

    def get(self, key: Any) -> bytes | None:
        """The content of a key; None when there is no whole, undamaged entry."""
        file = self._file(key)
        try:
            entry = file.read_bytes()
            os.utime(file)
        except OSError:
            return None
        digest, content = entry[:_DIGEST], entry[_DIGEST:]
        return content if hashlib.sha256(content).digest() == digest else None

    def put(self, key: Any, content: bytes) -> None:
        """Keep the content of a key; whoever reads meanwhile sees the old entry or the whole new one."""
        file = self._file(key)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".part")
            try:
                with os.fdopen(handle, "wb") as out:
                    out.write(hashlib.sha256(content).digest() + content)
                Path(name).replace(file)
            finally:
                Path(name).unlink(missing_ok=True)
            self._prune()
        except OSError:
            return

    def _file(self, key: Any) -> Path:
        name = hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()[:40]
        return self._folder / f"{name}{self._suffix}"

    def _prune(self) -> None:
        entries = []
        with os.scandir(self._folder) as listing:
            for entry in listing:
                if entry.name.endswith(self._suffix):
                    with contextlib.suppress(OSError):  # another process has pruned it
                        entries.append((entry.stat(), Path(entry)))
        total = sum(stat.st_size for stat, _ in entries)
        for stat, file in sorted(entries, key=lambda entry: entry[0].st_mtime):
            if total <= self._limit:
                return
            file.unlink(missing_ok=True)
            total -= stat.st_size
