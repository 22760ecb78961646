"""When the patient speaks: the persona's numbers, drawn from a seed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from voicesim.audio.samples import samples
from voicesim.catalog.model import TurnTaking

T = TypeVar("T")

LONGEST_GAP = 3.0
"""Seconds; the tail of the distribution ends here, as nobody on the phone thinks longer without a sound."""


@dataclass(frozen=True)
class Plan:
    """What is drawn for the reply to a turn: the gap before it in samples, and whether it may come early."""

    gap: int
    early: bool


class Dice:
    """All random choices of turn-taking in one call. The same seed gives the same choices.

    Each kind of choice has a sequence of its own, so that one number of a persona changes nothing about the others.
    """

    def __init__(self, turn_taking: TurnTaking, seed: object) -> None:
        self._turn_taking, self._seed = turn_taking, seed
        self._sequences: dict[str, Random] = {}
        self._speaker = math.exp(self._of("speaker").gauss(0.0, turn_taking.reply_gap.speaker))

    def plan(self) -> Plan:
        """The draws for one reply; they are made once a turn, however often its reply is thought out anew."""
        return Plan(self.reply_gap(), self.early())

    def reply_gap(self) -> int:
        """Samples between the agent's last sound and the answer.

        Log-normal with its mode at m and the spread s: exp(N(ln m + s^2, s)), times this call's own factor.
        """
        gap, draws = self._turn_taking.reply_gap, self._of("reply_gap")
        if gap.between is not None:
            return samples(draws.uniform(*gap.between))
        drawn = self._speaker * draws.lognormvariate(math.log(gap.mode) + gap.spread**2, gap.spread)
        return samples(min(drawn, LONGEST_GAP))

    def early(self) -> bool:
        """Whether the next answer begins as soon as the question is understood, over what the agent goes on to say."""
        gap = self._turn_taking.reply_gap
        return gap.between is None and self.happens("early", gap.early)

    def pause(self) -> float:
        """Seconds of hesitation inside a line."""
        return self._of("pause").uniform(*self._turn_taking.hesitation_pause)

    def happens(self, what: str, chance: float) -> bool:
        """One draw against a chance, from the sequence of a kind of choice."""
        return self._of(what).random() < chance

    def between(self, what: str, low: float, high: float) -> float:
        """A number drawn evenly between two, from the sequence of a kind of choice."""
        return self._of(what).uniform(low, high)

    def pick(self, what: str, options: Sequence[T]) -> T:
        """One of several options, from the sequence of a kind of choice."""
        return self._of(what).choice(options)

    def _of(self, what: str) -> Random:
        return self._sequences.setdefault(what, Random(f"turn taking:{what}:{self._seed}"))
