"""The folder of a call while it is live: raw sound and events that survive a kill at any moment.

`live/` holds one headerless little-endian int16 file per channel, written without buffering, and a lock
that the operating system drops when the process dies. When the call ends they become FLAC.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from voicesim.audio.samples import RATE, TICK, Pcm
from voicesim.errors import RecordingError, WriteError
from voicesim.recording import files
from voicesim.recording.events import Event
from voicesim.recording.manifest import Manifest

CHANNELS = ("caller", "agent", "clean")
LOCK = "lock"


class LiveRecording:
    """Writes one call. Use as a context manager; `finish` makes it a whole recording.

    Every write may raise WriteError (a full disk); what was written before stays loadable.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest

    def __enter__(self) -> Self:
        if (self.folder / files.MANIFEST).exists():
            raise RecordingError(f"{self.folder}: there is a recording already")
        live = self.folder / files.LIVE
        live.mkdir(parents=True, exist_ok=True)
        files.save(self.folder, files.MANIFEST, self.manifest)
        self._lock = lock(live)
        self._sound = {name: os.open(live / f"{name}.pcm", os.O_CREAT | os.O_RDWR, 0o644) for name in CHANNELS}
        self._events = (self.folder / files.EVENTS).open("ab", buffering=0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for handle in self._sound.values():
            os.close(handle)
        self._events.close()
        os.close(self._lock)

    def write(self, channel: str, position: int, pcm: Pcm) -> None:
        """Put samples at a position (in samples) of one channel; what was there is replaced."""
        data = pcm.astype("<i2").tobytes()
        with self._told():
            written = os.pwrite(self._sound[channel], data, position * 2)
            if written < len(data):  # the kernel took a part: asking for the rest raises the reason
                os.pwrite(self._sound[channel], data[written:], position * 2 + written)

    def event(self, event: Event) -> None:
        """Append one event line."""
        with self._told():
            self._events.write(event.model_dump_json().encode() + b"\n")

    def finish(self, update: Callable[[Manifest, float], Manifest]) -> Manifest:
        """Close the call: FLAC files, then the manifest as `update(manifest, duration)` gives it.

        `live/` goes last, so a failure at any step leaves a folder that can still be repaired.
        """
        with self._told():
            duration = compress(self.folder)
            manifest = update(self.manifest, duration)
            files.save(self.folder, files.MANIFEST, manifest)
            remove_live(self.folder)
        return manifest

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = error.strerror or str(error)
            raise WriteError(
                f"{self.folder}: the recording could not be written: {reason}. What was recorded before can be "
                "opened once there is room."
            ) from error


def lock(live: Path) -> int:
    """Take the lock of a live folder and return its descriptor.

    Raises RecordingError when a running process holds it.
    """
    handle = os.open(live / LOCK, os.O_CREAT | os.O_RDWR, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(handle)
        raise RecordingError(f"{live.parent}: this call is being recorded right now") from error
    return handle


def read_raw(folder: Path) -> dict[str, Pcm]:
    """The three channels of a live folder, padded with silence to the longest, and to one tick at least.

    (A FLAC file without a sample cannot be read back.)
    """
    sound = {}
    for name in CHANNELS:
        path = folder / files.LIVE / f"{name}.pcm"
        data = path.read_bytes() if path.is_file() else b""
        sound[name] = np.frombuffer(data[: len(data) // 2 * 2], dtype="<i2").astype(np.int16)
    length = max(TICK, *(len(pcm) for pcm in sound.values()))
    return {name: np.pad(pcm, (0, length - len(pcm))) for name, pcm in sound.items()}


def compress(folder: Path) -> float:
    """Write the FLAC files from the live ones and return the duration in seconds."""
    sound = read_raw(folder)
    _write_flac(folder / files.AUDIO, np.column_stack([sound["caller"], sound["agent"]]))
    _write_flac(folder / files.CLEAN, sound["clean"][:, np.newaxis])
    return len(sound["caller"]) / RATE


def remove_live(folder: Path) -> None:
    """Delete the live files of a call that has become whole."""
    live = folder / files.LIVE
    for path in sorted(live.iterdir()):
        path.unlink()
    live.rmdir()


def _write_flac(path: Path, frames: Pcm) -> None:
    import soundfile

    scrap = path.with_name(f".{path.name}.tmp")
    try:
        soundfile.write(scrap, frames, RATE, format="FLAC", subtype="PCM_16")
        scrap.replace(path)
    except soundfile.LibsndfileError as error:
        raise OSError(f"{path}: cannot be written ({error})") from error
    finally:
        scrap.unlink(missing_ok=True)
