"""The simulated patient: once a tick it hears 20 ms and says 20 ms.

Nothing here waits. What takes time (understanding, thinking, voicing) runs in the background, and a later tick picks
up its outcome. How the parts meet, in the order in which a turn of the agent passes them:

- `Ear` hears sound: stretches of speech and the pauses between them.
- `Understanding` understands every stretch once, as it ends.
- `turn_end` says by these words, and by the tune of the voice, how much silence ends the turn.
- `Preparation` thinks of the reply to the words so far and voices it, before the turn is over.
- The reply is said when the turn is over, the reply is ready, and the gap that the persona drew has passed since the
  agent's last word. What it took longer than the persona's own silence is the patient's excess.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import numpy as np

from voicesim.audio.samples import TICK, Pcm, Wave, samples, seconds
from voicesim.caller.ear import AgentTurn, Ear, Stretch
from voicesim.caller.end_of_turn import TurnEnd, turn_end
from voicesim.caller.mind import Memory, Mind, PatientLine, Said
from voicesim.caller.moves import says_goodbye
from voicesim.caller.playing import FADE, Playing, Prepared
from voicesim.caller.preparing import Preparation
from voicesim.caller.turn_taking import Dice, Plan
from voicesim.caller.understanding import Understanding, Understood
from voicesim.catalog.model import TurnTaking
from voicesim.recording.events import CallerLine, Effect, Event, Heard, Intent
from voicesim.tts.base import Speech

_FOLLOW_UPS = ("Hello? Are you there?", "Hello? Can you hear me?")
FOLLOW_UPS = tuple(PatientLine(text, kind="follow_up") for text in _FOLLOW_UPS)
"""Said when the agent stays silent; after the last one the patient gives up."""
INTERRUPTION = PatientLine("Sorry, wait a moment.", intent="stop", kind="interruption")
BACKCHANNEL = PatientLine("Mm-hm.", intent="ignore", kind="backchannel")
FAREWELL_WAIT = samples(8.0)
"""How long a goodbye waits for the agent's answer before the patient hangs up, ..."""
LAST_WAIT = samples(2.5)
"""... and how long when it answers the agent's own goodbye."""
FAREWELL_PAUSE = 1.0
"""Seconds of silence after which the agent's answer to a goodbye is over."""
BACKCHANNEL_AFTER = samples(4.0)


class Workers(Protocol):
    """The slow work, done elsewhere."""

    async def hear(self, turn: AgentTurn, stretch: Stretch, before: str) -> Understood:
        """The words of a stretch of an agent turn, and whether the agent seems to have finished with it.

        `before` are the words of the turn before this stretch.
        """
        ...

    async def speak(self, text: str, pause: float) -> Speech:
        """A line as sound; `pause` seconds of hesitation go between its sentences."""
        ...


@dataclass(frozen=True)
class Ending:
    """Why the patient's part of the call is over."""

    reason: Literal["completed", "caller_hung_up", "agent_silent", "max_turns"]
    detail: str = ""


