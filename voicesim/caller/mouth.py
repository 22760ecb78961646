"""The patient's mouth: it says one line after the other, and falls silent when it is talked over for too long."""

from collections.abc import Callable

import numpy as np

from voicesim.audio.samples import TICK, Wave, samples, seconds
from voicesim.caller.playing import FADE, Playing, Prepared
from voicesim.caller.turn_taking import Dice
from voicesim.catalog.model import TurnTaking
from voicesim.recording.events import CallerLine, Effect, Event, Intent


class Mouth:
    """`log` takes the beginning of every line, and where one was cut."""

    def __init__(self, turn_taking: TurnTaking, dice: Dice, log: Callable[[Event], None]) -> None:
        self._turn_taking, self._dice, self._log = turn_taking, dice, log
        self._holds = False
        self.playing: Playing | None = None
        """The line that is being said; None in silence."""
        self.starts: Intent | None = None
        self.stops: Intent | None = None
        """The intent of the line that begins, and of the one that ends, in this tick."""

    def say(self, prepared: Prepared, now: int) -> None:
        """Begin a line at a sample of the call."""
        line, length = prepared.line, len(prepared.speech.wave)
        self.playing = Playing(prepared, now)
        self._holds = line.intent != "respond" or self._dice.happens("holds_floor", self._turn_taking.holds_floor)
        self.starts = line.intent
        self._log(
            CallerLine(
                t=seconds(now),
                text=line.text,
                spoken=prepared.speech.spoken,
                intent=line.intent,
                kind=line.kind,
                facts=line.facts,
                start=seconds(now),
                end=seconds(now + length),
                drawn=prepared.drawn,
                early=prepared.early,
            )
        )

    def block(self, now: int) -> Wave:
        """The next tick of sound (480 samples). A line that ends in it is over with the next one."""
        playing = self.playing
        if playing is None:
            return np.zeros(TICK, np.float32)
        if playing.left(now) <= TICK:
            self.playing, self.stops = None, playing.line.intent
        return playing.block(now)

    def talked_over(self, now: int, *, agent_speaks: bool) -> float | None:
        """Count how long the agent has been speaking over the line; cut it when that is too long.

        Returns the share of the line that was said when it was cut just now, and None otherwise.
        """
        playing, limit = self.playing, self._turn_taking.yields_after
        if playing is None or self._holds or limit is None:
            return None
        playing.talked_over = playing.talked_over + TICK if agent_speaks else 0
        if playing.talked_over <= samples(limit) or playing.left(now) <= FADE:
            return None
        whole, lost = playing.length, playing.cut(now)
        self._log(Effect(t=seconds(now + FADE), kind="line_cut", amount=seconds(lost)))
        return 1 - lost / whole
