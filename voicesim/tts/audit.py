"""Is this speech? What a synthesizer returns is looked at before a patient says it."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from voicesim.audio.levels import active_level_db
from voicesim.audio.samples import RATE, Wave
from voicesim.errors import SpeechError
from voicesim.tts.shape import active_frames

_SILENCE_DB = -60.0
_LOUDEST_DB = -6.0
_NOISE_FLATNESS = 0.3
_FASTEST = 0.02
_SLOWEST = 0.5
_FRAME = 480
_NOISE_RUN = 20
"""Frames (0.4 s) that are noise when their median is flat. In 42 lines of six voices, sentences full of `s` among them,
no such run is flatter than 0.21; white noise is at 0.56."""
_RUN_FLATNESS = 0.35


def audit(wave: Wave, spoken: str, text: str, rate: float) -> None:
    """Raises SpeechError, naming the text, for sound that cannot be its words.

    That is: no samples, values that are no numbers, silence, noise for 0.4 s or more, or a length (in seconds)
    outside 0.02 to 0.5 for each letter at the asked rate, with 2 s on top for pauses; people take about 0.07.
    """
    if reason := _fault(wave, spoken, rate):
        raise SpeechError(f"no usable speech for {text!r}: {reason}")


def _fault(wave: Wave, spoken: str, rate: float) -> str:
    if not len(wave):
        return "the voice returned no sound"
    if not np.isfinite(wave).all():
        return "the voice returned values that are no numbers"
    if active_level_db(wave) < _SILENCE_DB:
        return "the voice returned silence"
    flat = _flatness_by_frame(wave)
    if active_level_db(wave) > _LOUDEST_DB or np.median(flat) > _NOISE_FLATNESS or _has_noise(flat):
        return "the voice returned noise"
    letters = sum(sign.isalnum() for sign in spoken)
    duration = len(wave) / RATE
    if not _FASTEST * letters <= duration * rate <= _SLOWEST * letters + 2.0:
        return f"the voice returned {duration:.2f} s for {letters} letters"
    return ""


def flatness(wave: Wave) -> float:
    """Median spectral flatness of the active 20 ms frames: near 0.56 for white noise, below 0.1 for speech.

    Flatness is the geometric over the arithmetic mean of a frame's power spectrum (Johnston 1988).
    """
    return float(np.median(_flatness_by_frame(wave)))


def _flatness_by_frame(wave: Wave) -> NDArray[np.float64]:
    """The spectral flatness of each active frame, in order."""
    active = active_frames(wave)
    frames = np.pad(np.asarray(wave, np.float64), (0, -len(wave) % _FRAME)).reshape(-1, _FRAME)[active]
    spectrum = np.abs(np.fft.rfft(frames, axis=1)[:, 1:]) ** 2 + 1e-20
    flat: NDArray[np.float64] = np.exp(np.log(spectrum).mean(axis=1)) / spectrum.mean(axis=1)
    return flat


def _has_noise(flat: NDArray[np.float64]) -> bool:
    """Whether a stretch of a line is noise although the rest may be speech."""
    if len(flat) < _NOISE_RUN:
        return False
    return bool(np.median(sliding_window_view(flat, _NOISE_RUN), axis=1).max() > _RUN_FLATNESS)
