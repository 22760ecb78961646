"""A line of the patient with its sound: before it is said, and while it is. Positions are samples of the call."""

import asyncio
from dataclasses import dataclass, replace

import numpy as np

from voicesim.audio.samples import TICK, Wave, samples
from voicesim.caller.mind import PatientLine
from voicesim.tts.base import Speech

FADE = 240
"""Samples (10 ms) in which a line that is cut off fades out."""

BETWEEN = samples(0.2)
"""Silence between what of a line was ready and the rest of it."""


@dataclass(frozen=True)
class Prepared:
    """A line that may be said, what of the agent it answers, and the silence that was drawn to go before it.

    `drawn` is in seconds; None for a line that answers nothing. `early`: it does not wait for the agent's end. `rest`
    is still coming: the whole line, with the sound of what of it is not here yet.
    """

    line: PatientLine
    speech: Speech
    answers: str = ""
    drawn: float | None = None
    early: bool = False
    rest: "asyncio.Future[Prepared] | None" = None

    def settled(self) -> "Prepared":
        """With its rest, if that has come. Raises what making the rest raised."""
        if self.rest is None or not self.rest.done():
            return self
        more = self.rest.result()
        pause = np.zeros(BETWEEN if len(more.speech.wave) else 0, np.float32)
        wave = np.concatenate([self.speech.wave, pause, more.speech.wave])
        spoken = f"{self.speech.spoken} {more.speech.spoken}".strip()
        return replace(self, line=more.line, speech=Speech(wave, more.line.text, spoken), rest=None)


class Playing:
    """A line on its way out; `answers` are the agent's words before it."""

    def __init__(self, prepared: Prepared, start: int) -> None:
        self.line, self.answers = prepared.line, prepared.answers
        self.prepared = prepared
        """What is known of it; a line whose rest is still coming goes on in silence."""
        self.talked_over = 0
        """For how many samples the agent has been speaking over it."""
        self._wave, self._start = prepared.speech.wave, start
        self.length = len(self._wave)
        """Samples of the whole line, also of one that was cut."""

    def block(self, now: int) -> Wave:
        """The tick of it that begins now, silence behind its end."""
        block = self._wave[now - self._start :][:TICK]
        return np.pad(block, (0, TICK - len(block))).astype(np.float32)

    def goes_on(self, now: int) -> bool:
        """Take in the rest of the line, if it has just come: behind a pause, or at once where that has passed.

        Raises what making the rest raised.
        """
        if self.prepared.rest is None or not self.prepared.rest.done():
            return False
        said, self.prepared = len(self._wave), self.prepared.settled()
        self.line = self.prepared.line
        late = np.zeros(max(0, now - self._start - said - BETWEEN), np.float32)
        self._wave = np.concatenate([self._wave, late, self.prepared.speech.wave[said:]])
        self.length = len(self._wave)
        return True

    @property
    def unfinished(self) -> bool:
        """Whether more of it is to come."""
        return self.prepared.rest is not None

    def left(self, now: int) -> int:
        """Samples that have not been said yet."""
        return len(self._wave) - (now - self._start)

    def cut(self, now: int) -> int:
        """Let it fade out from here; how many samples will not be said."""
        lost, said = self.left(now) - FADE, now - self._start
        tail = self._wave[said : said + FADE] * np.linspace(1.0, 0.0, FADE, dtype=np.float32)
        self._wave = np.concatenate([self._wave[:said], tail])
        self.prepared = replace(self.prepared, rest=None)
        return lost
