"""Background sound at a level against the speech."""

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from voicesim.audio.levels import ACTIVE_LEVEL_DB
from voicesim.audio.samples import RATE, rms_db
from voicesim.audio.sound_file import read_wav
from voicesim.catalog.profile import Noise
from voicesim.channel.effect import Out, Place, Sound
from voicesim.errors import CatalogueError
from voicesim.registry import BACKGROUNDS

_SILENT_DB = -90.0


class Background(Noise):
    """A loop of sound, 30 s long, that goes on through the whole call.

    The ratio is that of what leaves the channel: between the active level of the speech (ITU-T P.56) and the level of
    the noise, each behind all filters that come later.
    """

    key: ClassVar[str] = "background"

    def stage(self, place: Place) -> "BackgroundStage":
        loop = sound_of(self.kind, self.path, BACKGROUNDS.load, place.random)
        return BackgroundStage(loop * gain_of(loop, self.snr_db, place), place.random)


class BackgroundStage:
    """See Background; begins at a place of its own."""

    delay = 0

    def __init__(self, loop: Sound, random: Generator) -> None:
        self._loop, self._at = loop, int(random.integers(len(loop)))

    def process(self, tick: Sound, far: Sound) -> Out:
        places = np.arange(self._at, self._at + len(tick)) % len(self._loop)
        self._at = int(places[-1] + 1)
        return Out(tick + self._loop[places])


def gain_of(sound: Sound, snr_db: float, place: Place) -> float:
    """What a sound is multiplied by, so that behind later filters speech stands `snr_db` above it."""
    spectrum = np.square(np.abs(np.fft.rfft(sound)))
    spectrum[1:-1] *= 2.0
    hz = np.asarray(np.fft.rfftfreq(len(sound), 1.0 / RATE), np.float64)
    heard = float(np.sum(spectrum * place.later(hz))) / len(sound) ** 2
    wanted = 10 ** (ACTIVE_LEVEL_DB / 10) * place.speech.share(place.later) * 10 ** (-snr_db / 10)
    return float(np.sqrt(wanted / heard)) if heard > 0 else 0.0


def sound_of(kind: str, path: str, load: Callable[[str], Callable[[Generator], Sound]], random: Generator) -> Sound:
    """The sound of a file (kind `file`) or of a table's maker: float64 at 24,000 Hz and at no particular level.

    Raises CatalogueError for a sound file that is missing, cannot be read or holds only silence.
    """
    return _from_file(Path(path)) if kind == "file" else load(kind)(random)


def _from_file(path: Path) -> Sound:
    if not path.is_file():
        raise CatalogueError(f"there is no noise file {path}", key="noise.path")
    try:
        wave = read_wav(path)
    except (OSError, ValueError) as error:
        raise CatalogueError(f"the noise file cannot be read: {error}", key="noise.path") from error
    if rms_db(wave) < _SILENT_DB:
        raise CatalogueError(f"the noise file {path} holds only silence", key="noise.path")
    return wave.astype(np.float64)
