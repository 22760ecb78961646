"""Open a recording folder; what a killed process left half-written is repaired on the way."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from voicesim.audio.samples import RATE, Pcm
from voicesim.errors import RecordingError
from voicesim.recording import files, repair
from voicesim.recording.events import EVENT, Event
from voicesim.recording.manifest import Manifest


@dataclass(frozen=True)
class Recording:
    """A finished call. Sound is int16 at 24,000 Hz; all channels have the same length."""

    folder: Path
    manifest: Manifest
    events: tuple[Event, ...]

    @property
    def duration(self) -> float:
        """Length of the recording in seconds."""
        return len(self.caller) / RATE

    @property
    def caller(self) -> Pcm:
        """The caller as sent, after the channel."""
        return self._stereo[0]

    @property
    def agent(self) -> Pcm:
        """The agent as heard at the caller's ear."""
        return self._stereo[1]

    @cached_property
    def clean(self) -> Pcm:
        """The caller before the channel, on the same clock."""
        sound = _read_flac(self.folder / files.CLEAN)[:, 0]
        missing = len(self.caller) - len(sound)
        if missing:
            raise RecordingError(f"{self.folder / files.CLEAN}: {missing} samples shorter than {files.AUDIO}")
        return sound

    @cached_property
    def _stereo(self) -> tuple[Pcm, Pcm]:
        sound = _read_flac(self.folder / files.AUDIO)
        if sound.shape[1] != 2:
            raise RecordingError(f"{self.folder / files.AUDIO}: {sound.shape[1]} channels, not caller and agent")
        return np.ascontiguousarray(sound[:, 0]), np.ascontiguousarray(sound[:, 1])


def open_recording(folder: Path) -> Recording:
    """Read a recording; a half-written one is first made whole and marked repaired.

    Raises RecordingError when the folder is none, is being recorded right now, or lacks its sound.
    """
    if not (folder / files.MANIFEST).is_file():
        raise RecordingError(f"{folder}: no recording here ({files.MANIFEST} is not there)")
    if (folder / files.LIVE).is_dir():
        repair.make_whole(folder)
    manifest = files.load(folder, files.MANIFEST, Manifest)
    recording = Recording(folder, manifest, read_events(folder / files.EVENTS))
    if not (folder / files.AUDIO).is_file():
        raise RecordingError(f"{folder / files.AUDIO} is not there")
    return recording


def read_events(path: Path) -> tuple[Event, ...]:
    """All events of a call in file order; a last line that was cut off by a crash is left out.

    Raises RecordingError with the line number for any other line that is no event.
    """
    lines = path.read_bytes().split(b"\n") if path.is_file() else []
    whole, tail = lines[:-1], lines[-1:]
    events: list[Event] = []
    for number, line in enumerate(whole, start=1):
        try:
            events.append(EVENT.validate_json(line))
        except ValidationError as error:
            raise RecordingError(f"{path}:{number}: {error.errors()[0]['msg']}") from error
    for line in tail:
        try:
            events.append(EVENT.validate_json(line))
        except ValidationError:
            break  # the process died inside this line
    return tuple(events)


def find_recordings(*paths: Path) -> list[Path]:
    """The recording folders at or below some paths, each once: path by path, in the order of their names.

    Raises RecordingError for a path without any.
    """
    return list(dict.fromkeys(folder for path in paths for folder in _below(path)))


def _below(path: Path) -> list[Path]:
    if (path / files.MANIFEST).is_file():
        return [path]
    found = sorted(one.parent for one in path.rglob(files.MANIFEST))
    if not found:
        raise RecordingError(f"{path}: no recording here or below ({files.MANIFEST} is not there)")
    return found


def _read_flac(path: Path) -> Pcm:
    import soundfile

    try:
        data, rate = soundfile.read(path, dtype="int16", always_2d=True)
    except (OSError, soundfile.LibsndfileError) as error:
        raise RecordingError(f"{path}: cannot be read ({error})") from error
    if rate != RATE:
        raise RecordingError(f"{path}: {rate} Hz, not {RATE}")
    return np.asarray(data, dtype=np.int16)
