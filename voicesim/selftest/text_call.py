"""A whole call in text under tones: a brain and a patient that understand each other, on exact time and in seconds."""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from voicesim.audio.samples import TICK, Pcm, samples
from voicesim.call.assembly import build_call, manner_of
from voicesim.caller.delivery import join
from voicesim.caller.ear import AgentTurn, Stretch, Vad
from voicesim.caller.habits import HabitualMind
from voicesim.caller.mind import Mind, Part, PatientLine
from voicesim.caller.understanding import Understood
from voicesim.catalog.model import AudioProfile, Case, Persona
from voicesim.language.sentences import split
from voicesim.recording.events import CallerLine, Event
from voicesim.recording.live import LiveRecording
from voicesim.recording.manifest import Manifest, bare_manifest
from voicesim.transports.inprocess import InProcess
from voicesim.tts.base import Speech

WORD = 0.25
"""Seconds of tone for a word, ..."""
PAUSE = 0.35
"""... of silence between two sentences, ..."""
THINKS = 0.8
"""... and after the patient's last sound before the agent answers."""
_TONE = 8000
MOST_TURNS = 30


class Said(Protocol):
    """What a brain says, and whether it has said goodbye."""

    @property
    def text(self) -> str: ...

    @property
    def done(self) -> bool: ...


class Brain(Protocol):
    """An agent in text."""

    def greet(self) -> str | None: ...

    def reply(self, heard: str) -> Coroutine[Any, Any, Said]: ...


@dataclass(frozen=True)
class _Sentence:
    text: str
    start: int
    end: int


class TextAgent:
    """Speaks a brain's words as tones; stops when it is interrupted, and talks through everything else."""

    def __init__(self, brain: Brain) -> None:
        self._brain = brain
        self._now = self._quiet = 0
        self._heard: list[str] = []
        self._said: list[_Sentence] = []
        self._say(brain.greet() or "", samples(0.5))

    def watch(self, event: Event) -> None:
        """The patient's lines, in text."""
        if not isinstance(event, CallerLine) or event.intent == "ignore":
            return
        self._heard.append(event.text)
        if event.intent == "stop":
            self._said = [line for line in self._said if line.start <= self._now]

    def tick(self, caller: Pcm) -> Pcm:
        """See `voicesim.transports.inprocess.InProcessAgent`."""
        self._quiet = 0 if caller.any() else self._quiet + TICK
        speaking = any(sentence.end > self._now for sentence in self._said)
        if self._heard and not speaking and self._quiet >= samples(THINKS):
            heard, self._heard = " ".join(self._heard), []
            self._say(_result(self._brain.reply(heard)).text, self._now)
        block = np.zeros(TICK, np.int16)
        for sentence in self._said[-12:]:
            first, last = sentence.start - self._now, sentence.end - self._now
            block[max(first, 0) : max(last, 0)] = _TONE
        self._now += TICK
        return block

    def words_in(self, start: int, end: int) -> str:
        """The sentences of which most sounds between two samples."""
        return " ".join(
            line.text
            for line in self._said
            if min(end, line.end) - max(start, line.start) >= (line.end - line.start) / 2
        )

    def _say(self, text: str, at: int) -> None:
        for sentence in split(text):
            end = at + samples(WORD * len(sentence.split()))
            self._said.append(_Sentence(sentence, at, end))
            at = end + samples(PAUSE)


class TextWorkers:
    """Understands the agent's words as they are, and voices the patient's as tones."""

    def __init__(self, agent: TextAgent) -> None:
        self._agent = agent

    async def hear(self, turn: AgentTurn, stretch: Stretch, before: str) -> Understood:
        """The sentences of a stretch."""
        return Understood(self._agent.words_in(stretch.start, stretch.end))

    async def speak(self, line: PatientLine) -> Speech:
        """A tone for each word."""
        parts = line.parts or (Part(line.text),)
        return join(parts, [_tone(part.text) for part in parts if not part.sound], seed=0)


async def text_call(
    folder: Path,
    brain: Brain,
    case: Case,
    persona: Persona,
    *,
    mind: Mind,
    vad: Vad,
    seed: int,
    profile: AudioProfile | None = None,
    watch: Callable[[Event], None] = lambda event: None,
) -> Manifest:
    """Make one call of a case's patient with a brain into `folder`, on the time of the loop that runs it."""
    agent, profile = TextAgent(brain), profile or AudioProfile(id="clean", title="Clean")

    def both(event: Event) -> None:
        agent.watch(event)
        watch(event)

    call = build_call(
        InProcess(agent),
        mind=HabitualMind(mind, persona.habits, seed, case.language),
        workers=lambda timeline: TextWorkers(agent),
        opening=case.patient.says_first,
        manner=manner_of(case, persona, profile),
        profile=profile,
        seed=seed,
        vad=vad,
        max_turns=case.patient.most_replies or MOST_TURNS,
        watch=both,
    )
    return await call.run(LiveRecording(folder, bare_manifest(folder.name, "text", "virtual")))


def _tone(text: str) -> Speech:
    return Speech(np.full(samples(WORD * len(text.split())), 0.25, np.float32), text, text)


def _result(reply: Coroutine[Any, Any, Said]) -> Said:
    """What a coroutine that waits for nothing returns."""
    try:
        reply.send(None)
    except StopIteration as done:
        said: Said = done.value
        return said
    reply.close()
    raise RuntimeError("a brain of a text call must not wait for anything")


def lines_of(events: Sequence[Event]) -> list[CallerLine]:
    """The patient's lines, in order."""
    return [event for event in events if isinstance(event, CallerLine)]
