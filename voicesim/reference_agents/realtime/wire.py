"""Sound inside events: base64 of 16-bit PCM at 24,000 Hz, or of mu-law at 8,000 Hz."""

import binascii
from base64 import b64decode, b64encode

import numpy as np

from voicesim.audio.g711 import decode, encode
from voicesim.audio.resampling import StreamResampler, resample
from voicesim.audio.samples import RATE, Pcm, to_pcm, to_wave
from voicesim.reference_agents.realtime.playout import WIRE_RATE
from voicesim.reference_agents.realtime.refusal import ProtocolError
from voicesim.reference_agents.realtime.session import SoundFormat

TELEPHONE_RATE = 8_000
PIECE = 0.1
"""Seconds of sound in one event."""


def pieces(pcm: Pcm, format_: SoundFormat) -> list[str]:
    """Sound (int16 mono, 48,000 Hz) as the deltas of a client that wants this format."""
    if format_.type == "audio/pcmu":
        data, second = encode(_at(pcm, TELEPHONE_RATE)).tobytes(), TELEPHONE_RATE
    else:
        data, second = _at(pcm, RATE).astype("<i2").tobytes(), 2 * RATE
    size = round(PIECE * second)
    return [b64encode(data[at : at + size]).decode("ascii") for at in range(0, len(data), size)]


class Incoming:
    """The client's sound, event by event, as int16 mono at 24,000 Hz."""

    def __init__(self) -> None:
        self._half = b""
        self._up = StreamResampler(TELEPHONE_RATE, RATE)

    def feed(self, audio: str, format_: SoundFormat) -> Pcm:
        """Raises ProtocolError for what is no base64."""
        try:
            data = b64decode(audio, validate=True)
        except binascii.Error as error:
            raise ProtocolError(f"Invalid 'audio': {error}.", "invalid_value", "audio") from error
        if format_.type == "audio/pcmu":
            return self._up.feed(decode(np.frombuffer(data, np.uint8)))
        joined = self._half + data
        whole = len(joined) // 2 * 2
        self._half = joined[whole:]
        return np.frombuffer(joined[:whole], "<i2").astype(np.int16)


def _at(pcm: Pcm, rate: int) -> Pcm:
    return to_pcm(resample(to_wave(pcm), WIRE_RATE, rate))
