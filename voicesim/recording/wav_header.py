"""Headers of WAV files that lie about their length: found, and put right on a copy of the header alone.

A program that writes into a pipe does not know how long the sound will be, and leaves 0 or 0xFFFFFFFF. One that was
killed leaves a length from before. The original file is never touched.
"""

import io
import os
import struct
from dataclasses import dataclass
from typing import BinaryIO

OPEN_ENDED = 0x7FFF_0000
"""A length of this many bytes or more, and 0, say that the writer did not know it."""
_MOST_CHUNKS = 64
_EXTENDED = 0xFFFE


@dataclass(frozen=True)
class WavHeader:
    """What a WAV header says. `start` is where the sound begins, `there` how many bytes of it the file holds.

    `claimed` is the length (bytes) that the header tells, `tell_at` the place of that number. `format` is the format
    code (1: PCM, 3: float, 6: A-law, 7: mu-law) and `frame` the bytes of one sample of all channels.
    """

    format: int
    channels: int
    rate: int
    frame: int
    start: int
    there: int
    claimed: int
    tell_at: int

    @property
    def open_ended(self) -> bool:
        """Whether the writer did not know the length."""
        return self.claimed != self.there and (self.claimed == 0 or self.claimed >= OPEN_ENDED)

    @property
    def truncated(self) -> bool:
        """Whether sound is missing that the header tells of."""
        return self.claimed > self.there and not self.open_ended

    @property
    def seconds_claimed(self) -> float:
        return self.claimed / self.frame / self.rate

    @property
    def seconds_there(self) -> float:
        return self.there / self.frame / self.rate


def read_header(file: BinaryIO) -> WavHeader | None:
    """The header of a WAV file; None for a file of another kind, or one without format or sound."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    head = file.read(12)
    if head[:4] != b"RIFF" or head[8:12] != b"WAVE":
        return None
    at, form = 12, b""
    for _ in range(_MOST_CHUNKS):
        file.seek(at)
        chunk = file.read(8)
        if len(chunk) < 8:
            return None
        name, length = chunk[:4], struct.unpack("<I", chunk[4:])[0]
        if name == b"fmt ":
            form = file.read(min(length, 40))
        if name == b"data":
            return _header(file, form, at, length, size)
        at += 8 + length + length % 2
    return None


def _header(file: BinaryIO, form: bytes, at: int, claimed: int, size: int) -> WavHeader | None:
    if len(form) < 16:
        return None
    code, channels, rate, _, frame = struct.unpack("<HHIIH", form[:14])
    if code == _EXTENDED and len(form) >= 26:
        code = struct.unpack("<H", form[24:26])[0]
    if not (channels and rate and frame):
        return None
    rest = size - at - 8
    there = claimed if claimed < rest and _chunk_at(file, at + 8 + claimed + claimed % 2, size) else rest
    return WavHeader(code, channels, rate, frame, at + 8, there // frame * frame, claimed, at + 4)


def _chunk_at(file: BinaryIO, at: int, size: int) -> bool:
    """Whether the file ends here, or another chunk begins that fits into it."""
    if at >= size:
        return True
    file.seek(at)
    chunk = file.read(8)
    if len(chunk) < 8:
        return not chunk.strip(b"\0")
    return (
        chunk[:4].isascii()
        and chunk[:4].decode("ascii").isprintable()
        and (at + 8 + struct.unpack("<I", chunk[4:])[0] <= size + 1)
    )


class Repaired(io.RawIOBase):
    """A WAV file, read as if its header told the length that the file has."""

    def __init__(self, file: BinaryIO, header: WavHeader) -> None:
        file.seek(0)
        start = bytearray(file.read(header.start))
        length = min(header.there, 0xFFFF_FFFF)
        start[header.tell_at : header.tell_at + 4] = struct.pack("<I", length)
        start[4:8] = struct.pack("<I", min(length + header.start - 8, 0xFFFF_FFFF))
        self._file, self._head, self._at = file, bytes(start), 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """As of a file."""
        head = self._head[self._at :] if size < 0 else self._head[self._at : self._at + size]
        self._file.seek(self._at + len(head))
        data = head + self._file.read(-1 if size < 0 else size - len(head))
        self._at += len(data)
        return data

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """As of a file."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at}.get(whence)
        self._at = offset + (self._file.seek(0, os.SEEK_END) if base is None else base)
        return self._at

    def tell(self) -> int:
        """As of a file."""
        return self._at
