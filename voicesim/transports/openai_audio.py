"""The sound of a Realtime WebSocket: base64 of 16-bit PCM at 24,000 Hz, or of mu-law at 8,000 Hz."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

import numpy as np

from voicesim.audio.g711 import decode, encode
from voicesim.audio.resampling import StreamResampler
from voicesim.audio.samples import RATE, Pcm
from voicesim.errors import UsageError, near
from voicesim.transports.openai_session import AudioType

MULAW_RATE = 8_000
CODECS: Mapping[AudioType, tuple[str, int]] = MappingProxyType(
    {"audio/pcm": ("PCM, 16 bits", RATE), "audio/pcmu": ("G.711 mu-law", MULAW_RATE)}
)
"""What each form of sound is called, and its rate in Hz."""
OPTIONS: Mapping[str, AudioType] = MappingProxyType({"audio=pcm": "audio/pcm", "audio=pcmu": "audio/pcmu"})
"""What may follow the model in an agent string, after a question mark."""


def model_and_sound(transport: str, target: str) -> tuple[str, AudioType]:
    """`MODEL` or `MODEL?audio=pcmu` taken apart; PCM without an option. Raises UsageError for another one."""
    model, mark, option = target.partition("?")
    if mark and option not in OPTIONS:
        raise UsageError(f"the agent {transport}:{target} has an unknown option {option!r}.{near(option, OPTIONS)}")
    return model, OPTIONS.get(option, "audio/pcm")


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
