"""Speech kept on disk, so that the same words are made (or bought) once."""

from pathlib import Path

import numpy as np

from voicesim.audio.samples import Pcm
from voicesim.cache import LIMIT, DiskCache


class SpeechCache:
    """Samples (int16) by all that they hang on."""

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        """`limit` in bytes."""
        self._entries = DiskCache(folder, ".pcm", limit)

    def get(self, key: tuple[str | float, ...]) -> Pcm | None:
        """The samples of a key; None when there is no whole, undamaged entry."""
        content = self._entries.get(key)
        if not content or len(content) % 2:
            return None
        return np.frombuffer(content, "<i2").astype(np.int16)

    def put(self, key: tuple[str | float, ...], pcm: Pcm) -> None:
        """Keep the samples of a key."""
        self._entries.put(key, pcm.astype("<i2").tobytes())
