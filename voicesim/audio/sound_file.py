"""Sound files of any format and rate as the mono samples of a call."""

from pathlib import Path

import numpy as np

from voicesim.audio.resampling import resample
from voicesim.audio.samples import RATE, Wave


def read_wav(path: Path) -> Wave:
    """A sound file as mono float32 at 24,000 Hz; a WAV header that lies about its length is forgiven.

    Raises OSError when the file cannot be read and ValueError when it holds no sound.
    """
    import soundfile

    try:
        data, rate = soundfile.read(path, dtype="float32", always_2d=True)
    except soundfile.LibsndfileError as error:
        raise ValueError(f"{path}: not a sound file that can be read ({error})") from error
    return resample(np.ascontiguousarray(data.mean(axis=1), dtype=np.float32), rate, RATE)
