"""The patient's ear: when the agent speaks, and the stretches it speaks in. It knows sound, no words.

A turn is all the agent says since the patient's last reply. A stretch is what lies between two of its pauses: the
piece that is understood at once (`caller/understanding.py`). When a turn is over is said elsewhere, since it takes
words (`caller/end_of_turn.py`).
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from voicesim.audio.samples import Pcm, samples

SPEECH = 0.5
"""Probability from which a window of the voice activity detector counts as speech."""
ONSET_WINDOWS = 2
"""Windows of speech in a row that begin a turn; a single one may be a click."""
PAUSE = samples(0.2)
"""Silence that ends a stretch."""
BREATH = samples(0.25)
"""Silence up to this is still the agent speaking."""
LONGEST = samples(9.0)
"""Length at which a stretch is cut while the agent speaks on: where speech was least likely in the ..."""
CUT_WITHIN = samples(2.5)
"""... last 2.5 s."""
MARGIN = samples(0.25)
"""Sound taken along before a stretch, for the soft edges of words, ..."""
TAIL = samples(0.1)
"""... which the stretch before keeps of the pause for itself."""


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
class Stretch:
    """Speech of the agent between two pauses, in samples of the call: from its onset to its last voiced window.

    The sound to understand it from is [`sound_start`, `sound_end`), a little more on both sides.
    """

    start: int
    end: int
    sound_start: int
    sound_end: int


@dataclass(frozen=True)
class AgentTurn:
    """All the agent said since the patient's last reply: samples from its onset to its last voiced window.

    `stretches` are those that have ended, in order.
    """

    start: int
    end: int
    stretches: tuple[Stretch, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether the last stretch has ended, so that nothing of the turn is still being said."""
        return bool(self.stretches) and self.stretches[-1].end >= self.end


class Ear:
    """Follows the agent's channel tick by tick."""

    def __init__(self, vad: Vad) -> None:
        self._vad = vad
        self._onset: int | None = None
        self._in_a_row = 0
        self._begun: tuple[int, int] | None = None
        self._recent: deque[Window] = deque()
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
            self._remember(window)
        self.heard_to += len(block)
        if self.turn is not None and self._begun is not None:
            if self.silence >= PAUSE:
                self._end_stretch(self.turn, self.turn.end, self.turn.end + PAUSE)
            elif self.turn.end - self._begun[0] >= LONGEST:
                self._cut_stretch(self.turn)

    @property
    def speaking(self) -> bool:
        """Whether the agent speaks now, breaths included."""
        return self.last_voice is not None and self.heard_to - self.last_voice <= BREATH

    @property
    def silence(self) -> int:
        """Samples of silence after the turn; 0 without one."""
        return self.heard_to - self.turn.end if self.turn is not None else 0

    def take(self) -> None:
        """The turn is being answered; the next sound begins a new one."""
        self.turn = self._begun = None
        self._in_a_row = 0

    def _voice(self, end: int) -> None:
        if self._in_a_row == 0:
            self._onset = end
        self._in_a_row += 1
        if self._in_a_row < ONSET_WINDOWS and not self.speaking:
            return
        self.last_voice = end
        onset = max(0, (self._onset or end) - samples(0.032))
        if self.turn is None:
            self.turn = AgentTurn(onset, end)
        if self._begun is None:
            before = self.turn.stretches[-1].end + TAIL if self.turn.stretches else 0
            self._begun = (onset, max(onset - MARGIN, before, 0))
        self.turn = replace(self.turn, end=end)

    def _end_stretch(self, turn: AgentTurn, end: int, sound_end: int) -> None:
        assert self._begun is not None
        start, sound_start = self._begun
        self.turn = replace(turn, stretches=(*turn.stretches, Stretch(start, end, sound_start, sound_end)))
        self._begun = None

    def _cut_stretch(self, turn: AgentTurn) -> None:
        cut = min(self._recent, key=lambda window: window.speech).end
        self._end_stretch(turn, cut, cut)
        self._begun = (cut, cut)

    def _remember(self, window: Window) -> None:
        self._recent.append(window)
        while window.end - self._recent[0].end > CUT_WITHIN:
            self._recent.popleft()
