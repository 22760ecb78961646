"""The folder of a call while it is live: raw sound and events that survive a kill at any moment.

`live/` holds one headerless little-endian int16 file per channel, written without buffering, and a lock
that the operating system drops when the process dies. When the call ends they become FLAC.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from voicesim.audio.samples import RATE, TICK, Pcm
from voicesim.errors import RecordingError, WriteError
from voicesim.recording import files, flac
from voicesim.recording.events import EVENTS_LIMIT, LINE_LIMIT, MOST_EVENTS, Event, Hangup, Warning_
from voicesim.recording.manifest import Manifest

CHANNELS = ("caller", "agent", "clean")
SOUND = {files.AUDIO: ("caller", "agent"), files.CLEAN: ("clean",)}
"""Which channels become which FLAC file."""
SHORTEST = TICK
"""Samples of the shortest recording: a FLAC file without a sample cannot be read back."""
LOCK = "lock"
RAW_LIMIT = flac.LONGEST * RATE * 2
"""Bytes of one channel of the longest call."""
_NEW = os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
_LEFT_FOR_THE_END = 4
"""Events, and as many times the length of the longest, that are kept for how the call ended."""


class LiveRecording:
    """Writes one call. Use as a context manager; `finish` makes it a whole recording.

    Every write may raise WriteError (a full disk); what was written before stays loadable.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest
        self._made: list[Path] = []
        self._handles: dict[str, int] = {}
        self._events = self._bytes = 0
        self._full = False

    def __enter__(self) -> Self:
        """Raises RecordingError when there is something in the folder, WriteError when it cannot be written."""
        with self._telling():
            if self.folder.is_dir() and any(self.folder.iterdir()):
                raise RecordingError(f"{self.folder}: there is a recording already, or something else")
            self._made = [path for path in (self.folder, *self.folder.parents) if not path.exists()]
            live = self.folder / files.LIVE
            live.mkdir(parents=True)
            self._handles["lock"] = lock(self.folder)
            for name in CHANNELS:
                self._handles[name] = os.open(live / f"{name}.pcm", _NEW | os.O_RDWR, 0o666)
            events = os.open(self.folder / files.EVENTS, _NEW | os.O_WRONLY | os.O_APPEND, 0o666)
            self._handles["events"] = events
            files.save(self.folder, files.MANIFEST, self.manifest)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def discard(self) -> None:
        """No call came about: what was made for it is deleted, and so are the folders that were made for it."""
        self._close()
        remove_live(self.folder)
        for name in (files.EVENTS, files.MANIFEST):
            (self.folder / name).unlink(missing_ok=True)
        for path in self._made:
            with suppress(OSError):
                path.rmdir()

    def write(self, channel: str, position: int, pcm: Pcm) -> None:
        """Put samples at a position (in samples) of one channel; what was there is replaced."""
        data = pcm.astype("<i2").tobytes()
        with self._telling():
            written = os.pwrite(self._handles[channel], data, position * 2)
            if written < len(data):  # the kernel took a part: asking for the rest raises the reason
                os.pwrite(self._handles[channel], data[written:], position * 2 + written)

    def event(self, event: Event) -> None:
        """Append one event line. What a recording cannot hold is left out, with one warning; never the hang-up."""
        line = _line(event)
        room = 1 if isinstance(event, Hangup) else _LEFT_FOR_THE_END
        fits = self._events < MOST_EVENTS - room and self._bytes + len(line) < EVENTS_LIMIT - room * LINE_LIMIT
        if len(line) >= LINE_LIMIT or not fits:
            if self._full:
                return
            self._full = True
            message = "the call has more events than a recording can hold; some are left out"
            line = _line(Warning_(t=event.t, message=message))
        with self._telling():
            os.write(self._handles["events"], line)
        self._events, self._bytes = self._events + 1, self._bytes + len(line)

    def finish(self, update: Callable[[Manifest, float], Manifest]) -> Manifest:
        """Close the call: FLAC files, then the manifest as `update(manifest, duration)` gives it.

        `live/` goes last, so a failure at any step leaves a folder that can still be repaired.
        """
        with self._telling():
            length = max(SHORTEST, raw_length(self.folder))
            for name in SOUND:
                compress(self.folder, name, length)
            manifest = update(self.manifest, length / RATE)
            files.save(self.folder, files.MANIFEST, manifest)
            remove_live(self.folder)
        return manifest

    def _close(self) -> None:
        for handle in self._handles.values():
            os.close(handle)
        self._handles = {}

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = error.strerror or str(error)
            raise WriteError(
                f"{self.folder}: the recording could not be written: {reason}. What was recorded before can be "
                "opened once there is room."
            ) from error


def _line(event: Event) -> bytes:
    return event.model_dump_json().encode() + b"\n"


def lock(folder: Path) -> int:
    """Take the lock of a live recording and return its descriptor.

    Raises RecordingError when a running process holds it, FileNotFoundError when `live/` is gone meanwhile.
    """
    path = folder / files.LIVE / LOCK
    handle = os.open(path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(handle)
        raise RecordingError(f"{folder}: this call is being recorded right now") from error
    return handle


def raw_length(folder: Path) -> int:
    """Samples of the longest channel of a live recording; 0 without any.

    Raises RecordingError for one that is longer than a call may be, or no plain file.
    """
    return max(_length(folder, name) for name in CHANNELS)


def compress(folder: Path, name: str, length: int) -> None:
    """Write one of the FLAC files from the live ones, padded with silence to a number of samples. Raises OSError."""
    channels = SOUND[name]
    flac.write(folder, name, len(channels), _blocks(folder, channels, length))


def remove_live(folder: Path) -> None:
    """Delete the live files of a call that has become whole; a file that is not voicesim's stays."""
    live = folder / files.LIVE
    for name in (*(f"{channel}.pcm" for channel in CHANNELS), LOCK):
        (live / name).unlink(missing_ok=True)
    with suppress(OSError):
        live.rmdir()


def _length(folder: Path, channel: str) -> int:
    try:
        with files.opened(folder, f"{files.LIVE}/{channel}.pcm", RAW_LIMIT) as file:
            return os.fstat(file.fileno()).st_size // 2
    except FileNotFoundError:
        return 0


def _blocks(folder: Path, channels: tuple[str, ...], length: int) -> Iterator[Pcm]:
    """The live sound of some channels, interleaved, in blocks; silence where a file has ended or is missing."""
    for start in range(0, length, flac.BLOCK):
        block = np.zeros((min(flac.BLOCK, length - start), len(channels)), np.int16)
        for index, channel in enumerate(channels):
            sound = _samples(folder, channel, start, len(block))
            block[: len(sound), index] = sound
        yield block


def _samples(folder: Path, channel: str, start: int, count: int) -> Pcm:
    try:
        with files.opened(folder, f"{files.LIVE}/{channel}.pcm", RAW_LIMIT) as file:
            file.seek(start * 2)
            data = file.read(count * 2)
    except FileNotFoundError:
        return np.zeros(0, np.int16)
    return np.frombuffer(data[: len(data) // 2 * 2], dtype="<i2").astype(np.int16)
