"""Speech kept on disk, so that the same words are made (or bought) once."""

import hashlib
import json
import os
import tempfile
from pathlib import Path

import numpy as np

from voicesim.audio.samples import Pcm

LIMIT = 512 * 2**20
"""Bytes above which the entries that were used longest ago are deleted."""

_DIGEST = hashlib.sha256().digest_size


class SpeechCache:
    """One file an entry: the sha256 of the samples, then the samples (int16, little endian).

    A cache that cannot be read or written is no failure: the speech is simply made again.
    """

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        self._folder, self._limit = folder, limit

    def get(self, key: tuple[str | float, ...]) -> Pcm | None:
        """The samples of a key; None when there is no whole, undamaged entry."""
        file = self._file(key)
        try:
            content = file.read_bytes()
            os.utime(file)
        except OSError:
            return None
        digest, body = content[:_DIGEST], content[_DIGEST:]
        if len(content) <= _DIGEST or len(body) % 2 or hashlib.sha256(body).digest() != digest:
            return None
        return np.frombuffer(body, "<i2").astype(np.int16)

    def put(self, key: tuple[str | float, ...], pcm: Pcm) -> None:
        """Keep the samples of a key; whoever reads meanwhile sees the old entry or the whole new one."""
        body = pcm.astype("<i2").tobytes()
        file = self._file(key)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".part")
            with os.fdopen(handle, "wb") as out:
                out.write(hashlib.sha256(body).digest() + body)
            Path(name).replace(file)
            self._prune()
        except OSError:
            return

    def _file(self, key: tuple[str | float, ...]) -> Path:
        name = hashlib.sha256(json.dumps(key).encode()).hexdigest()[:40]
        return self._folder / f"{name}.pcm"

    def _prune(self) -> None:
        entries = [(entry.stat(), Path(entry)) for entry in os.scandir(self._folder) if entry.name.endswith(".pcm")]
        total = sum(stat.st_size for stat, _ in entries)
        for stat, file in sorted(entries, key=lambda entry: entry[0].st_mtime):
            if total <= self._limit:
                return
            file.unlink(missing_ok=True)
            total -= stat.st_size
