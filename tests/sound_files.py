"""Sound files in many formats, made here byte by byte or with PyAV; no tool of the system is needed."""

import struct
from pathlib import Path
from typing import Any

import numpy as np

from voicesim.audio.resampling import resample
from voicesim.audio.samples import RATE, Pcm, Wave, to_pcm


def write_sound(path: Path, sound: Wave, rate: int, codec: str = "pcm_s16le") -> Path:
    """Write float sound at 24,000 Hz, shape (samples, channels), with a codec of FFmpeg at another rate (Hz)."""
    import av

    channels = np.stack([resample(np.ascontiguousarray(channel), RATE, rate) for channel in sound.T])
    layout = "stereo" if len(channels) == 2 else "mono"
    with av.open(str(path), "w") as out:
        stream: Any = out.add_stream(codec, rate=rate)
        stream.layout = layout
        if codec == "libmp3lame":
            stream.bit_rate = 192_000
        frame = av.AudioFrame.from_ndarray(np.clip(channels, -1, 1).astype(np.float32), format="fltp", layout=layout)
        frame.rate = rate
        context = stream.codec_context
        shape = av.AudioResampler(format=context.format, layout=layout, rate=rate, frame_size=context.frame_size or 0)
        for piece in [*shape.resample(frame), *shape.resample(None)]:
            out.mux(stream.encode(piece))
        out.mux(stream.encode(None))
    return path


def wav_bytes(pcm: Pcm, rate: int = RATE, claimed: int | None = None) -> bytes:
    """A WAV file of int16, shape (samples, channels), by hand; `claimed` is the length that its header tells."""
    data = pcm.astype("<i2").tobytes()
    channels = pcm.shape[1]
    length = len(data) if claimed is None else claimed
    form = struct.pack("<HHIIHH", 1, channels, rate, rate * 2 * channels, 2 * channels, 16)
    riff = min(36 + length, 0xFFFF_FFFF)
    return (
        b"RIFF"
        + struct.pack("<I", riff)
        + b"WAVEfmt "
        + struct.pack("<I", 16)
        + form
        + b"data"
        + (struct.pack("<I", length) + data)
    )


def stereo_pcm(left: Wave, right: Wave) -> Pcm:
    """Two channels of float sound as int16, shape (samples, 2)."""
    return np.stack([to_pcm(left), to_pcm(right)], axis=1)
