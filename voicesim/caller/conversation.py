"""What was said so far, from the patient's side, and how many lines the patient may still say."""

from dataclasses import dataclass
from typing import Literal

from voicesim.caller.mind import Memory, PatientLine, Said

MOSTLY_SAID = 0.7
"""Share of a line that has to be said before it is cut for its facts to count as told."""


EndReason = Literal["completed", "agent_silent", "max_turns", "caller_hung_up"]


@dataclass(frozen=True)
class Ending:
    """Why the patient's part of the call is over."""

    reason: EndReason
    detail: str = ""


class Conversation:
    """Keeps the memory that minds are given."""

    def __init__(self, max_turns: int) -> None:
        """`max_turns`: how many lines that want an answer the patient may say."""
        self._left = max_turns
        self._fresh: frozenset[str] = frozenset()
        self.memory = Memory()
        self.opened = False
        """Whether the patient has said why it calls."""
        self.answered = 0
        """How many turns of the agent the patient has answered."""

    @property
    def over(self) -> bool:
        """Whether the patient has said as many lines as it may."""
        return self._left <= 0

    def say(self, line: PatientLine, answers: str) -> None:
        """A line is being said; `answers` are the agent's words before it, "" for none."""
        if line.intent == "respond":
            self._left -= 1
        if answers:
            self.answered += 1
            self.memory.turns.append(Said("agent", answers))
        self.memory.turns.append(Said("caller", line.text))
        self._fresh = frozenset(line.facts) - self.memory.released
        self.memory.released.update(line.facts)

    def go_on(self, line: PatientLine) -> None:
        """The line that is being said is known to its end."""
        self.memory.turns[-1] = Said("caller", line.text)
        self.memory.released -= self._fresh - frozenset(line.facts)

    def leave(self, answers: str) -> None:
        """The agent's words are left unanswered."""
        if answers:
            self.memory.turns.append(Said("agent", answers))

    def cut(self, share: float) -> bool:
        """The last line was cut when this share of it was said; returns whether it counts as said all the same."""
        if share >= MOSTLY_SAID:
            return True
        words = self.memory.turns[-1].text.split()
        self.memory.turns[-1] = Said("caller", " ".join([*words[: round(share * len(words))], "..."]))
        self.memory.released -= self._fresh
        return False
