"""A line of the patient with its sound: before it is said, and while it is. Positions are samples of the call."""

from dataclasses import dataclass

import numpy as np

from voicesim.audio.samples import TICK, Wave
from voicesim.caller.mind import PatientLine
from voicesim.tts.base import Speech

FADE = 240
"""Samples (10 ms) in which a line that is cut off fades out."""


@dataclass(frozen=True)
class Prepared:
    """A line that may be said, what of the agent it answers, and the silence that was drawn to go before it.

    `drawn` is in seconds; None for a line that answers nothing. `early`: it does not wait for the agent's end.
    """

    line: PatientLine
    speech: Speech
    answers: str = ""
    drawn: float | None = None
    early: bool = False


class Playing:
    """A line on its way out; `answers` are the agent's words before it."""

    def __init__(self, prepared: Prepared, start: int) -> None:
        self.line, self.answers = prepared.line, prepared.answers
        self.talked_over = 0
        """For how many samples the agent has been speaking over it."""
        self._wave, self._start = prepared.speech.wave, start
        self.length = len(self._wave)
        """Samples of the whole line, also of one that was cut."""

    def block(self, now: int) -> Wave:
        """The tick of it that begins now, silence behind its end."""
        block = self._wave[now - self._start :][:TICK]
        return np.pad(block, (0, TICK - len(block))).astype(np.float32)

    def left(self, now: int) -> int:
        """Samples that have not been said yet."""
        return len(self._wave) - (now - self._start)

    def cut(self, now: int) -> int:
        """Let it fade out from here; how many samples will not be said."""
        lost, said = self.left(now) - FADE, now - self._start
        tail = self._wave[said : said + FADE] * np.linspace(1.0, 0.0, FADE, dtype=np.float32)
        self._wave = np.concatenate([self._wave[:said], tail])
        return lost
