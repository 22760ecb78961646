"""The simulated patient: once a tick it hears 20 ms and says 20 ms. Nothing here waits.

It is always in one of these states:

- `waiting`: nobody has said anything yet. It lets a greeting end, or opens the call.
- `listening`: the agent speaks, or nobody does. It may say something in between (`Interjections`), and asks if anyone
  is there when the silence lasts.
- `thinking`: the agent has paused in its turn. It says its reply when that is due (`Replying`).
- `speaking`: it says a line, and stops when it is talked over for too long (`Mouth`).
- `acting`: something else goes on for a while (`Acting`): it is away from the phone, the phone changes hands.
- `recording`: it was a machine all the time, which takes the agent's message.
- `leaving`: it has said goodbye, and waits for the agent's.
- `over`: it has hung up.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np

from voicesim.audio.samples import TICK, Pcm, Wave, samples, seconds
from voicesim.caller.acting import Acting
from voicesim.caller.conversation import Conversation, Ending, EndReason
from voicesim.caller.divergence import marked
from voicesim.caller.ear import Ear
from voicesim.caller.end_of_turn import turn_end
from voicesim.caller.interjections import Interjections, RunningTurn
from voicesim.caller.mind import Memory, Mind, PatientLine
from voicesim.caller.mouth import Mouth
from voicesim.caller.moves import says_goodbye
from voicesim.caller.phrases import voiced
from voicesim.caller.playing import Prepared
from voicesim.caller.replying import Replying
from voicesim.caller.scenes import LONGEST_MESSAGE, MESSAGE_PAUSE
from voicesim.caller.silence import Silences
from voicesim.caller.turn_taking import Dice
from voicesim.caller.voicing import Manner, Voicing
from voicesim.caller.workers import Workers
from voicesim.recording.events import Event, Intent

State = Literal["waiting", "listening", "thinking", "speaking", "acting", "recording", "leaving", "over"]
FAREWELL_WAIT = samples(8.0)
"""How long a goodbye waits for the agent's answer before the patient hangs up, ..."""
LAST_WAIT = samples(2.5)
"""... and how long when it answers the agent's own goodbye."""
FAREWELL_PAUSE = 1.0
"""Seconds of silence after which the agent's answer to a goodbye is over."""


