"""Habits on the phone, around any mind: the patient asks back, mishears, rambles, changes its mind, tests limits."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from voicesim.caller import phrases
from voicesim.caller.mind import Begins, Memory, Mind, PatientLine
from voicesim.caller.moves import Move, read, says_goodbye
from voicesim.catalog.model import Habits

MOST_CHANGES = 2
"""How often an agreement is taken back in a call."""


class HabitualMind:
    """Does by chance what a persona's habits say, and otherwise what its mind says.

    What the ear could not make out, it asks to hear again, so often as the persona does. After that it answers what it
    understood, and says nothing where it understood nothing. A mind of `exact` lines is never kept from saying them.
    The draws of a turn depend on the seed and on how much was said before, so that the same turn is drawn alike
    however often its reply is made.
    """

    def __init__(self, mind: Mind, habits: Habits, seed: int, language: str = "en") -> None:
        self.name = mind.name
        self._mind, self._habits, self._seed, self._language = mind, habits, seed, phrases.voiced(language)
        self._phrases: Mapping[str, Any] = phrases.phrases_of(language)
        self.thinks_ahead: bool = getattr(mind, "thinks_ahead", False)
        self._exact: bool = getattr(mind, "exact", False)

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        """See Mind. Raises what the mind raises."""
        asks_back = None if self._exact else self._ask_back(heard, memory)
        if asks_back is not None:
            return asks_back
        happens = self._drawn(memory)
        last = phrases.spoken(memory)[-1:]
        again = bool(last) and last[0] in self._phrases["unheard"]
        if happens["mishears"] and last and not again and not says_goodbye(heard, self._language):
            return PatientLine(phrases.pick(self._phrases["unheard"], memory))
        line = await self._mind.reply(heard, memory)
        if line.hang_up or line.kind != "line":
            return line
        if happens["changes_mind"] and self._agrees(heard, line) and self._times("changes_mind", memory) < MOST_CHANGES:
            return replace(line, text=phrases.pick(self._phrases["changes_mind"], memory))
        if happens["tests_limits"] and not line.facts and (demand := self._next("tests_limits", memory)):
            return replace(line, text=demand)
        if happens["rambles"] and (story := self._next("rambles", memory)):
            return replace(line, text=f"{line.text} {story}")
        return line

    async def begin(self, heard: str, memory: Memory, started: Callable[[PatientLine], None]) -> PatientLine:
        """See Begins; where a habit may change the line, nothing of it is said before all is known."""
        as_it_is = not any(self._drawn(memory).values()) and (self._exact or self._ask_back(heard, memory) is None)
        if as_it_is and isinstance(self._mind, Begins):
            return await self._mind.begin(heard, memory, started)
        return await self.reply(heard, memory)

    def _drawn(self, memory: Memory) -> dict[str, bool]:
        """Which habits come up in this turn."""
        draws = Random(f"habits:{self._seed}:{len(memory.turns)}")
        chances = {name: draws.random() for name in ("mishears", "rambles", "changes_mind", "tests_limits")}
        return {name: drawn < getattr(self._habits, name) for name, drawn in chances.items()}

    def _ask_back(self, heard: str, memory: Memory) -> PatientLine | None:
        """The line for words that the ear could not make out; None when they are to be answered.

        A doubtful goodbye is taken for one.
        """
        nothing = not read(heard, self._language)
        if not nothing and (not memory.unsure or says_goodbye(heard, self._language)):
            return None
        if any(says_goodbye(line, self._language) for line in phrases.spoken(memory)):
            return None  # the call is over, whatever else is said
        if self._times("unheard", memory) < self._habits.asks_back:
            return PatientLine(phrases.pick(self._phrases["unheard"], memory))
        return PatientLine("") if nothing else None

    def _agrees(self, heard: str, line: PatientLine) -> bool:
        """Whether a line answers an offer or a request, and tells nothing."""
        moves = frozenset[Move]().union(*(sentence.moves for sentence in read(heard, self._language)))
        return not line.facts and bool(moves & {"offer", "request"})

    def _times(self, name: str, memory: Memory) -> int:
        return phrases.times(self._phrases[name], memory)

    def _next(self, name: str, memory: Memory) -> str:
        """The next of some phrases that was not said yet; "" when all were."""
        options: Sequence[str] = self._phrases[name]
        return next((text for text in options if not phrases.times((text,), memory)), "")
