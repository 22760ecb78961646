"""When the patient speaks: the persona's numbers, drawn from a seed."""

from random import Random

from voicesim.audio.samples import samples
from voicesim.catalog.model import Span, TurnTaking


class Dice:
    """All random choices of turn-taking in one call. The same seed gives the same choices in order."""

    def __init__(self, turn_taking: TurnTaking, seed: int) -> None:
        self._turn_taking = turn_taking
        self._random = Random(f"floor:{seed}")

    def reply_gap(self) -> int:
        """Samples between the decision to answer and the answer."""
        return self._span(self._turn_taking.reply_gap)

    def hesitation(self) -> float:
        """Seconds of pause inside the next line; 0 for none."""
        if self._random.random() >= self._turn_taking.hesitation:
            return 0.0
        low, high = self._turn_taking.hesitation_pause
        return self._random.uniform(low, high)

    def interjects(self, chance: float) -> bool:
        """One draw against a chance."""
        return self._random.random() < chance

    def _span(self, span: Span) -> int:
        return samples(self._random.uniform(*span))