class SimulatedPatient:
    """One caller in one call. `log` takes the events of the patient's side as they happen."""

    def __init__(
        self,
        *,
        opening: PatientLine,
        mind: Mind,
        manner: Manner,
        ear: Ear,
        workers: Workers,
        seed: int,
        max_turns: int,
        log: Callable[[Event], None],
    ) -> None:
        self._opening, self._manner, self._ear, self._log = opening, manner, ear, log
        self._language = voiced(manner.language)
        numbers, dice = manner.turn_taking, Dice(manner.turn_taking, seed)
        self._talk, self._voicing = Conversation(max_turns), Voicing(mind, workers, manner, seed)
        self._replying = Replying(ear, workers.hear, self._make, manner, dice, log)
        self._mouth = Mouth(numbers, dice, log, self._talk.go_on)
        self._interjections = Interjections(numbers, dice, manner.language, manner.side_talk)
        self._acting = Acting(manner.scenes, manner.language, log)
        self._silences = Silences(manner.language)
        self._saying: Prepared | None = None
        self._now = self._quiet_since = self._leaves_at = self._records_until = 0
        self._silent = False
        self._state: State = "waiting"
        self.ending: Ending | None = None

    async def prepare(self) -> None:
        """Voice everything that is known before the call, so that its timing costs nothing.

        Raises SpeechError or UsageError when the voice cannot be had.
        """
        lines = (self._opening, *self._silences.stock(), *self._interjections.stock(), *self._acting.stock())
        # Reads the rules of language, which would take longer than a tick.
        turn_end(self._opening.text, 1.0, 0.0, self._language)
        await self._voicing.prepare(lines)

    def tick(self, heard: Pcm) -> Wave:
        """Hear one tick of the agent (int16) and give one tick of clean voice (480 float32 samples).

        Raises MindError, SpeechError or whatever else went wrong in the background.
        """
        self._mouth.starts = self._mouth.stops = None
        self._acting.look(self._now, self._talk.answered, self._replying.words)
        cut_off = self._acting.cut_off(self._now)
        self._ear.feed(np.zeros_like(heard) if cut_off or self._acting.away(self._now) else heard)
        self._replying.follow()
        state: State | None = None
        while state != self._state and self._state != "over":
            state, self._state = self._state, self._next(self._state)
        block = self._mouth.block(self._now)
        self._now += TICK
        return np.zeros_like(block) if cut_off else block

    async def close(self) -> None:
        """Stop what runs in the background."""
        self._replying.forget()
        self._voicing.drop()
        await asyncio.sleep(0)

    def take_over(self, memory: Memory, now: int) -> None:
        """Go on with a call that somebody else began: what was said is in the memory, `now` is the sample it is."""
        self._talk.memory, self._talk.opened = memory, True
        self._now = self._quiet_since = now
        self._state = "listening"

    @property
    def starts(self) -> Intent | None:
        """The intent of the line that begins in this tick."""
        return self._mouth.starts

    @property
    def stops(self) -> Intent | None:
        """The intent of the line that ends in this tick."""
        return self._mouth.stops

    @property
    def slowest(self) -> float:
        """The longest excess of a reply: seconds beyond the silence that the persona leaves before it."""
        return self._replying.slowest

    @property
    def said_goodbye(self) -> bool:
        """Whether the patient has said what it hangs up after, or is saying it; a machine never says more."""
        leaving = self._mouth.playing is not None and self._mouth.playing.line.hang_up
        return leaving or self._state in ("leaving", "recording")

    def _next(self, state: State) -> State:
        """The state after one look at the world in a state."""
        match state:
            case "waiting" | "listening" | "thinking" if self._acting.pending:
                return "acting"
            case "waiting":
                return self._wait()
            case "listening":
                return self._listen()
            case "thinking":
                return self._think()
            case "speaking":
                return self._speak()
            case "acting":
                return self._act()
            case "recording":
                return self._record()
            case "leaving":
                return self._leave()
            case "over":
                return "over"

    @property
    def _attentive(self) -> State:
        """The state in which the patient hears the agent out."""
        return "listening" if self._talk.opened else "waiting"

    def _wait(self) -> State:
        if self._ear.turn is not None and not self._ear.speaking:
            return "thinking"
        quiet = self._now - max(self._quiet_since, self._ear.last_voice or 0)
        if not self._ear.speaking and quiet >= samples(self._manner.turn_taking.opening_wait):
            return self._say(self._ready(self._opening))
        return "waiting"

    def _listen(self) -> State:
        if self._ear.speaking:
            early = self._replying.early(self._now) or self._interject()
            return self._say(early) if early is not None else "listening"
        self._voicing.drop()
        if self._ear.turn is not None:
            return "thinking"
        quiet = self._now - max(self._quiet_since, self._ear.last_voice or 0)
        waits = quiet < samples(self._manner.turn_taking.patience)
        if self._manner.by_hand:
            # The agent's turn to speak is waited for; in a silence that was chosen, or is long, people may speak.
            typed = None if waits and not self._silent else self._replying.unasked()
            return self._say(typed) if typed is not None else "listening"
        if waits:
            return "listening"
        line = self._silences.next(self._talk.memory)
        return self._say(self._ready(line)) if line else self._end("agent_silent", self._silences.given_up)

    def _think(self) -> State:
        if self._replying.murmured(self._quiet_since):
            self._attend_anew()
        if self._ear.speaking or self._ear.turn is None:
            return self._attentive
        reply = self._replying.due(self._now, self._quiet_since)
        return self._say(reply) if reply is not None else "thinking"

    def _speak(self) -> State:
        share = self._mouth.talked_over(self._now, agent_speaks=self._ear.speaking)
        if share is not None and self._saying is not None and not self._talk.cut(share):
            self._saying = replace(self._saying, line=replace(self._saying.line, hang_up=False))
        return self._after_line() if self._mouth.playing is None else "speaking"

    def _after_line(self) -> State:
        self._quiet_since = self._now
        said = self._saying
        if said is not None and said.line.final:
            # What the agent said on into the interruption was not for its answer.
            self._attend_anew()
        if said is None or not said.line.hang_up:
            return self._attentive
        answers_goodbye = says_goodbye(said.answers, self._language)
        self._leaves_at = self._now + (LAST_WAIT if answers_goodbye else FAREWELL_WAIT)
        return "leaving"

    def _act(self) -> State:
        if self._mouth.playing is not None:
            return "acting"
        line = self._acting.next_line(self._now)
        if line is not None:
            return "over" if self._say(self._ready(line)) == "over" else "acting"
        if self._acting.away(self._now):
            return "acting"
        self._quiet_since = self._now
        self._records_until = self._now + samples(LONGEST_MESSAGE)
        return "recording" if self._acting.records else self._attentive

    def _record(self) -> State:
        left = self._ear.turn is not None and seconds(self._ear.silence) >= MESSAGE_PAUSE
        return self._end("completed", "voicemail") if left or self._now >= self._records_until else "recording"

    def _leave(self) -> State:
        answered = self._ear.turn is not None and seconds(self._ear.silence) >= FAREWELL_PAUSE
        if not self._ear.speaking and (answered or self._now >= self._leaves_at):
            return self._end("completed", "goodbye said")
        return "leaving"

    def _end(self, reason: EndReason, detail: str) -> State:
        self.ending = Ending(reason, detail)
        return "over"

    def _interject(self) -> Prepared | None:
        """What the patient says into the agent's turn now; None for nothing."""
        if self._ear.turn is not None and self._talk.opened and not self._voicing.busy:
            turn = RunningTurn(self._ear.turn, self._replying.words, self._now)
            line = self._interjections.next(turn, self._talk.memory)
            if line is not None:
                self._voicing.begin(line, self._acting.speaker, self._now)
        return self._voicing.take(self._now)

    def _say(self, prepared: Prepared) -> State:
        line = (prepared := prepared.settled()).line
        if line.diverged is not None:
            self._log(marked(line.diverged, prepared.answers, self._now))
        if not line.text:
            return self._say_nothing(prepared)
        if line.intent == "respond" and self._talk.over:
            return self._end("max_turns", "the patient has said all the lines it may")
        if line.final:
            prepared = replace(prepared, answers=self._replying.words)
        if line.intent == "respond" or line.final:
            if prepared.answers:
                self._silences.answered()
            self._talk.say(line, prepared.answers)
            self._talk.opened |= line == self._opening
            self._attend_anew()
        self._saying, self._silent = prepared, False
        self._mouth.say(prepared, self._now)
        return "speaking"

    def _say_nothing(self, prepared: Prepared) -> State:
        """The agent's turn is left unanswered, or the patient hangs up without a word."""
        self._talk.leave(prepared.answers)
        self._attend_anew()
        self._quiet_since, self._silent = self._now, True
        why = prepared.line.diverged.detail if prepared.line.diverged else ""
        return self._end("caller_hung_up", why) if prepared.line.hang_up else "listening"

    def _attend_anew(self) -> None:
        """The agent's turn is answered; what it says next is another."""
        self._ear.take()
        self._replying.forget()
        self._interjections.forget()
        self._acting.misheard = None

    async def _make(self, heard: str) -> Prepared:
        """The reply to some words of the agent, with its sound."""
        if not self._talk.opened:
            return replace(self._ready(self._opening), answers=heard)
        heard = heard if self._acting.misheard is None else self._acting.misheard
        memory = replace(self._talk.memory, unsure=self._replying.unsure)
        return await self._voicing.reply(heard, memory, self._acting.speaker)

    def _ready(self, line: PatientLine) -> Prepared:
        return self._voicing.ready(line, self._acting.speaker)
