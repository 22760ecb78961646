"""What happens in a running call, read from the files that it writes as it goes: sound of both sides, and events."""

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from voicesim.audio.samples import RATE, Pcm
from voicesim.recording import files

SIDES = ("caller", "agent")
BEHIND = 0.3
"""Seconds by which the feed follows the call, so that what comes late is in its place."""
BLOCK = RATE // 5
_MOST = 40 * BLOCK
"""Samples a side that are sent at once to somebody who comes in the middle of a call."""


@dataclass
class Feed:
    """Follows the folder of one recording; what is older than some seconds when it begins is skipped."""

    folder: Path
    _at: int = -1
    _line: int = 0
    _rest: bytes = b""

    def sound(self) -> Iterator[dict[str, Any]]:
        """The new blocks of both sides: where they begin (s), their levels, and int16 at 24,000 Hz in base64."""
        ready = self._length() - round(BEHIND * RATE)
        if self._at < 0:
            self._at = max(0, (ready - _MOST) // BLOCK * BLOCK)
        while ready - self._at >= BLOCK:
            block = {side: self._samples(side, self._at) for side in SIDES}
            yield {
                "t": self._at / RATE,
                "levels": {side: _level(pcm) for side, pcm in block.items()},
                "pcm": {side: base64.b64encode(pcm.tobytes()).decode() for side, pcm in block.items()},
            }
            self._at += BLOCK

    def events(self) -> Iterator[dict[str, Any]]:
        """The events that are new."""
        path = self.folder / files.EVENTS
        try:
            with path.open("rb") as file:
                file.seek(self._line)
                read = file.read(1_000_000)
        except OSError:
            return
        self._line += len(read)
        *lines, self._rest = (self._rest + read).split(b"\n")
        for line in lines:
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if isinstance(event, dict):
                yield event

    def _length(self) -> int:
        lengths = [self._size(side) for side in SIDES]
        return max(lengths) // 2

    def _size(self, side: str) -> int:
        try:
            return (self.folder / files.LIVE / f"{side}.pcm").stat().st_size
        except OSError:
            return 0

    def _samples(self, side: str, at: int) -> Pcm:
        pcm = np.zeros(BLOCK, np.int16)
        try:
            with (self.folder / files.LIVE / f"{side}.pcm").open("rb") as file:
                file.seek(at * 2)
                data = file.read(BLOCK * 2)
        except OSError:
            return pcm
        pcm[: len(data) // 2] = np.frombuffer(data[: len(data) // 2 * 2], "<i2")
        return pcm


def _level(pcm: Pcm) -> float:
    """The highest sample of a block, 0 to 1."""
    return round(float(np.max(np.abs(pcm.astype(np.int32)))) / 32768, 3) if len(pcm) else 0.0
