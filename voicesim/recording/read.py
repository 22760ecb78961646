"""Open a recording folder; what a killed process left half-written is repaired on the way.

A recording may come from anybody: no link in it is followed, nothing is decoded before its size is known, and only
files that voicesim names itself are written or deleted.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import from_json

from voicesim.audio.samples import RATE, Pcm
from voicesim.errors import RecordingError
from voicesim.recording import files, flac, repair
from voicesim.recording.events import EVENT, EVENTS_LIMIT, LINE_LIMIT, MOST_EVENTS, Event, whole_lines
from voicesim.recording.manifest import Manifest


@dataclass(frozen=True)
class Recording:
    """A finished call. Sound is int16 at 24,000 Hz; all channels have the same length.

    Sound is read when it is asked for, and may raise RecordingError then.
    """

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

    @property
    def has_clean(self) -> bool:
        """Whether there is a clean stem; a call from outside has none."""
        return self.manifest.imported is None

    @cached_property
    def clean(self) -> Pcm:
        """The caller before the channel, on the same clock. Raises RecordingError where there is none."""
        (sound,) = flac.read(self.folder, files.CLEAN, 1)
        if len(sound) != len(self.caller):
            raise RecordingError(
                f"{self.folder / files.CLEAN}: {len(sound)} samples, where {files.AUDIO} has {len(self.caller)}"
            )
        return sound

    @cached_property
    def _stereo(self) -> tuple[Pcm, ...]:
        return flac.read(self.folder, files.AUDIO, 2)


def open_recording(folder: Path | str) -> Recording:
    """Read a recording; a half-written one is first made whole and marked repaired.

    Raises RecordingError when the folder is none, is being recorded right now, lacks its sound, holds a link, or
    holds more than a call can.
    """
    folder = Path(folder)
    files.check_name(folder)
    if not (folder / files.MANIFEST).is_file():
        raise RecordingError(f"{folder}: no recording here ({files.MANIFEST} is not there)")
    files.refuse_links(folder)
    if (folder / files.LIVE).is_dir():
        repair.make_whole(folder)
    manifest = files.load(folder, files.MANIFEST, Manifest)
    flac.length(folder, files.AUDIO, 2)
    return Recording(folder, manifest, read_events(folder))


def read_events(folder: Path) -> tuple[Event, ...]:
    """All events of a call in file order, lines that went on as one; a last line that a crash cut off is left out.

    Blank lines, and a byte order mark, are passed over. Raises RecordingError with the line number for any other line
    that is no event, and for more events than a call can have.
    """
    path = folder / files.EVENTS
    events: list[Event] = []
    for number, line, whole in _lines(folder):
        try:
            events.append(EVENT.validate_python(from_json(line, allow_inf_nan=False)))
        except ValidationError as error:
            raise RecordingError(f"{path}:{number}: {error.errors()[0]['msg']}") from error
        except ValueError as error:
            if not whole:
                break  # the process died inside this line
            raise RecordingError(f"{path}:{number}: no JSON: {error}") from error
        if len(events) > MOST_EVENTS:
            raise RecordingError(f"{path} has more than {MOST_EVENTS:,} events; no call has as many")
    return whole_lines(events)


def _lines(folder: Path) -> Iterator[tuple[int, bytes, bool]]:
    """Each line of the events file that is not blank: its number, its bytes, and whether it was ended."""
    try:
        with files.opened(folder, files.EVENTS, EVENTS_LIMIT) as file:
            for number, line in enumerate(iter(lambda: file.readline(LINE_LIMIT), b""), start=1):
                if len(line) == LINE_LIMIT and not line.endswith(b"\n"):
                    raise RecordingError(
                        f"{folder / files.EVENTS}:{number}: more than {LINE_LIMIT:,} bytes; no event has"
                    )
                text = line.removeprefix(files.BOM) if number == 1 else line
                if not text.isspace() and text:
                    yield number, text, line.endswith(b"\n")
    except FileNotFoundError:
        return


def find_recordings(*paths: Path) -> list[Path]:
    """The recording folders at or below some paths, each once: path by path, in the order of their names.

    Raises RecordingError for a path without any.
    """
    return list(dict.fromkeys(folder for path in paths for folder in _below(path)))


def _below(path: Path) -> list[Path]:
    if (path / files.MANIFEST).is_file():
        return [path]
    folders = sorted(manifest.parent for manifest in path.rglob(files.MANIFEST))
    if not folders:
        raise RecordingError(f"{path}: no recording here or below ({files.MANIFEST} is not there)")
    return folders
