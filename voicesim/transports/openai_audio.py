"""The sound of a Realtime WebSocket: base64 of 16-bit PCM at 24,000 Hz, or of mu-law at 8,000 Hz."""

from typing import Protocol

import numpy as np

from voicesim.audio.g711 import decode, encode
from voicesim.audio.resampling import StreamResampler
from voicesim.audio.samples import RATE, Pcm
from voicesim.transports.openai_session import AudioType

MULAW_RATE = 8_000


class Encoder(Protocol):
    """The caller's ticks on their way out."""

    def feed(self, pcm: Pcm) -> bytes: ...


class Decoder(Protocol):
    """The sound of one item on its way in. `received` counts what has come, in samples at 24,000 Hz."""

    received: int

    def feed(self, data: bytes) -> Pcm:
        """The samples (int16, 24,000 Hz) that are certain now."""
        ...


def make_encoder(audio: AudioType) -> Encoder:
    return PcmEncoder() if audio == "audio/pcm" else MuLawEncoder()


def make_decoder(audio: AudioType) -> Decoder:
    return PcmDecoder() if audio == "audio/pcm" else MuLawDecoder()


class PcmEncoder:
    def feed(self, pcm: Pcm) -> bytes:
        return pcm.astype("<i2").tobytes()


class PcmDecoder:
    """A sample may be cut in two by the sender; its halves meet here."""

    def __init__(self) -> None:
        self.received = 0
        self._half = b""

    def feed(self, data: bytes) -> Pcm:
        joined = self._half + data
        whole = len(joined) // 2 * 2
        self._half = joined[whole:]
        self.received += whole // 2
        return np.frombuffer(joined[:whole], "<i2").astype(np.int16)


class MuLawEncoder:
    """Late by the converter's delay, 1.8 ms."""

    def __init__(self) -> None:
        self._down = StreamResampler(RATE, MULAW_RATE)

    def feed(self, pcm: Pcm) -> bytes:
        return encode(self._down.feed(pcm)).tobytes()


class MuLawDecoder:
    """Late by the converter's delay, 1.8 ms."""

    def __init__(self) -> None:
        self.received = 0
        self._up = StreamResampler(MULAW_RATE, RATE)

    def feed(self, data: bytes) -> Pcm:
        self.received += RATE // MULAW_RATE * len(data)
        return self._up.feed(decode(np.frombuffer(data, np.uint8)))
