"""The patient's mouth: it says one line after the other, and falls silent when it is talked over for too long."""

from collections.abc import Callable

import numpy as np

from voicesim.audio.samples import TICK, Wave, samples, seconds
from voicesim.caller.mind import PatientLine
from voicesim.caller.playing import FADE, Playing, Prepared
from voicesim.caller.turn_taking import Dice
from voicesim.catalog.model import TurnTaking
from voicesim.recording.events import CallerLine, Effect, Event, Intent, LineGoesOn

HALF = 0.5
"""How much of a line counts as said at most when it is cut before all of it is known."""


class Mouth:
    """`log` takes the beginning of every line, how it goes on, and where one was cut.

    `goes_on` takes a line that was begun before all of it was known, once it is.
    """

    def __init__(
        self,
        turn_taking: TurnTaking,
        dice: Dice,
        log: Callable[[Event], None],
        goes_on: Callable[[PatientLine], None] = lambda line: None,
    ) -> None:
        self._turn_taking, self._dice, self._log, self._goes_on = turn_taking, dice, log, goes_on
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
        """The next tick of sound (480 samples). A line that ends in it is over with the next one.

        Raises what making the rest of a line raised.
        """
        playing = self.playing
        if playing is None:
            return np.zeros(TICK, np.float32)
        if playing.goes_on(now):
            self._tell_rest(playing, now)
        if playing.left(now) <= TICK and not playing.unfinished:
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
        unfinished = playing.unfinished
        if playing.talked_over <= samples(limit) or (playing.left(now) <= FADE and not unfinished):
            return None
        whole, lost = playing.length, max(0, playing.cut(now))
        self._log(Effect(t=seconds(now + FADE), kind="line_cut", amount=seconds(lost)))
        return min(1 - lost / whole, HALF) if unfinished else 1 - lost / whole

    def _tell_rest(self, playing: Playing, now: int) -> None:
        """More of the line has come."""
        line, end = playing.line, seconds(now + max(0, playing.left(now)))
        spoken = playing.prepared.speech.spoken
        self._log(LineGoesOn(t=seconds(now), text=line.text, spoken=spoken, facts=line.facts, end=end))
        self._goes_on(line)
