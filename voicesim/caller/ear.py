"""The patient's ear: when the agent speaks, and when its turn is over. It knows sound, no words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from voicesim.audio.samples import Pcm, samples

SPEECH = 0.5
"""Probability from which a window of the voice activity detector counts as speech."""
ONSET_WINDOWS = 2
"""Windows of speech in a row that begin a turn; a single one may be a click."""
BREATH = samples(0.25)
"""Silence up to this is still the agent speaking."""
PAUSE = samples(0.6)
"""Silence from which a turn may be over; shorter ones lie between the sentences of most voices."""


class Window(Protocol):
    """A judged stretch of sound: the sample it ends before, and the probability of speech in it."""

    @property
    def end(self) -> int: ...

    @property
    def speech(self) -> float: ...


class Vad(Protocol):
    """Voice activity as it arrives."""

    def feed(self, block: Pcm) -> Sequence[Window]:
        """The windows that this block (int16, 24,000 Hz) completes."""
        ...


@dataclass(frozen=True)
class AgentTurn:
    """All the agent said since the patient's last reply: samples from its onset to its last voiced window."""

    start: int
    end: int


class Ear:
    """Follows the agent's channel tick by tick."""

    def __init__(self, vad: Vad, end_of_turn: float) -> None:
        """`end_of_turn`: seconds of silence after which the agent is taken to have finished."""
        self._vad = vad
        self._end_of_turn = samples(end_of_turn)
        self._onset: int | None = None
        self._in_a_row = 0
        self.turn: AgentTurn | None = None
        self.heard_to = 0
        self.last_voice: int | None = None

    def feed(self, block: Pcm) -> None:
        """Hear one more block (int16, 24,000 Hz); an empty one is nothing."""
        if not len(block):
            return
        for window in self._vad.feed(block):
            if window.speech >= SPEECH:
                self._voice(window.end)
            else:
                self._in_a_row = 0
        self.heard_to += len(block)

    @property
    def speaking(self) -> bool:
        """Whether the agent speaks now, breaths included."""
        return self.last_voice is not None and self.heard_to - self.last_voice <= BREATH

    @property
    def pausing(self) -> bool:
        """Whether a turn is there that may be over."""
        return self.turn is not None and self.heard_to - self.turn.end >= PAUSE

    @property
    def over(self) -> bool:
        """Whether a turn is there and has been silent long enough to be answered."""
        return self.turn is not None and self.heard_to - self.turn.end >= self._end_of_turn

    def take(self) -> None:
        """The turn is being answered; the next sound begins a new one."""
        self.turn = None
        self._in_a_row = 0

    def _voice(self, end: int) -> None:
        if self._in_a_row == 0:
            self._onset = end
        self._in_a_row += 1
        if self._in_a_row < ONSET_WINDOWS and not self.speaking:
            return
        self.last_voice = end
        start = self.turn.start if self.turn else max(0, (self._onset or end) - samples(0.032))
        self.turn = AgentTurn(start, end)
