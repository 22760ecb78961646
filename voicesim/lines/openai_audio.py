"""The sound of a Realtime WebSocket: base64 of 16-bit PCM at 24,000 Hz, or of mu-law at 8,000 Hz."""

from typing import Protocol

import numpy as np

from voicesim.channel.codec import FACTOR, line_taps
from voicesim.channel.fir import Fir
from voicesim.channel.mulaw import decode, decode_bytes, encode
from voicesim.lines.openai_session import AudioType
from voicesim.sound import Pcm, to_pcm

TELLING_LENGTH = 800
"""Bytes (100 ms of mu-law) from which PCM that is sent as mu-law can be told from loud mu-law."""


class Encoder(Protocol):
    """The caller's ticks on their way out."""

    def feed(self, pcm: Pcm) -> bytes: ...


class Decoder(Protocol):
    """The sound of one item on its way in. `received` counts what has come, in samples at 24,000 Hz."""

    received: int

    def feed(self, data: bytes) -> Pcm:
        """The samples (int16, 24,000 Hz) that are certain now. Raises ValueError for what cannot be it."""
        ...

    def flush(self) -> Pcm:
        """The rest, once all has come; the decoder is used up then."""
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

    def flush(self) -> Pcm:
        return np.zeros(0, np.int16)


class MuLawEncoder:
    """Low-pass, every third sample, mu-law; 5 ms late (the filter's delay)."""

    def __init__(self) -> None:
        self._down = Fir(line_taps())

    def feed(self, pcm: Pcm) -> bytes:
        """A tick whose length is a multiple of 3."""
        narrow = self._down.process(pcm / 32768.0)[::FACTOR]
        return encode(to_pcm(narrow)).tobytes()


class MuLawDecoder:
    """Mu-law and an interpolation whose delay is taken out: 5 ms of the sound wait for what follows them."""

    def __init__(self) -> None:
        self.received = 0
        self._up = Fir(line_taps() * FACTOR)
        self._skip = self._up.delay

    def feed(self, data: bytes) -> Pcm:
        codes = np.frombuffer(data, np.uint8)
        narrow = decode_bytes(data) if len(data) >= TELLING_LENGTH else decode(codes)
        self.received += FACTOR * len(codes)
        return self._spread(narrow)

    def flush(self) -> Pcm:
        return self._spread(np.zeros(self._up.delay // FACTOR, np.int16))

    def _spread(self, narrow: Pcm) -> Pcm:
        if not len(narrow):
            return narrow
        wide = np.zeros(FACTOR * len(narrow))
        wide[::FACTOR] = narrow / 32768.0
        out = to_pcm(self._up.process(wide))
        skipped = min(self._skip, len(out))
        self._skip -= skipped
        return out[skipped:]
