"""Sound files of any common format, read block by block: WAV (G.711 too), FLAC, MP3, Ogg, Opus, M4A, AIFF, WebM."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from voicesim.errors import RecordingError
from voicesim.recording.flac import LONGEST
from voicesim.recording.wav_header import Repaired, WavHeader, read_header

Frames = NDArray[np.float32]
"""Float samples in [-1, 1], shape (samples, channels)."""
FORMATS = "wav,w64,flac,mp3,ogg,aac,aiff,au,caf,matroska,webm,mov,mp4,m4a,3gp,3g2,mj2"
"""What FFmpeg may take a file for: no playlists, and nothing that names further files."""
SUFFIXES = frozenset(
    f".{name}"
    for name in (
        *("wav", "wave", "w64", "flac", "mp3", "ogg", "oga", "opus", "m4a", "mp4", "aac"),
        *("aif", "aiff", "au", "caf", "webm", "mka"),
    )
)
"""Names under which sound is looked for in a folder."""
LEAST_RATE, MOST_RATE = 8_000, 192_000
BLOCK_SECONDS = 10.0
GAP = 0.02
"""Seconds by which a file's own clock may jump before that is a gap in the sound."""
LEAD = 0.2
"""Seconds at the beginning in which no gap is looked for."""
MOST_NOTES = 100
"""Gaps that are told each by itself."""
SHORT = 0.25
"""Seconds of sound that may be missing at the end: containers round."""
_TAIL = 65_536
_LAST_PAGE = 4


@dataclass(frozen=True)
class SoundInfo:
    """What a file holds; `claimed` are the seconds its header tells, None where it does not. `notes`: what was odd."""

    name: str
    format: str
    rate: int
    channels: int
    claimed: float | None
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        sides = {1: "one channel", 2: "two channels"}.get(self.channels, f"{self.channels} channels")
        return f"{self.format}, {self.rate:,} Hz, {sides}"


class SoundFile:
    """A sound file that is open for reading, once. `info.notes` and `notes` tell what was odd in it."""

    def __init__(self, path: Path, container: Any, info: SoundInfo, *, repair: bool) -> None:
        self.path, self.info, self._repair = path, info, repair
        self._container = container
        self.notes: list[str] = []

    def blocks(self) -> Iterator[Frames]:
        """All of it in blocks of about ten seconds; where the file's clock jumps on, silence fills the gap.

        Raises RecordingError for damaged or missing sound, unless it is to be repaired: then it ends there.
        """
        if self.info.claimed is not None and self.info.claimed > LONGEST:
            raise self._too_long()
        least, waiting, count, total = round(BLOCK_SECONDS * self.info.rate), [], 0, 0
        for frames in self._frames():
            waiting.append(frames)
            count += len(frames)
            total += len(frames)
            if total > LONGEST * self.info.rate:
                raise self._too_long()
            if count >= least:
                yield np.concatenate(waiting)
                waiting, count = [], 0
        if waiting:
            yield np.concatenate(waiting)
        self._check_length(total / self.info.rate)

    def _frames(self) -> Iterator[Frames]:
        import av

        position, lead = 0, 0.0
        layout = "stereo" if self.info.channels == 2 else "mono"
        plain = av.AudioResampler(format="fltp", layout=layout, rate=self.info.rate)
        try:
            for frame in self._container.decode(audio=0):
                if frame.sample_rate != self.info.rate or frame.layout.nb_channels != self.info.channels:
                    raise RecordingError(f"{self.path}: rate or channels change in the middle of the file")
                gap = (frame.time or 0.0) - lead - position / self.info.rate if frame.pts is not None else 0.0
                if gap > GAP and position < LEAD * self.info.rate:
                    lead += gap  # a coder's own silence in front, which was left out
                elif gap > LONGEST:
                    raise self._too_long()
                elif gap > GAP:
                    self._note_gap(gap, position / self.info.rate)
                    for missing in self._silence(gap):
                        position += len(missing)
                        yield missing
                for piece in plain.resample(frame):
                    sound = np.ascontiguousarray(piece.to_ndarray().T, dtype=np.float32)
                    position += len(sound)
                    yield np.clip(np.nan_to_num(sound), -1.0, 1.0)
        except av.error.FFmpegError as error:
            at = position / self.info.rate
            self._broken(f"the sound cannot be read on from {at:.2f} s ({_why(error)})")

    def _note_gap(self, gap: float, at: float) -> None:
        if len(self.notes) < MOST_NOTES:
            self.notes.append(f"{gap:.2f} s of sound are missing at {at:.2f} s")
        elif len(self.notes) == MOST_NOTES:
            self.notes.append("more sound is missing behind that")

    def _silence(self, seconds: float) -> Iterator[Frames]:
        """Silence in blocks: a few bytes of a file can tell of hours."""
        missing, most = round(seconds * self.info.rate), round(BLOCK_SECONDS * self.info.rate)
        for start in range(0, missing, most):
            yield np.zeros((min(most, missing - start), self.info.channels), np.float32)

    def _too_long(self) -> RecordingError:
        return RecordingError(f"{self.path}: longer than {LONGEST // 3600} h; cut it, a call is never as long")

    def _check_length(self, seconds: float) -> None:
        if not seconds:
            raise RecordingError(f"{self.path}: there is no sound in it")
        claimed = self.info.claimed
        if claimed is not None and claimed - seconds > max(SHORT, 0.002 * claimed):
            self._broken(f"it was cut off: its header tells of {claimed:.2f} s, and it holds {seconds:.2f} s")

    def _broken(self, what: str) -> None:
        if not self._repair:
            raise RecordingError(f"{self.path}: {what}; --repair imports what is there")
        self.notes.append(what)


