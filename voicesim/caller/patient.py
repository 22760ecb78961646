"""The simulated patient: once a tick it hears 20 ms and says 20 ms.

Nothing here waits. What takes time (understanding, thinking, voicing) runs in the background; its outcome is
picked up by a later tick, and dropped when the agent has meanwhile gone on speaking. Understanding begins in
every pause of the agent, thinking only when its turn is over.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import numpy as np

from voicesim.audio.samples import TICK, Pcm, Wave, samples, seconds
from voicesim.caller.ear import AgentTurn, Ear
from voicesim.caller.mind import Memory, Mind, PatientLine, Said
from voicesim.caller.moves import says_goodbye
from voicesim.caller.playing import FADE, Playing, Prepared
from voicesim.caller.turn_taking import Dice
from voicesim.catalog.model import TurnTaking
from voicesim.recording.events import CallerLine, Effect, Event, Heard
from voicesim.tts.base import Speech

FOLLOW_UPS = (PatientLine("Hello? Are you there?"), PatientLine("Hello? Can you hear me?"))
"""Said when the agent stays silent; after the last one the patient gives up."""
INTERRUPTION = PatientLine("Sorry, wait a moment.", intent="stop")
BACKCHANNEL = PatientLine("Mm-hm.", intent="ignore")
FAREWELL_WAIT = samples(8.0)
"""How long a goodbye waits for the agent's answer before the patient hangs up, ..."""
LAST_WAIT = samples(2.5)
"""... and how long when it answers the agent's own goodbye."""
BACKCHANNEL_AFTER = samples(4.0)


class Workers(Protocol):
    """The slow work, done elsewhere."""

    async def hear(self, turn: AgentTurn) -> str:
        """The words of an agent turn."""
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
        self._prepared: Prepared | None = None
        self._hearing: asyncio.Task[str] | None = None
        self._thinking: asyncio.Task[Prepared] | None = None
        self._thinking_since = 0
        self._leaves_at: int | None = None
        self._interjected: set[PatientLine] = set()
        self.slowest = 0.0
        """The longest that hearing, deciding and voicing an answer took behind the end of a turn, in seconds."""
        self.ending: Ending | None = None

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
        if self._playing is not None:
            self._yield_if_talked_over(self._playing)
        else:
            self._decide()
        block = self._next_block()
        self._now += TICK
        return block

    async def close(self) -> None:
        """Stop the background task."""
        self._abandon()
        await asyncio.sleep(0)

    @property
    def said_goodbye(self) -> bool:
        """Whether the patient has said what it hangs up after, or is saying it."""
        leaving = self._playing is not None and self._playing.line.hang_up
        return leaving or self._leaves_at is not None

    def _decide(self) -> None:
        if self._ear.speaking:
            self._abandon()
            self._interject()
        elif self._leaves_at is not None:
            self._leave(self._leaves_at)
        elif self._prepared is not None:
            if self._now >= self._prepared.due:
                self._start(self._prepared)
        elif self._thinking is not None:
            if self._thinking.done():
                self._collect(self._thinking)
        elif self._ear.turn is not None:
            self._attend(self._ear.turn)
        else:
            self._break_silence()

    def _attend(self, turn: AgentTurn) -> None:
        loop = asyncio.get_running_loop()
        if self._hearing is None and self._ear.pausing:
            self._hearing = loop.create_task(self._workers.hear(turn))
        if self._hearing is not None and self._ear.over:
            self._thinking = loop.create_task(self._think(turn, self._hearing))
            self._thinking_since = self._now
            self._hearing = None

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

    async def _think(self, turn: AgentTurn, hearing: "asyncio.Task[str]") -> Prepared:
        heard = await hearing
        self._log(Heard(t=seconds(self._now), text=heard, start=seconds(turn.start), end=seconds(turn.end)))
        if not self._memory.turns:
            return replace(self._stock[self._opening], answers=heard)
        line = await self._mind.reply(heard, self._memory)
        return Prepared(line, await self._workers.speak(line.text, self._pause()), answers=heard)

    def _pause(self) -> float:
        """Seconds of hesitation inside the next line; 0 for none."""
        return self._dice.pause() if self._dice.happens("hesitation", self._turn_taking.hesitation) else 0.0

    def _collect(self, thinking: "asyncio.Task[Prepared]") -> None:
        self._note_thinking()
        self._thinking = None
        self._prepared = replace(thinking.result(), due=self._now + self._dice.reply_gap())

    def _start(self, prepared: Prepared) -> None:
        line = prepared.line
        self._prepared = None
        if line.intent == "respond":
            if len([one for one in self._memory.turns if one.side == "caller"]) >= self._max_turns:
                self.ending = Ending("max_turns", f"{self._max_turns} lines of the patient")
                return
            if prepared.answers:
                self._follow_ups = 0
                self._memory.turns.append(Said("agent", prepared.answers))
            self._memory.turns.append(Said("caller", line.text))
            self._memory.released.update(line.facts)
            self._ear.take()
            self._interjected.clear()
        self._playing = Playing(prepared, self._now)
        self._log(
            CallerLine(
                t=seconds(self._now),
                text=line.text,
                spoken=prepared.speech.spoken,
                intent=line.intent,
                facts=line.facts,
                start=seconds(self._now),
                end=seconds(self._now + len(prepared.speech.wave)),
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
        if self._ear.over or self._now >= latest:
            self.ending = Ending("completed", "goodbye said")

    def _note_thinking(self) -> None:
        if self._thinking is not None:
            self.slowest = max(self.slowest, seconds(self._now - self._thinking_since))

    def _abandon(self) -> None:
        self._note_thinking()
        for task in (self._hearing, self._thinking):
            if task is not None:
                task.cancel()
        self._hearing = self._thinking = self._prepared = None
