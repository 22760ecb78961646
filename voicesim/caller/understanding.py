"""What the agent has said in its turn so far: every stretch is understood once, as it ends.

One stretch is in work at a time. Those that end meanwhile wait, and are then understood together as far as they fit
into one window, so that a machine that falls behind catches up instead of piling up work.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from voicesim.audio.samples import samples
from voicesim.caller.ear import AgentTurn, Stretch
from voicesim.stt.short_windows import joined, sure_of

TOGETHER = samples(11.0)
"""Sound that is understood in one go at most; Whisper's window of 12 s less the silence it needs."""


@dataclass(frozen=True)
class Understood:
    """The words of a stretch, and the probability (0 to 1) by its tune that the speaker had finished with it.

    `confidence` is how sure the ear is of the words, from 0 to 1.
    """

    text: str
    finished: float = 1.0
    confidence: float = 1.0


Hear = Callable[[AgentTurn, Stretch, str], Awaitable[Understood]]
"""Understands a stretch of a turn, elsewhere; the words before it in the turn help."""


class Understanding:
    """Follows one turn after the other; `follow` is called once a tick, and `forget` when a turn was answered."""

    def __init__(self, hear: Hear) -> None:
        self._hear = hear
        self._parts: list[Understood] = []
        self._taken = 0
        self._work: asyncio.Task[Understood] | None = None
        self._complete = False
        self.last_words: int | None = None
        """The sample at which the last stretch that had words ended; None before there was one."""
        self._in_work: Stretch | None = None

    @property
    def text(self) -> str | None:
        """The words of the turn so far; None while some of it is still being said, waits or is in work."""
        return self.so_far if self._complete else None

    @property
    def so_far(self) -> str:
        """The words that are understood already, while the agent goes on."""
        return joined(part.text for part in self._parts)

    @property
    def finished(self) -> float:
        """The probability of the last stretch that had words; 1.0 when none had."""
        return next((part.finished for part in reversed(self._parts) if part.text), 1.0)

    @property
    def confidence(self) -> float:
        """How sure the ear is of the words so far, from 0 to 1; 1.0 without words."""
        return sure_of((part.text, part.confidence) for part in self._parts)

    def follow(self, turn: AgentTurn | None) -> None:
        """Take what has been understood, and begin with what has ended. Raises what `hear` raised."""
        if turn is None:
            return
        if self._work is not None and self._work.done():
            self._collect(self._work)
        if self._work is None and (waiting := turn.stretches[self._taken :]):
            count = fitting(waiting)
            self._taken += count
            self._in_work = together(waiting[:count])
            self._work = asyncio.ensure_future(self._hear(turn, self._in_work, self.so_far))
        self._complete = turn.whole and self._work is None and self._taken == len(turn.stretches)

    def forget(self) -> None:
        """The turn was answered, or the call is over: drop what is known and what is in work."""
        if self._work is not None:
            self._work.cancel()
        self._work = self._in_work = self.last_words = None
        self._parts, self._taken, self._complete = [], 0, False

    def _collect(self, work: "asyncio.Future[Understood]") -> None:
        self._work = None
        self._parts.append(work.result())
        if self._parts[-1].text and self._in_work is not None:
            self.last_words = self._in_work.end


def fitting(stretches: Sequence[Stretch]) -> int:
    """How many of some stretches in a row are understood together: as many as fit, and at least one."""
    first = stretches[0].sound_start
    return max(1, sum(stretch.sound_end - first <= TOGETHER for stretch in stretches))


def together(stretches: Sequence[Stretch]) -> Stretch:
    """Stretches in a row as one, with the pauses between them."""
    return replace(stretches[0], end=stretches[-1].end, sound_end=stretches[-1].sound_end)
