"""The reply to the agent's running turn: when it is due, and by how much it is late.

In the order in which a turn passes the parts: `Understanding` understands every stretch once, as it ends; `turn_end`
says by these words, and by the tune of the voice, how much silence ends the turn; `Preparation` thinks of the reply
and voices it before that. The reply is due when the turn is over, the reply is ready, and the gap that the persona
drew has passed since the agent's last word. What it took longer than the persona's own silence is its excess.
"""

import math
from collections.abc import Awaitable, Callable
from dataclasses import replace

from voicesim.audio.samples import samples, seconds
from voicesim.caller.ear import Ear
from voicesim.caller.end_of_turn import TurnEnd, turn_end
from voicesim.caller.phrases import voiced
from voicesim.caller.playing import Prepared
from voicesim.caller.preparing import Preparation
from voicesim.caller.turn_taking import Dice, Plan
from voicesim.caller.understanding import Hear, Understanding
from voicesim.caller.voicing import Manner
from voicesim.language.listening import only_listens
from voicesim.recording.events import Event, Heard
from voicesim.stt.short_windows import LEAST_LOGPROB

UNSURE = math.exp(LEAST_LOGPROB)
"""Confidence in an agent's words under which the patient had better ask; Whisper itself tries again there."""


class Replying:
    """Follows the turn of one ear, and the one after it."""

    def __init__(
        self,
        ear: Ear,
        hear: Hear,
        make: Callable[[str], Awaitable[Prepared]],
        manner: Manner,
        dice: Dice,
        log: Callable[[Event], None],
    ) -> None:
        """`make` thinks of the reply to some words of the agent, and voices it.

        A patient that `thinks_ahead` begins on what is understood so far, while the agent still speaks. If the agent
        goes on, that is given up and begun again.
        """
        self._ear, self._turn_taking, self._dice, self._log = ear, manner.turn_taking, dice, log
        self._language, self._thinks_ahead = voiced(manner.language), manner.thinks_ahead
        self._understanding = Understanding(hear)
        self._preparation = Preparation(make)
        self._plan: Plan | None = None
        self._told = ""
        self._called_for = ""
        self.slowest = 0.0
        """The longest excess of a reply: seconds beyond the silence that the persona leaves before it."""

    def follow(self) -> None:
        """Go on understanding; called once a tick. Raises what understanding raised."""
        self._understanding.follow(self._ear.turn)

    @property
    def words(self) -> str:
        """What of the running turn is understood already."""
        return self._understanding.so_far

    @property
    def unsure(self) -> bool:
        """Whether the ear doubts what of the running turn it has understood."""
        return self._understanding.confidence < UNSURE

    def forget(self) -> None:
        """The turn was answered, or is not to be."""
        self._understanding.forget()
        self._preparation.drop()
        self._plan, self._told, self._called_for = None, "", ""

    def due(self, now: int, quiet_since: int) -> Prepared | None:
        """The reply, if it is time to say it; called while the agent is silent in its turn.

        `quiet_since` is the sample at which the patient fell silent. Raises what making the reply raised.
        """
        plan = self._plan = self._plan or self._dice.plan()
        words, longest = self._understanding.text, self._turn_taking.end_of_turn
        if words is None:
            self._note_excess(now, quiet_since, plan, TurnEnd(0.0, True))
            return None
        end = turn_end(words, self._understanding.finished, longest, self._language)
        self._note_excess(now, quiet_since, plan, end)
        silence = seconds(self._ear.silence)
        if end.called_for and plan.early:
            self._called_for = words
        if end.silence < longest or silence >= longest / 2 or self._called_for or self._thinks_ahead:
            self._preparation.begin(words)
        if silence < end.silence:
            return self.early(now)
        self._tell(now, words)
        reply = self._preparation.reply(words)
        if reply is None or now < max(self.last_words(now), quiet_since) + plan.gap:
            return None
        drawn = max(plan.gap, 0 if end.called_for else samples(longest))
        # An agent that spoke into the patient's line, and ended before it, was not kept waiting.
        waited = self.last_words(now) >= quiet_since
        self._preparation.say()
        return replace(reply, drawn=seconds(drawn) if waited else None)

    def murmured(self, quiet_since: int) -> bool:
        """Whether the agent only showed that it listens while the patient spoke: that wants no answer.

        `quiet_since` is the sample at which the patient fell silent.
        """
        turn, words = self._ear.turn, self._understanding.text
        return bool(turn and words and turn.end <= quiet_since and only_listens(words))

    def unasked(self) -> Prepared | None:
        """What a person has typed into the agent's silence. An empty line there is none."""
        self._preparation.begin("")
        reply = self._preparation.reply("")
        if reply is not None and not reply.line.text and not reply.line.hang_up:
            self._preparation.drop()
            return None
        return reply

    def early(self, now: int) -> Prepared | None:
        """The reply to a question after which the agent speaks on, for a patient that does not wait for its end.

        Called once a tick while the agent speaks. A patient that thinks ahead does so here.
        """
        words = self._understanding.so_far if self._thinks_ahead else ""
        if words and turn_end(words, 1.0, self._turn_taking.end_of_turn, self._language).called_for:
            self._preparation.begin(words)
        reply = self._early()
        if reply is not None:
            self._preparation.say()
            self._tell(now, self._called_for)
        return reply

    def last_words(self, now: int) -> int:
        """The sample at which the agent's last word in its turn ended; its last sound while words are unknown."""
        if self._understanding.text is not None and self._understanding.last_words is not None:
            return self._understanding.last_words
        return self._ear.turn.end if self._ear.turn is not None else now

    def _early(self) -> Prepared | None:
        reply = self._preparation.reply(self._called_for) if self._called_for else None
        return replace(reply, early=True) if reply is not None else None

    def _tell(self, now: int, words: str) -> None:
        """Once a turn, and again if the agent went on: what it was understood to say."""
        turn = self._ear.turn
        if turn is not None and words != self._told:
            self._told = words
            sure = round(self._understanding.confidence, 3)
            span = seconds(turn.start), seconds(turn.end)
            self._log(Heard(t=seconds(now), text=words, start=span[0], end=span[1], confidence=sure))

    def _note_excess(self, now: int, quiet_since: int, plan: Plan, end: TurnEnd) -> None:
        """By how much the reply is late now, whether it will be said or the agent speaks first."""
        silence = max(seconds(plan.gap), 0.0 if end.called_for else self._turn_taking.end_of_turn)
        since = max(self.last_words(now), quiet_since)
        self.slowest = max(self.slowest, seconds(now - since) - silence)
