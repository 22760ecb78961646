"""The call's sound inside the page: stereo MP3, with a mark that makes its time exact.

MP3 encoders put some 1,100 samples in front, and decoders differ in whether they take them away again.
So a short tone pulse is put before the call: the page looks for it in what its browser decoded and
knows from it where the call begins, to the sample, whatever the decoder did.
"""

import base64
import io
from dataclasses import dataclass

import numpy as np

from voicesim.audio.samples import RATE, Pcm, Wave, to_wave

LEAD = RATE // 4
"""Samples put before the call. Encoder delays are far shorter, so the pulse cannot be lost."""

PULSE = RATE // 10
"""Where in the lead the pulse has its peak, in samples."""

_KBIT = 64
_LOWEST, _HIGHEST = 8, 160  # what LAME offers at 24 kHz (MPEG-2), kbit/s


@dataclass(frozen=True)
class Clip:
    """MP3 of `LEAD` samples and then the call: the caller left, the agent right, 24 kHz."""

    mp3: bytes

    @property
    def base64(self) -> str:
        """The bytes as ASCII."""
        return base64.b64encode(self.mp3).decode("ascii")


def encode(caller: Pcm, agent: Pcm) -> Clip | None:
    """Both sides, int16 (n,) at 24,000 Hz, as one constant-rate MP3 (about 8 kB a second); None for n = 0.

    Raises ValueError when the sides differ in length.
    """
    if len(caller) != len(agent):
        raise ValueError(f"the caller has {len(caller)} samples, the agent {len(agent)}")
    if not len(caller):
        return None
    # As floats: libsndfile 1.2 garbles int16 that is written to MP3.
    return Clip(_mp3(np.concatenate([_lead(), np.stack([to_wave(caller), to_wave(agent)], axis=1)])))


def plain(sound: Pcm) -> str:
    """One voice, int16 (n,) at 24,000 Hz, as the base64 of an MP3 that a page plays by itself; "" for n = 0."""
    return base64.b64encode(_mp3(to_wave(sound)[:, np.newaxis])).decode("ascii") if len(sound) else ""


def _mp3(sound: Wave) -> bytes:
    """Float32 (n, channels) at 24,000 Hz as MP3 of a constant rate."""
    import soundfile

    channels = sound.shape[1]
    out = io.BytesIO()
    with soundfile.SoundFile(
        out,
        "w",
        samplerate=RATE,
        channels=channels,
        format="MP3",
        subtype="MPEG_LAYER_III",
        bitrate_mode="CONSTANT",
        compression_level=(_HIGHEST - _KBIT * channels / 2) / (_HIGHEST - _LOWEST),
    ) as file:
        file.write(sound)
    return out.getvalue()


def _lead() -> Wave:
    """Silence around one pulse on both sides: a 2 kHz cosine under a bell of 1 ms, peak at PULSE."""
    t = (np.arange(LEAD) - PULSE) / RATE
    wave = 0.5 * np.cos(2 * np.pi * 2000 * t) * np.exp(-((t / 0.0005) ** 2))
    return np.stack([wave, wave], axis=1).astype(np.float32)
