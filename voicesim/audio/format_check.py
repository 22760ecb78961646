"""Is sound what it is said to be? 16-bit PCM and G.711 mu-law, read as each other, are a roar near full scale."""

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from voicesim.audio.g711 import decode

Coding: TypeAlias = Literal["16-bit PCM", "G.711 mu-law"]
WINDOW = 800
"""Bytes that are judged at a time: 100 ms of mu-law, 17 ms of PCM at 24,000 Hz."""
MOST = 40
"""Windows of one piece that are judged, evenly spread: a long piece must not hold up the call."""
ENOUGH = 3
"""Windows in a row that speak for the other coding before the sound is taken for it."""
LOUD, QUIET = 0.05, 1e-6
"""Power (of full scale) from which a reading may be the roar, -13 dBFS, and up to which there is no sound, -60 dBFS."""
QUIETER = 4.0
"""Ratio of powers, 6 dB, by which the other reading is quieter when it is the right one."""
SMOOTH, ROUGH = 0.7, 0.6
"""Correlation of neighbouring samples from which a reading is smooth, as voices are, and up to which it is not."""


class FormatCheck:
    """Looks at the bytes of a stream that was agreed on to be in one coding."""

    def __init__(self, agreed: Coding) -> None:
        self._agreed = agreed
        self._rest = b""
        self._against = 0

    def mismatch(self, data: bytes) -> str:
        """The next bytes of the stream; in words what they are instead, or nothing."""
        joined = self._rest + data
        whole = len(joined) // WINDOW * WINDOW
        self._rest = joined[whole:]
        step = max(1, whole // WINDOW // MOST) * WINDOW
        for start in range(0, whole, step):
            self._judge(joined[start : start + WINDOW])
            if self._against >= ENOUGH:
                other = "G.711 mu-law" if self._agreed == "16-bit PCM" else "16-bit PCM"
                return f"{self._agreed} was agreed on, and it is noise as such; it looks like {other}"
        return ""

    def _judge(self, window: bytes) -> None:
        """Count a window against the agreement; one that makes sense as agreed takes all that back."""
        as_pcm = np.frombuffer(window, "<i2") / 32768.0
        as_mulaw = decode(np.frombuffer(window, np.uint8)) / 32768.0
        agreed, other = (as_pcm, as_mulaw) if self._agreed == "16-bit PCM" else (as_mulaw, as_pcm)
        power = _power(agreed)
        if power <= QUIET:
            return
        if power < LOUD:
            self._against = 0
            return
        smoothness = _smoothness(agreed)
        quieter = QUIETER * _power(other) < power and smoothness < SMOOTH
        if quieter or (smoothness < ROUGH and _smoothness(other) > SMOOTH):
            self._against += 1
        elif smoothness > SMOOTH:
            self._against = 0


def _power(samples: NDArray[np.float64]) -> float:
    return float(np.mean(np.square(samples)))


def _smoothness(samples: NDArray[np.float64]) -> float:
    """Correlation of each sample with the next, -1 to 1; 0 where nothing changes."""
    centred = samples - samples.mean()
    power = float(np.sum(np.square(centred)))
    return float(np.sum(centred[1:] * centred[:-1]) / power) if power > 0 else 0.0
