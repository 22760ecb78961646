"""The sound of a recording as FLAC, read and written block by block: its size is known before it is decoded."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from voicesim.audio.samples import RATE, Pcm
from voicesim.errors import RecordingError
from voicesim.recording import files

LONGEST = 2 * 3600
"""Seconds a call may last; more sound than this is not read."""
FILE_LIMIT = LONGEST * RATE * 2 * 2 + 2**20
"""Bytes of a FLAC file: what the longest call takes in stereo if nothing of it can be compressed."""
BLOCK = 60 * RATE
"""Samples that are read or written at once."""


def read(folder: Path, name: str, channels: int) -> tuple[Pcm, ...]:
    """Each channel of a FLAC file: int16 at 24,000 Hz.

    Raises RecordingError when it is missing, no FLAC of so many channels at that rate, or longer than a call may be.
    """
    position = 0
    with _opened(folder, name, channels) as source:
        sound = tuple(np.empty(source.frames, np.int16) for _ in range(channels))
        while len(block := source.read(BLOCK, dtype="int16", always_2d=True)):
            for channel, samples in zip(sound, block.T, strict=True):
                channel[position : position + len(block)] = samples
            position += len(block)
    return tuple(channel[:position] for channel in sound)


def length(folder: Path, name: str, channels: int) -> int:
    """Samples in a FLAC file as its header tells, nothing decoded. Raises as `read` does."""
    with _opened(folder, name, channels) as source:
        return int(source.frames)


def write(folder: Path, name: str, channels: int, blocks: Iterable[Pcm]) -> None:
    """Write a FLAC file in one step from blocks of int16, shape (samples, channels). Raises OSError."""
    import soundfile

    try:
        with (
            files.replaced(folder, name) as handle,
            soundfile.SoundFile(handle, "w", RATE, channels, subtype="PCM_16", format="FLAC") as file,
        ):
            for block in blocks:
                file.write(block)
    except soundfile.LibsndfileError as error:
        raise OSError(f"{folder / name}: cannot be written ({error})") from error


@contextmanager
def _opened(folder: Path, name: str, channels: int) -> Iterator[Any]:
    """A FLAC file, open as a soundfile.SoundFile, of which is known that it can be the sound of a call."""
    import soundfile

    path = folder / name
    try:
        with (
            files.opened(folder, name, FILE_LIMIT) as file,
            soundfile.SoundFile(file.fileno(), closefd=False) as source,
        ):
            if source.format != "FLAC":
                raise RecordingError(f"{path}: {source.format}, not FLAC")
            if source.samplerate != RATE:
                raise RecordingError(f"{path}: {source.samplerate} Hz, not {RATE}")
            if source.channels != channels:
                raise RecordingError(f"{path}: {source.channels} channels, not {channels}")
            if not 0 <= source.frames <= LONGEST * RATE:
                longest = f"{LONGEST // 3600} h"
                raise RecordingError(
                    f"{path} has {source.frames / RATE / 3600:,.1f} h of sound; a call has at most {longest}"
                )
            yield source
    except FileNotFoundError as error:
        raise RecordingError(f"{path} is not there") from error
    except (OSError, soundfile.LibsndfileError) as error:
        raise RecordingError(f"{path}: cannot be read ({error})") from error
