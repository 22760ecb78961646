"""A recorded patient on the recorded clock: every sound comes when it came, whatever the agent does.

It listens all the same, so that the places are marked where its lines no longer go with the agent's words. There it
goes on, hangs up, or hands the phone over to a live patient in the same voice.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from voicesim.audio.samples import TICK, Pcm, Wave, samples, seconds
from voicesim.caller.conversation import Ending
from voicesim.caller.divergence import marked
from voicesim.caller.ear import Ear
from voicesim.caller.mind import Memory, Mismatch, Said
from voicesim.caller.patient import SimulatedPatient
from voicesim.caller.recorded import Replay, ReplayMind, Spoken, wave_of
from voicesim.caller.understanding import Hear, Understanding
from voicesim.recording.events import CallerLine, Event, Heard, Intent


class ClockedPatient:
    """Takes the place of a `SimulatedPatient` in a call. `delay` are the samples by which the channel lags."""

    def __init__(
        self,
        replay: Replay,
        mind: ReplayMind,
        ear: Ear,
        hear: Hear,
        live: SimulatedPatient,
        log: Callable[[Event], None],
        delay: int,
    ) -> None:
        self._replay, self._mind, self._ear, self._log = replay, mind, ear, log
        self._understanding, self._live = Understanding(hear), live
        self._clean, self._delay = wave_of(replay.clean), delay
        self._left = list(replay.lines)
        self._cuts = [effect for effect in replay.effects if effect.kind == "line_cut"]
        self._saying: Spoken | None = None
        self._memory = Memory()
        self._turns_said = 0
        self._check: asyncio.Future[Mismatch | None] | None = None
        self._begun_unchecked = False
        self._checked_words = ""
        self._now = 0
        self._starts: Intent | None = None
        self._stops: Intent | None = None
        self._ending: Ending | None = None
        self.handed_over = False

    async def prepare(self) -> None:
        """Make the live patient ready, where the phone may be handed over to it."""
        if self._replay.on_divergence == "hand_over":
            await self._live.prepare()

    def tick(self, heard: Pcm) -> Wave:
        """See SimulatedPatient.tick."""
        if self.handed_over:
            return self._live.tick(heard)
        self._starts = self._stops = None
        self._ear.feed(heard)
        self._understanding.follow(self._ear.turn)
        self._follow_check()
        self._look_ahead()
        if self.handed_over or self._ending is not None:
            return np.zeros(TICK, np.float32)
        self._say_what_is_due()
        if self.handed_over or self._ending is not None:
            self._now += TICK
            return self._live.tick(np.zeros(0, np.int16)) if self.handed_over else np.zeros(TICK, np.float32)
        start = self._now + self._delay
        block = self._clean[start : start + TICK]
        self._now += TICK
        if start + TICK >= len(self._clean) + self._delay:
            whole = self._replay.completed
            self._ending = Ending("completed" if whole else "caller_hung_up", "the recording ends here")
        return np.pad(block, (0, TICK - len(block))).astype(np.float32)

    async def close(self) -> None:
        """Stop what runs in the background."""
        self._understanding.forget()
        if self._check is not None:
            self._check.cancel()
        await self._live.close()

    @property
    def starts(self) -> Intent | None:
        return self._live.starts if self.handed_over else self._starts

    @property
    def stops(self) -> Intent | None:
        return self._live.stops if self.handed_over else self._stops

    @property
    def ending(self) -> Ending | None:
        return self._live.ending if self.handed_over else self._ending

    @property
    def slowest(self) -> float:
        return self._live.slowest if self.handed_over else 0.0

    @property
    def said_goodbye(self) -> bool:
        """Whether the last line was begun in a call that was completed."""
        return self._live.said_goodbye if self.handed_over else self._replay.completed and not self._left

    def _say_what_is_due(self) -> None:
        if self._saying is not None and self._now + self._delay >= samples(self._saying.event.end):
            self._stops, self._saying = self._saying.event.intent, None
        while self._cuts and self._now + self._delay >= samples(self._cuts[0].t):
            cut = self._cuts.pop(0)
            self._log(cut.model_copy(update={"t": max(0.0, round(cut.t - seconds(self._delay), 6))}))
        while self._left and self._now + self._delay >= samples(self._left[0].event.start):
            if self._left[0].turn and not self._goes_on():
                return
            self._begin(self._left.pop(0))

    def _look_ahead(self) -> None:
        """Once the agent's words are understood, see whether the next line goes with them."""
        words = self._understanding.text
        if not words or words == self._checked_words or not self._turns_said:
            return
        if self._turns_said < len(self._replay.turns):
            self._checked_words = words
            self._check = asyncio.ensure_future(self._mind.wrong(self._turns_said - 1, words, self._memory))

    def _goes_on(self) -> bool:
        """At the beginning of a line: whether it is said, by what is known of the agent's words until now."""
        if not self._turns_said:
            return True
        if self._check is None and not self._checked_words:
            self._checked_words = self._understanding.so_far
            wrong = self._mind.wrong(self._turns_said - 1, self._checked_words, self._memory)
            self._check = asyncio.ensure_future(wrong)
        self._begun_unchecked = self._check is not None and not self._check.done()
        return self._begun_unchecked or self._acted_on(self._check)

    def _follow_check(self) -> None:
        """A look that was not over when its line began."""
        if self._begun_unchecked and self._check is not None and self._check.done():
            self._begun_unchecked = False
            self._acted_on(self._check)
            self._check = None

    def _acted_on(self, check: "asyncio.Future[Mismatch | None] | None") -> bool:
        """Mark what a look came to, and do what was asked for then; returns whether the replay goes on."""
        wrong = check.result() if check is not None else None
        if wrong is None:
            return True
        wrong = replace(wrong, action=self._replay.on_divergence)
        self._log(marked(wrong, self._checked_words, self._now))
        if wrong.action == "stop":
            self._ending = Ending("caller_hung_up", wrong.detail)
        elif wrong.action == "hand_over":
            self.handed_over = True
            self._live.take_over(self._memory, self._now)
        return wrong.action == "go_on"

    def _begin(self, line: Spoken) -> None:
        """A recorded line begins; its event is told as a live patient would tell it."""
        event = line.event
        if line.turn:
            self._turn_begins(event)
        self._starts, self._saying = event.intent, line
        shift = -seconds(self._delay)
        moved = {name: max(0.0, round(getattr(event, name) + shift, 6)) for name in ("t", "start", "end")}
        self._log(event.model_copy(update=moved))

    def _turn_begins(self, event: CallerLine) -> None:
        words, turn = self._understanding.so_far, self._ear.turn
        if words and turn is not None:
            start, end = seconds(turn.start), seconds(turn.end)
            self._log(Heard(t=seconds(self._now), text=words, start=start, end=end))
        self._memory = Memory(
            [*self._memory.turns, *([Said("agent", words)] if words else []), Said("caller", event.text)],
            self._memory.released | set(event.facts),
        )
        self._turns_said += 1
        if not self._begun_unchecked:
            self._check = None
            self._checked_words = ""
        self._ear.take()
        self._understanding.forget()
