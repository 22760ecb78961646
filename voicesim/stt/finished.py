"""Whether somebody who fell silent has finished, by the tune of the voice: Smart Turn v3.

The weights lie inside Pipecat's package, which is not imported for them (that takes two seconds). The model
hears the last 8 s and was trained on what Whisper's feature extractor makes of them, after the sound was brought
to mean 0 and variance 1. It knows no words: a clause that ends like a sentence counts as finished.
"""

import functools
import importlib.util
from pathlib import Path
from typing import Any

import numpy as np

from voicesim.audio.resampling import resample
from voicesim.audio.samples import RATE, Wave, samples
from voicesim.errors import UsageError

FINISHED = 0.5
"""Probability from which a turn counts as finished; the threshold of the model's authors."""
_SECONDS = 8
_RATE = 16_000
_FRAMES = 800
_LEAST_VARIANCE = 1e-7
_WEIGHTS = "audio/turn/smart_turn/data"


def finished_probability(wave: Wave) -> float:
    """Probability (0 to 1) that the speaker has finished, of float32 mono at 24,000 Hz that ends in some silence.

    Only the last 8 s count; 0.2 s of silence at the end are enough. Raises UsageError without the weights.
    """
    audio = resample(wave[-samples(_SECONDS) :], RATE, _RATE)[-_SECONDS * _RATE :]
    padded = np.zeros(_SECONDS * _RATE, np.float32)
    padded[len(padded) - len(audio) :] = audio
    padded = (padded - padded.mean()) / np.sqrt(padded.var() + _LEAST_VARIANCE)
    features = _extractor()(padded, padding=0)[None, :, :_FRAMES].astype(np.float32)
    (answer,) = _session().run(None, {"input_features": features})
    return float(np.asarray(answer).item())


def weights_file() -> Path:
    """The model's file in Pipecat's package. Raises UsageError when it is not there."""
    spec = importlib.util.find_spec("pipecat")
    folders = spec.submodule_search_locations if spec is not None else None
    candidates = sorted(
        file for folder in folders or () for file in (Path(folder) / _WEIGHTS).glob("smart-turn-v3*.onnx")
    )
    if not candidates:
        raise UsageError("Smart Turn v3 is missing: pipecat-ai 1.14 brings it; install voicesim again")
    return candidates[-1]


@functools.cache
def _extractor() -> Any:
    from faster_whisper.feature_extractor import FeatureExtractor

    return FeatureExtractor()


@functools.cache
def _session() -> Any:
    """The model, loaded once a process."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.inter_op_num_threads = 1
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(str(weights_file()), options, providers=["CPUExecutionProvider"])
