"""Silero voice activity detection, driven window by window with its state in our hands.

The model takes windows of 512 samples at 16 kHz (32 ms), each preceded by the last 64 samples of the one
before, and a recurrent state. A window is exactly 768 samples of a call at 24 kHz.

In long silence the recurrent state settles so far that speech is noticed late or, if it is short, not at
all: after 30 s of zeros, speech that is otherwise seen in its first window took 22 windows. So the state
is cleared whenever one of the successive stretches of 2 s (64 windows) held nothing like speech.
"""

import functools
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voicesim.audio.samples import Wave

SILERO_RATE = 16_000
WINDOW = 768
WINDOW_SECONDS = 0.032
_WINDOW_16K = 512
_CONTEXT_16K = 64
_STRETCH = 64
_NOTHING_LIKE_SPEECH = 0.35

Probabilities = NDArray[np.float32]


def _zeros(*shape: int) -> Wave:
    return np.zeros(shape, dtype=np.float32)


@dataclass
class SileroState:
    """What the model remembers: its recurrent state and the tail of the last window.

    `heard` counts the windows of the stretch in progress, `loudest` is their highest probability.
    """

    h: Wave = field(default_factory=lambda: _zeros(1, 1, 128))
    c: Wave = field(default_factory=lambda: _zeros(1, 1, 128))
    context: Wave = field(default_factory=lambda: _zeros(_CONTEXT_16K))
    heard: int = 0
    loudest: float = 0.0


def speech_probabilities(audio: Wave, state: SileroState) -> Probabilities:
    """Speech probability of each whole window of float32 mono at 16,000 Hz; advances the state.

    `audio` has a whole number of windows of 512 samples; the result has one value a window.
    """
    windows = audio.reshape(-1, _WINDOW_16K)
    if not len(windows):
        return np.zeros(0, dtype=np.float32)
    before = np.concatenate([state.context[None, :], windows[:-1, -_CONTEXT_16K:]])
    inputs = np.concatenate([before, windows], axis=1)
    parts = []
    at = 0
    while at < len(inputs):
        batch = inputs[at : at + _STRETCH - state.heard]
        out, state.h, state.c = _session().run(None, {"input": batch, "h": state.h, "c": state.c})
        parts.append(np.asarray(out, dtype=np.float32).reshape(-1))
        at += len(batch)
        _close_stretch(state, parts[-1])
    state.context = windows[-1, -_CONTEXT_16K:].copy()
    return np.concatenate(parts)


def _close_stretch(state: SileroState, probabilities: Probabilities) -> None:
    """Counts windows into the stretch in progress; at its end, clears the state if it held no speech."""
    state.heard += len(probabilities)
    state.loudest = max(state.loudest, float(probabilities.max()))
    if state.heard < _STRETCH:
        return
    if state.loudest < _NOTHING_LIKE_SPEECH:
        state.h, state.c = _zeros(1, 1, 128), _zeros(1, 1, 128)
    state.heard, state.loudest = 0, 0.0


@functools.cache
def _session() -> Any:
    """The model that ships inside faster-whisper, loaded once a process; its runs are independent."""
    import faster_whisper
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.inter_op_num_threads = 1
    options.intra_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 4
    path = Path(faster_whisper.__file__).parent / "assets" / "silero_vad_v6.onnx"
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
