"""The recorded patient: its lines with their sound, and what it says in a replay."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from voicesim.audio.samples import Pcm, Wave, samples
from voicesim.caller.divergence import RecordedLine, mismatch
from voicesim.caller.ear import AgentTurn, Stretch
from voicesim.caller.mind import Memory, Mind, Mismatch, Part, PatientLine
from voicesim.caller.understanding import Understood
from voicesim.caller.workers import Workers
from voicesim.catalog.model import Case
from voicesim.recording.events import CallerLine, Effect
from voicesim.tts.base import Speech

Mode = Literal["turns", "clock", "exact"]
OnDivergence = Literal["stop", "go_on", "hand_over"]
PCM_SCALE = np.float32(32767.0)
"""Full scale of what the recorder wrote: dividing by it gives back the same 16 bits (see `audio.samples.quantize`)."""


@dataclass(frozen=True)
class Spoken:
    """A line as it was recorded: its event, and the agent's words that it answered ("" for none)."""

    event: CallerLine
    answers: str = ""

    @property
    def turn(self) -> bool:
        """Whether the patient's mind made it; the rest is said by its habits of turn-taking."""
        return self.event.intent == "respond" and self.event.kind in ("line", None)


@dataclass(frozen=True)
class Replay:
    """A recorded patient that calls again. Sound is int16 at 24,000 Hz on the recorded call's clock.

    `clean` is the patient's voice alone, `sent` what the recorded line made of it. `completed`: the call ended with a
    goodbye.
    """

    call_id: str
    mode: Mode
    on_divergence: OnDivergence
    lines: tuple[Spoken, ...]
    clean: Pcm
    sent: Pcm
    effects: tuple[Effect, ...] = ()
    completed: bool = False
    sound: Literal["clean", "sent"] = "clean"
    meaning: str = ""
    """The model that tells divergence by meaning; "" goes by the case's facts alone."""

    @property
    def asked(self) -> tuple[str, ...]:
        """Which call is replayed, and how."""
        return self.call_id, self.mode, self.on_divergence, self.sound, self.meaning

    @property
    def turns(self) -> tuple[Spoken, ...]:
        """The lines that its mind made, the opening line included."""
        return tuple(line for line in self.lines if line.turn)

    def sound_of(self, line: CallerLine) -> Wave:
        """The clean voice of a line, as float32; silence where the recording ended before it did."""
        wave = wave_of(self.clean[samples(line.start) : samples(line.end)])
        return np.pad(wave, (0, max(1, samples(line.end) - samples(line.start)) - len(wave)))


def wave_of(pcm: Pcm) -> Wave:
    """Recorded samples as float32; quantized again, they are the same."""
    return (pcm.astype(np.float32) / PCM_SCALE).astype(np.float32)


class ReplayMind:
    """Says the recorded lines in their order; where one no longer fits, it does what was asked for."""

    def __init__(self, replay: Replay, case: Case, live: Mind, judge: "Fits | None" = None) -> None:
        """`live` goes on when the replay hands over. `judge` tells by meaning what the case's facts cannot."""
        self.name = f"replay:{replay.call_id}"
        self._replay, self._case, self._live, self._judge = replay, case, live, judge
        self._lines = replay.turns[1:]
        self._handed: set[tuple[int, str]] = set()
        """Lines of the live mind with which the replay would hand over: after how many lines, and their text."""

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        """See Mind. Raises what the live mind raises."""
        said = [turn.text for turn in memory.turns if turn.side == "caller"]
        place = self._place(said)
        if any((number, text.removesuffix(" ...")) in self._handed for number, text in enumerate(said)):
            return await self._live.reply(heard, memory)
        if place >= len(self._lines):
            wrong: Mismatch | None = Mismatch("no_more_lines", "the recording has no more lines")
            line = PatientLine("", hang_up=True)
        else:
            event = self._lines[place].event
            wrong = await self.wrong(place, heard, memory)
            last = place == len(self._lines) - 1 and self._replay.completed
            line = PatientLine(event.text, facts=event.facts, hang_up=last, parts=(Part(event.text),))
        if wrong is None:
            return line
        wrong = replace(wrong, action=self._replay.on_divergence)
        if wrong.action == "hand_over":
            line = await self._live.reply(heard, memory)
            self._handed |= {(len(said), " ".join(line.text.split()[:n])) for n in range(1, len(line.text.split()) + 1)}
            return replace(line, diverged=wrong)
        return replace(line if wrong.action == "go_on" else PatientLine("", hang_up=True), diverged=wrong)

    async def wrong(self, place: int, heard: str, memory: Memory) -> Mismatch | None:
        """Why the line at a place (behind the opening line) does not go with the agent's words."""
        spoken = self._lines[place]
        line = RecordedLine(spoken.answers, spoken.event.text, spoken.event.facts)
        later = frozenset(fact for other in self._lines[place + 1 :] for fact in other.event.facts)
        misfit = mismatch(line, heard, self._case, memory.released, later)
        if misfit is None and self._judge is not None and heard != spoken.answers:
            return await self._judge(line, heard)
        return misfit

    def _place(self, said: Sequence[str]) -> int:
        """How many recorded lines were said; those that habits of turn-taking added (`hello?`) do not count."""
        place = 0
        for text in said[1:]:
            begun = text.removesuffix(" ...")
            expected = self._lines[place].event.text if place < len(self._lines) else None
            if expected is not None and (text == expected or (begun != text and expected.startswith(begun))):
                place += 1
        return place


Fits = Callable[[RecordedLine, str], Awaitable[Mismatch | None]]
"""Tells by meaning why a line does not go with the agent's words."""


class ReplayWorkers:
    """Gives recorded lines their recorded sound; all else is done by other workers."""

    def __init__(self, replay: Replay, workers: Workers) -> None:
        self._replay, self._workers = replay, workers
        self._events = {line.event.text: line.event for line in reversed(replay.lines)}

    async def hear(self, turn: AgentTurn, stretch: Stretch, before: str) -> Understood:
        """See Workers."""
        return await self._workers.hear(turn, stretch, before)

    async def speak(self, line: PatientLine) -> Speech:
        """The recorded sound where there is some."""
        if not line.text:
            return Speech(np.zeros(1, np.float32), "", "")
        event = self._events.get(line.text)
        if event is None:
            return await self._workers.speak(line)
        return Speech(self._replay.sound_of(event), event.text, event.spoken)
