"""Pitch, pace, level and ends of a voice: what is done to any engine's sound, whichever it is."""

from fractions import Fraction

import numpy as np

from voicesim.audio.levels import ACTIVE_LEVEL_DB, active_level_db
from voicesim.audio.resampling import resample
from voicesim.audio.samples import RATE, Wave

PEAK = 0.89
"""No sample of speech lies outside this (-1 dBFS)."""

_FRAME = 480
_ACTIVE_RANGE_DB = 30.0
_EDGE = 120
_EDGE_RANGE_DB = 38.0


def restyle(wave: Wave, rate: float, pitch: float) -> Wave:
    """The same voice faster by `rate` (1.0: as it was) with pitch and formants multiplied by `pitch`.

    Played back at `pitch` times its speed a voice gets higher and its formants move along, as with a
    shorter vocal tract; the pace that this would add is first taken out again by FFmpeg's WSOLA filter
    (atempo), so that the length is len(wave) / rate whatever the pitch.
    """
    tempo = rate / pitch
    if abs(tempo - 1.0) > 1e-3 and len(wave):
        # atempo blends from 0.5 to 2; what lies outside is done in two steps.
        steps = [tempo] if 0.5 <= tempo <= 2.0 else [tempo**0.5, tempo**0.5]
        for step in steps:
            wave = _tempo(wave, step)
    return resample(wave, round(RATE * pitch), RATE)


def _tempo(wave: Wave, factor: float) -> Wave:
    import av

    graph = av.filter.Graph()
    chain = (
        graph.add_abuffer(format="flt", sample_rate=RATE, layout="mono", time_base=Fraction(1, RATE)),
        graph.add("atempo", f"{factor:.6f}"),
        graph.add("abuffersink"),
    )
    graph.link_nodes(*chain).configure()
    frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(wave[None, :]), format="flt", layout="mono")
    frame.sample_rate, frame.pts = RATE, 0
    graph.push(frame)
    graph.push(None)
    parts: list[Wave] = []
    while True:
        try:
            parts.append(np.asarray(graph.pull().to_ndarray(), np.float32).reshape(-1))
        except (av.error.EOFError, av.error.BlockingIOError):
            break
    return np.concatenate(parts) if parts else np.zeros(0, np.float32)


def frame_powers(wave: Wave, frame: int = _FRAME) -> np.ndarray:
    """Mean square of each whole or partial frame of `frame` samples, float64 of shape (ceil(n / frame),)."""
    padded = np.pad(np.asarray(wave, np.float64), (0, -len(wave) % frame))
    return np.asarray(np.square(padded).reshape(-1, frame).mean(axis=1))


def active_frames(wave: Wave) -> np.ndarray:
    """Which 20 ms frames hold speech: those within 30 dB of the loudest. Bool of shape (frames,)."""
    powers = frame_powers(wave)
    if not powers.size or powers.max() <= 0:
        return np.zeros(powers.shape, bool)
    return np.asarray(powers >= powers.max() * 10 ** (-_ACTIVE_RANGE_DB / 10))


def level(wave: Wave) -> Wave:
    """The wave at ACTIVE_LEVEL_DB. The few peaks that would pass PEAK are rounded off above half of it."""
    present = active_level_db(wave)
    if present == float("-inf"):
        return wave
    raised = np.asarray(wave, np.float64) * 10 ** ((ACTIVE_LEVEL_DB - present) / 20)
    if np.abs(raised).max() > PEAK:
        knee = PEAK / 2
        over = np.maximum(np.abs(raised) - knee, 0.0)
        limited = np.minimum(np.abs(raised), knee) + (PEAK - knee) * np.tanh(over / (PEAK - knee))
        raised = np.sign(raised) * limited
    return raised.astype(np.float32)


def trim(wave: Wave) -> Wave:
    """The wave without its silent ends, to the 5 ms, with a fade of 2 ms where it was cut.

    Silent is what lies 38 dB below the active level: a weak final f or th is louder than that.
    """
    floor = active_level_db(wave) - _EDGE_RANGE_DB
    loud = np.nonzero(frame_powers(wave, _EDGE) > 10 ** (floor / 10))[0]
    if not loud.size or floor == float("-inf"):
        return wave[:0]
    speech = np.array(wave[loud[0] * _EDGE : (loud[-1] + 1) * _EDGE], np.float32)
    fade = np.linspace(0.0, 1.0, min(48, len(speech) // 2), dtype=np.float32)
    if fade.size:
        speech[: fade.size] *= fade
        speech[-fade.size :] *= fade[::-1]
    return speech
