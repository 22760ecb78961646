"""The agents' voice: hibari's `heart`, American English, sentence by sentence."""

import threading

import numpy as np

from voicesim.audio.samples import RATE, Wave
from voicesim.errors import SpeechError, UsageError

PAUSE = 0.3
"""Silence after every sentence, in seconds."""
_FRAME = RATE // 100
_AUDIBLE = 0.002
_MARGIN = 2


class AgentVoice:
    """One loaded model for all calls of a process; takes one sentence at a time."""

    def __init__(self) -> None:
        """Raises UsageError when hibari is not installed."""
        try:
            from hibari import Hibari
        except ModuleNotFoundError as error:
            raise UsageError("the agents' voice is not installed: pip install 'voicesim[local]'") from error
        self._inside = threading.Lock()
        self._engine = Hibari(voice="heart", threads=1)
        self.speak("Ready.")

    def speak(self, sentence: str) -> Wave:
        """A sentence as float32 mono at 24,000 Hz with a pause after it. Blocking; same text, same samples.

        Raises SpeechError when no sound comes.
        """
        with self._inside:
            wave = np.asarray(self._engine(sentence, seed=0), dtype=np.float32)
        spoken = trimmed(wave)
        if not len(spoken):
            raise SpeechError(f"the agent's voice made no sound of {sentence!r}")
        return np.concatenate([spoken, np.zeros(round(PAUSE * RATE), dtype=np.float32)])


def trimmed(wave: Wave) -> Wave:
    """Without the quiet at both ends: from 20 ms before the first audible 10 ms to 20 ms after the last."""
    whole = len(wave) // _FRAME
    levels = np.sqrt(np.mean(np.square(wave[: whole * _FRAME].reshape(whole, _FRAME)), axis=1))
    audible = np.flatnonzero(levels > _AUDIBLE)
    if not len(audible):
        return np.zeros(0, dtype=np.float32)
    return wave[max(0, int(audible[0]) - _MARGIN) * _FRAME : (int(audible[-1]) + 1 + _MARGIN) * _FRAME]