class SimulatedPatient:
    """One caller in one call. `log` takes the events of the patient's side as they happen."""

    def __init__(
        self,
        *,
        opening: PatientLine,
        mind: Mind,
        turn_taking: TurnTaking,
        ear: Ear,
        workers: Workers,
        seed: int,
        max_turns: int,
        log: Callable[[Event], None],
    ) -> None:
        self._opening, self._mind, self._turn_taking, self._ear = opening, mind, turn_taking, ear
        self._workers, self._max_turns, self._log = workers, max_turns, log
        self._dice = Dice(turn_taking, seed)
        self._memory = Memory()
        self._stock: dict[PatientLine, Prepared] = {}
        self._now = 0
        self._quiet_since = 0
        self._follow_ups = 0
        self._playing: Playing | None = None
        self._understanding = Understanding(workers.hear)
        self._preparation = Preparation(self._make)
        self._plan: Plan | None = None
        self._heard = ""
        self._leaves_at: int | None = None
        self._interjected: set[PatientLine] = set()
        self.slowest = 0.0
        """The longest excess of a reply: seconds beyond the silence that the persona leaves before it."""
        self.ending: Ending | None = None
        self.starts: Intent | None = None
        self.stops: Intent | None = None
        """What the line wants that begins, or ends, in the latest tick."""

    async def prepare(self) -> None:
        """Voice everything that is known before the call, so that its timing costs nothing.

        Raises SpeechError or UsageError when the voice cannot be had.
        """
        for line in (self._opening, *FOLLOW_UPS, INTERRUPTION, BACKCHANNEL):
            self._stock[line] = Prepared(line, await self._workers.speak(line.text, 0.0))

    def tick(self, heard: Pcm) -> Wave:
        """Hear one tick of the agent (int16) and give one tick of clean voice (480 float32 samples).

        Raises MindError, SpeechError or whatever else went wrong in the background task.
        """
        self._ear.feed(heard)
        self._understanding.follow(self._ear.turn)
        self.starts = self.stops = None
        if self._playing is not None:
            self._yield_if_talked_over(self._playing)
        else:
            self._decide()
        block = self._next_block()
        self._now += TICK
        return block

    async def close(self) -> None:
        """Stop what runs in the background."""
        self._understanding.forget()
        self._preparation.drop()
        await asyncio.sleep(0)

    @property
    def said_goodbye(self) -> bool:
        """Whether the patient has said what it hangs up after, or is saying it."""
        leaving = self._playing is not None and self._playing.line.hang_up
        return leaving or self._leaves_at is not None

    def _decide(self) -> None:
        if self._ear.speaking:
            self._interject()
        elif self._leaves_at is not None:
            self._leave(self._leaves_at)
        elif self._ear.turn is not None:
            self._attend()
        else:
            self._break_silence()

    def _attend(self) -> None:
        """The agent has fallen silent in its turn: make the reply, and say it when it is due."""
        plan = self._plan = self._plan or self._dice.plan()
        words, end_of_turn = self._understanding.text, self._turn_taking.end_of_turn
        if words is None:
            self._note_excess(plan, TurnEnd(0.0, True))
            return
        end = turn_end(words, self._understanding.finished, end_of_turn)
        self._note_excess(plan, end)
        silence = seconds(self._ear.silence)
        if end.silence < end_of_turn or silence >= end_of_turn / 2:
            self._preparation.begin(words)
        if silence < end.silence:
            return
        self._tell_heard(words)
        reply = self._preparation.reply(words)
        if reply is not None and self._now >= max(self._last_words, self._quiet_since) + plan.gap:
            drawn = max(plan.gap, 0 if end.called_for else samples(end_of_turn))
            # An agent that spoke into the patient's line, and ended before it, was not kept waiting.
            waited = self._last_words >= self._quiet_since
            self._start(replace(reply, drawn=seconds(drawn) if waited else None))

    def _break_silence(self) -> None:
        """Open the call if nobody greets; ask if anyone is there if nobody answers; give up in the end."""
        quiet = self._now - max(self._quiet_since, self._ear.last_voice or 0)
        if not self._memory.turns:
            if quiet >= samples(self._turn_taking.opening_wait):
                self._start(self._stock[self._opening])
        elif quiet >= samples(self._turn_taking.patience):
            if self._follow_ups == len(FOLLOW_UPS):
                self.ending = Ending("agent_silent", f"no answer to {self._follow_ups} follow-ups")
                return
            line = FOLLOW_UPS[self._follow_ups]
            self._follow_ups += 1
            self._start(self._stock[line])

    async def _make(self, heard: str) -> Prepared:
        """The reply to some words of the agent."""
        if not self._memory.turns:
            return replace(self._stock[self._opening], answers=heard)
        line = await self._mind.reply(heard, self._memory)
        hesitation = self._plan.hesitation if self._plan is not None else 0.0
        return Prepared(line, await self._workers.speak(line.text, hesitation), answers=heard)

    def _tell_heard(self, words: str) -> None:
        """Once a turn, and again if the agent went on: what it was understood to say."""
        turn = self._ear.turn
        if turn is not None and words != self._heard:
            self._heard = words
            self._log(Heard(t=seconds(self._now), text=words, start=seconds(turn.start), end=seconds(turn.end)))

    @property
    def _last_words(self) -> int:
        """The sample at which the agent's last word in its turn ended."""
        if self._understanding.last_words is not None:
            return self._understanding.last_words
        return self._ear.turn.end if self._ear.turn is not None else self._now

    def _note_excess(self, plan: Plan, end: TurnEnd) -> None:
        """By how much the reply is late now, whether it will be said or the agent speaks first."""
        silence = max(seconds(plan.gap), 0.0 if end.called_for else self._turn_taking.end_of_turn)
        since = max(self._last_words, self._quiet_since)
        self.slowest = max(self.slowest, seconds(self._now - since) - silence)

    def _start(self, prepared: Prepared) -> None:
        line = prepared.line
        if line.intent == "respond":
            if sum(said.side == "caller" for said in self._memory.turns) >= self._max_turns:
                self.ending = Ending("max_turns", f"{self._max_turns} lines of the patient")
                return
            if prepared.answers:
                self._follow_ups = 0
                self._memory.turns.append(Said("agent", prepared.answers))
            self._memory.turns.append(Said("caller", line.text))
            self._memory.released.update(line.facts)
            self._ear.take()
            self._understanding.forget()
            self._preparation.drop()
            self._plan, self._heard = None, ""
            self._interjected.clear()
        self._playing = Playing(prepared, self._now)
        self.starts = line.intent
        self._log(
            CallerLine(
                t=seconds(self._now),
                text=line.text,
                spoken=prepared.speech.spoken,
                intent=line.intent,
                kind=line.kind,
                facts=line.facts,
                start=seconds(self._now),
                end=seconds(self._now + len(prepared.speech.wave)),
                drawn=prepared.drawn,
            )
        )

    def _next_block(self) -> Wave:
        playing = self._playing
        if playing is None:
            return np.zeros(TICK, np.float32)
        if playing.left(self._now) <= TICK:
            self._finish(playing)
        return playing.block(self._now)

    def _finish(self, playing: Playing) -> None:
        self._playing = None
        self.stops = playing.line.intent
        self._quiet_since = self._now + TICK
        if playing.line.hang_up:
            wait = LAST_WAIT if says_goodbye(playing.answers) else FAREWELL_WAIT
            self._leaves_at = self._quiet_since + wait

    def _yield_if_talked_over(self, playing: Playing) -> None:
        limit = self._turn_taking.yields_after
        if playing.line.intent != "respond" or limit is None:
            return
        playing.talked_over = playing.talked_over + TICK if self._ear.speaking else 0
        if playing.talked_over > samples(limit) and playing.left(self._now) > FADE:
            lost = playing.cut(self._now)
            self._log(Effect(t=seconds(self._now + FADE), kind="line_cut", amount=seconds(lost)))

    def _interject(self) -> None:
        """In a long agent turn: once, perhaps, an interruption or a sign of listening."""
        turn = self._ear.turn
        if turn is None or not self._memory.turns or self._leaves_at is not None:
            return
        length = turn.end - turn.start
        # Each has its own moment in the turn and its own chance; what came to nothing is not drawn again.
        chances = (
            (BACKCHANNEL, self._turn_taking.backchannel, BACKCHANNEL_AFTER),
            (INTERRUPTION, self._turn_taking.barge_in, samples(self._turn_taking.barge_in_after)),
        )
        for line, chance, after in chances:
            if length >= after and line not in self._interjected:
                self._interjected.add(line)
                if self._dice.happens(line.text, chance):
                    self._start(self._stock[line])
                    return

    def _leave(self, latest: int) -> None:
        answered = self._ear.turn is not None and seconds(self._ear.silence) >= FAREWELL_PAUSE
        if answered or self._now >= latest:
            self.ending = Ending("completed", "goodbye said")
