"""The quality of the agent's voice as two networks guess it: DNSMOS P.835 for noise, PLCMOS for lost packets.

The networks are those of the package `speechmos` (the extra `quality`), run by onnxruntime; without
them there is no value.
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voicesim.audio.resampling import resample
from voicesim.audio.samples import RATE, Pcm, Wave, samples, to_wave
from voicesim.metrics.base import MeasuredCall
from voicesim.metrics.model import SpeechQuality
from voicesim.transcript.model import Utterance

SCORE_RATE = 16_000
STRETCH = 144_160
"""Samples at 16,000 Hz that DNSMOS looks at: 9.01 s."""
MOST_STRETCHES = 2
LEAST = 3.0
"""Seconds of the agent's speech under which there is no value."""
_RATERS = 5
"""Listeners that PLCMOS stands in for, drawn with a fixed seed."""
_FITS = {
    "signal": (-0.08397278, 1.22083953, 0.0052439),
    "background": (-0.13166888, 1.60915514, -0.39604546),
    "overall": (-0.06766283, 1.11546468, 0.04602535),
}
"""Polynomials from the network's outputs, in its order, to scores of listeners (published with DNSMOS P.835, 2022)."""
_WINDOW, _HOP = 512, 256


def speech_quality(call: MeasuredCall) -> SpeechQuality | None:
    """Mean scores (1 to 5) of up to two stretches of 9 s of the agent's speech, spread over the call.

    None without its sound, under 3 s of speech, and where the networks are not installed.
    """
    if call.agent is None or _folder() is None:
        return None
    speech = _speech(call.agent, call.transcript.of("agent"))
    if len(speech) < LEAST * SCORE_RATE:
        return None
    stretches = _stretches(speech)
    noise = np.mean([_dnsmos(stretch) for stretch in stretches], axis=0)
    scores = {
        name: round(float(np.polyval(fit, raw)), 2) for (name, fit), raw in zip(_FITS.items(), noise, strict=True)
    }
    continuity = float(np.mean([_plcmos(stretch) for stretch in stretches]))
    seconds = min(len(stretches) * STRETCH, len(speech)) / SCORE_RATE
    return SpeechQuality(**scores, continuity=round(continuity, 2), seconds=round(seconds, 2))


def _speech(agent: Pcm, utterances: tuple[Utterance, ...]) -> Wave:
    """What lies inside the agent's utterances, one behind the other, float32 at 16,000 Hz."""
    wave = to_wave(agent)
    parts = [wave[samples(utterance.start) : samples(utterance.end)] for utterance in utterances]
    return resample(np.concatenate([*parts, np.zeros(0, np.float32)]), RATE, SCORE_RATE)


def _stretches(speech: Wave) -> list[Wave]:
    """Up to two stretches of the length that the network takes, evenly spread; short speech is repeated to fill one."""
    if len(speech) < STRETCH:
        return [np.resize(speech, STRETCH)]
    count = min(MOST_STRETCHES, len(speech) // STRETCH)
    starts = np.linspace(0, len(speech) - STRETCH, count).astype(int) if count > 1 else [0]
    return [speech[start : start + STRETCH] for start in starts]


def _dnsmos(stretch: Wave) -> NDArray[np.float64]:
    """Signal, background and overall as the network gives them, before they are fitted to listeners."""
    (scores,) = _session("dnsmos_models/sig_bak_ovr.onnx").run(None, {"input_1": stretch[np.newaxis]})
    return np.asarray(scores[0], dtype=np.float64)


def _plcmos(stretch: Wave) -> float:
    """The mean over listeners of what they would make of gaps and of how they were concealed."""
    raters = np.random.default_rng(0).standard_normal((_RATERS, 64)).astype(np.float32)
    features = _log_spectrum(stretch)[np.newaxis, np.newaxis]
    session = _session("plcmos_models/plcmos_v2.onnx")
    inputs = [{"degraded_audio": features, "rater_embed": rater[np.newaxis]} for rater in raters]
    return float(np.mean([session.run(None, row)[0] for row in inputs]))


def _log_spectrum(stretch: Wave) -> NDArray[np.float32]:
    """Log power of frames of 32 ms (natural logarithm over 20), the input of PLCMOS; shape (frames, 257)."""
    padded = np.concatenate([np.zeros(_WINDOW - _HOP), stretch, np.zeros(_WINDOW)])
    count = -(-(len(stretch) + _WINDOW - _HOP) // _HOP)
    frames = np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[::_HOP][:count] * np.hamming(_WINDOW + 1)[:-1]
    power = np.abs(np.fft.rfft(frames)) ** 2
    least = power[power > 0].min() if power.any() else 1e-8
    log = np.where(power > 0, np.log(np.maximum(power, least)), np.log(least) - 12.0 * np.log(10.0))
    return np.asarray(log / 20.0, dtype=np.float32)


@cache
def _session(name: str) -> Any:
    from onnxruntime import InferenceSession, SessionOptions

    folder = _folder()
    assert folder is not None
    options = SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    return InferenceSession(str(folder / name), options, providers=["CPUExecutionProvider"])


def _folder() -> Path | None:
    """Where the networks are; the package itself is not imported, which would need much else."""
    spec = find_spec("speechmos")
    return Path(spec.submodule_search_locations[0]) if spec and spec.submodule_search_locations else None
