"""The background of a line as a loop, whichever way it is made."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.random import Generator

from voicesim.audio.samples import read_wav, rms_db
from voicesim.catalog.model import Noise
from voicesim.channel.noise import Loop
from voicesim.errors import CatalogueError
from voicesim.registry import BACKGROUNDS

_SILENT_DB = -90.0


def loop_of(noise: Noise, random: Generator) -> Loop:
    """A loop of the asked kind, float64 at 24,000 Hz and at no particular level.

    Raises CatalogueError for a sound file that is missing, cannot be read or holds only silence.
    """
    if noise.kind == "file":
        return _from_file(Path(noise.path))
    make: Callable[[Generator], Loop] = BACKGROUNDS.load(noise.kind)
    return make(random)


def _from_file(path: Path) -> Loop:
    key = "noise.path"
    if not path.is_file():
        raise CatalogueError(f"there is no noise file {path}", key=key)
    try:
        wave = read_wav(path)
    except (OSError, ValueError) as error:
        raise CatalogueError(f"the noise file cannot be read: {error}", key=key) from error
    if rms_db(wave) < _SILENT_DB:
        raise CatalogueError(f"the noise file {path} holds only silence", key=key)
    return wave.astype(np.float64)
