"""Codecs of FFmpeg, by PyAV: Opus, AMR and G.722, packet by packet."""

from typing import Any

import numpy as np

from voicesim.audio.samples import Pcm
from voicesim.errors import UsageError

_AMR_RATES = (4_750, 5_150, 5_900, 6_700, 7_400, 7_950, 10_200, 12_200)


class AvCodec:
    """One encoder and one decoder of FFmpeg; 20 ms in, 20 ms out, behind the codec's own look-ahead."""

    def __init__(self, encoder: str, decoder: str, rate: int, bitrate: int | None, options: dict[str, str]) -> None:
        """Raises UsageError when this build of PyAV lacks the codec."""
        import av

        self.rate, self._size = rate, rate // 50
        try:
            make: Any = av.CodecContext.create
            self._encoder, self._decoder = make(encoder, "w"), make(decoder, "r")
        except av.error.FFmpegError as error:
            raise UsageError(f"this PyAV has no codec {encoder}: {error}") from error
        self._encoder.sample_rate, self._encoder.layout, self._encoder.format = rate, "mono", "s16"
        self._encoder.options = options
        if bitrate is not None:
            self._encoder.bit_rate = bitrate
        self._decoder.sample_rate, self._decoder.layout = rate, "mono"
        self._heard: Pcm = np.zeros(self._size, np.int16)

    def packet(self, pcm: Pcm, lost: bool) -> Pcm:
        """See codec.PacketCodec."""
        import av

        frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(pcm[None, :]), format="s16", layout="mono")
        frame.sample_rate = self.rate
        for packet in self._encoder.encode(frame):
            data = bytes(packet)
            for sound in self._decoder.decode(av.Packet(self.instead(data) if lost else data)):
                self._heard = np.concatenate([self._heard, self._pcm(sound)])
        now, self._heard = self._heard[: self._size], self._heard[self._size :]
        return np.pad(now, (self._size - len(now), 0))

    def instead(self, data: bytes) -> bytes:
        """What the decoder is given of a lost packet, so that it conceals it."""
        return data

    def _pcm(self, frame: Any) -> Pcm:
        samples = frame.to_ndarray().reshape(-1)
        if samples.dtype == np.int16:
            return np.asarray(samples, np.int16)
        return np.asarray(np.rint(np.clip(samples, -1.0, 1.0) * 32767.0), np.int16)


class Opus(AvCodec):
    """Opus at 48,000 Hz (24,000 bits a second if not said otherwise). A lost packet is concealed by libopus itself:
    a packet of its first byte alone is one without sound, which is how RFC 6716 (3.2.1) has loss told to a decoder."""

    conceals = True

    def __init__(self, bitrate: int | None = None) -> None:
        options = {"application": "voip", "frame_duration": "20"}
        super().__init__("libopus", "libopus", 48_000, bitrate or 24_000, options)

    def instead(self, data: bytes) -> bytes:
        return bytes([data[0] & 0xFC])


class Amr(AvCodec):
    """AMR narrow band (3GPP TS 26.071), 12,200 bits a second if not said otherwise. A lost packet is concealed by
    the decoder: it is given one that says that there is no data (frame type 15, RFC 4867)."""

    conceals = True

    def __init__(self, bitrate: int | None = None) -> None:
        if bitrate is not None and bitrate not in _AMR_RATES:
            raise UsageError(f"AMR has no bit rate {bitrate}; it has {', '.join(map(str, _AMR_RATES))}")
        super().__init__("libopencore_amrnb", "libopencore_amrnb", 8_000, bitrate or 12_200, {})

    def instead(self, data: bytes) -> bytes:
        return bytes([0x7C])


class G722(AvCodec):
    """G.722 at 64,000 bits a second: wide band (7 kHz), as on office telephones. It has no concealment."""

    conceals = False

    def __init__(self, bitrate: int | None = None) -> None:
        if bitrate is not None:
            raise UsageError("the codec g722 has one bit rate: leave `bitrate` out")
        super().__init__("g722", "g722", 16_000, None, {})
