"""The timed agent: does what its script says, to the sample, and notes what it did.

It knows one clock: the sample of the caller it has just heard is the sample it speaks at now. What it notes
is therefore true of any transport that carries both directions with a constant delay.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from voicesim.audio.samples import TICK, Pcm, samples, seconds, to_pcm
from voicesim.selftest.sound import even_speech

Kind = Literal["latency", "yield", "cut_in"]

HEARD_PEAK = 300
"""Peak (int16, -41 dBFS) from which a sample is the caller's voice."""
QUIET = samples(0.2)
"""Silence that ends what the caller says, and the least delay of a reply."""
SHORT, LONG = samples(0.7), samples(8.0)
"""Length of a reply that is heard to its end, and of one that is to be interrupted."""


@dataclass(frozen=True)
class Action:
    """What the agent does about one line of the caller; times in seconds.

    `latency`: a short reply `after` seconds from the line's last voiced sample. `yield`: a long one, which
    stops `stops` seconds after the first sample of an interruption. `cut_in`: it speaks `after` seconds from
    the line's first sample, into it.
    """

    kind: Kind
    after: float
    stops: float = 0.0


@dataclass(frozen=True)
class Truth:
    """What the agent did, in seconds of its own clock: the delay of a reply, a yield time, a cut-in."""

    kind: Kind
    seconds: float


class TimedAgent:
    """Works through its actions, one for each line of the caller; after them it goes on with short replies."""

    def __init__(self, actions: Iterable[Action]) -> None:
        self._actions = list(actions)
        self._voice = to_pcm(even_speech(seconds(LONG)))
        self._now = 0
        self._last_loud: int | None = None
        self._due: Action | None = None
        self._stops = 0.0
        self.speech: tuple[int, int] | None = None
        """First sample of what it says now or next, and the one after its last; sample 0 is the call's first."""
        self.truths: list[Truth] = []

    def tick(self, caller: Pcm) -> Pcm:
        """Take 480 samples of the caller (int16, 24,000 Hz) and give those the agent says meanwhile."""
        loud = np.flatnonzero(np.abs(caller.astype(np.int32)) > HEARD_PEAK)
        if len(loud):
            first = self._now + int(loud[0])
            if self._last_loud is None or first - self._last_loud > QUIET:
                self._begins(first)
            self._last_loud = self._now + int(loud[-1])
        elif self._due is not None and self._last_loud is not None and self._now - self._last_loud >= QUIET - TICK:
            self._answer(self._due, self._last_loud + 1)
        block = self.said(self._now, self._now + TICK)
        self._now += TICK
        return block

    def said(self, first: int, last: int) -> Pcm:
        """What it says between two samples, as it is planned now."""
        block = np.zeros(last - first, np.int16)
        if self.speech is not None:
            start, end = max(self.speech[0], first), min(self.speech[1], last)
            if start < end:
                block[start - first : end - first] = self._voice[start - self.speech[0] : end - self.speech[0]]
        return block

    def _begins(self, onset: int) -> None:
        """The caller begins to speak."""
        if self._stops and self.speech is not None and self.speech[0] <= onset < self.speech[1]:
            end = onset + samples(self._stops)
            self.speech = (self.speech[0], end)
            self._note("yield", end - onset)
            self._stops = 0.0
            return
        action = self._actions.pop(0) if self._actions else Action("latency", 0.5)
        if action.kind == "cut_in":
            start = onset + samples(action.after)
            self.speech = (start, start + SHORT)
            self._note("cut_in", start - onset)
        else:
            self._due = action

    def _answer(self, action: Action, end: int) -> None:
        """The caller's line ended before sample `end`."""
        start = end + samples(action.after)
        self.speech = (start, start + (LONG if action.kind == "yield" else SHORT))
        self._stops = action.stops
        self._due = None
        self._note("latency", start - end)

    def _note(self, kind: Kind, length: int) -> None:
        self.truths.append(Truth(kind, seconds(length)))