@contextmanager
def open_sound(path: Path, *, repair: bool = False) -> Iterator[SoundFile]:
    """A sound file, ready to be read. With `repair`, one that was cut off is read as far as it goes.

    Raises RecordingError for what is no such file, has other than one or two channels, or was cut off.
    """
    import av

    with _opened(path) as file:
        header, notes = read_header(file), list[str]()
        source: Any = file
        if header is not None:
            source = _without_lies(path, file, header, notes, repair=repair)
        elif _ends_early(file):
            if not repair:
                raise RecordingError(
                    f"{path}: it was cut off: its last page is missing; --repair imports what is there"
                )
            notes.append("it was cut off: its last page is missing")
        file.seek(0)
        try:
            container = av.open(source, options={"format_whitelist": FORMATS}, metadata_errors="replace")
        except (av.error.FFmpegError, ValueError) as error:
            raise RecordingError(f"{path}: no sound file that can be read ({_why(error)})") from error
        with container:
            yield SoundFile(path, container, _info(path, container, header, notes), repair=repair)


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        if not path.is_file():
            raise RecordingError(f"{path}: there is no such file")
        with path.open("rb") as file:
            if not file.seek(0, os.SEEK_END):
                raise RecordingError(f"{path}: the file is empty")
            file.seek(0)
            yield file
    except OSError as error:
        raise RecordingError(f"{path}: cannot be read ({error.strerror or error})") from error


def _without_lies(path: Path, file: BinaryIO, header: WavHeader, notes: list[str], *, repair: bool) -> BinaryIO:
    """A WAV file whose header fits; raises RecordingError when sound is missing."""
    if not header.there:
        raise RecordingError(f"{path}: there is no sound in it")
    if header.truncated and header.claimed - header.there >= header.frame:
        lengths = f"its header tells of {header.seconds_claimed:.2f} s, and it holds {header.seconds_there:.2f} s"
        if not repair:
            raise RecordingError(f"{path}: it was cut off: {lengths}; --repair imports what is there")
        notes.append(f"it was cut off: {lengths}")
    elif header.claimed != header.there:
        notes.append(
            f"its header tells of {header.claimed:,} bytes of sound, and there are {header.there:,}: all are read"
        )
    else:
        return file
    return cast(BinaryIO, Repaired(file, header))


def _ends_early(file: BinaryIO) -> bool:
    """Whether this is an Ogg file whose last page (RFC 3533) is missing, or ends too early."""
    file.seek(0)
    if file.read(4) != b"OggS":
        return False
    file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
    tail = file.read()
    at = tail.rfind(b"OggS")
    page = tail[at:] if at >= 0 else b""
    if len(page) < 27 or not page[5] & _LAST_PAGE:
        return True
    lacing = page[27 : 27 + page[26]]
    return len(page) < 27 + page[26] + sum(lacing)


def _info(path: Path, container: Any, header: WavHeader | None, notes: list[str]) -> SoundInfo:
    if not container.streams.audio:
        raise RecordingError(f"{path}: there is no sound in it")
    if len(container.streams.audio) > 1:
        notes.append(f"it holds {len(container.streams.audio)} sound tracks; the first is read")
    stream = container.streams.audio[0]
    codec = stream.codec_context
    if codec is None or not codec.sample_rate:
        raise RecordingError(f"{path}: its sound is in a format that cannot be read")
    channels, rate = codec.layout.nb_channels, int(codec.sample_rate)
    if channels not in (1, 2):
        raise RecordingError(f"{path}: {channels} channels; import takes a side to a channel, or a side to a file")
    if not LEAST_RATE <= rate <= MOST_RATE:
        raise RecordingError(f"{path}: {rate:,} Hz; import takes {LEAST_RATE:,} to {MOST_RATE:,} Hz")
    kind = f"{container.format.name.split(',')[0]} ({codec.name})"
    return SoundInfo(path.name, kind, rate, channels, _claimed(container, stream, header), tuple(notes))


def _claimed(container: Any, stream: Any, header: WavHeader | None) -> float | None:
    """The seconds that a header tells; None where FFmpeg would only guess them from the file's size."""
    if header is not None:
        return header.seconds_there if header.format in (1, 3, 6, 7) else None
    if container.format.name.split(",")[0] in ("flac", "mov") and stream.duration:
        return float(stream.duration * stream.time_base)
    return None


def _why(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
