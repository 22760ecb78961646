"""A short call that nobody records: does the agent answer, over what wire, and what does it tell of itself?"""

import asyncio
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from voicesim.audio.samples import RATE, TICK, TICK_SECONDS, Pcm, blocks, samples, seconds
from voicesim.call.clock import CallClock, Pacer
from voicesim.call.live_call import EAR_DELAY
from voicesim.call.timeline import Timeline
from voicesim.catalog.agent_file import AgentFile
from voicesim.errors import TransportError
from voicesim.recording.events import FIRST_BYTE, AgentMetric, Event, Warning_
from voicesim.transports.base import Facts, Inspectable, Transport
from voicesim.transports.bounded_inbox import BoundedInbox

LINE = "Hello, can you hear me? I need some help."
SPOKEN = 2.0
"""Seconds of sound that are sent: the line above, cut or filled up with silence."""
GREETING_LIMIT = 5.0
"""Seconds that a greeting is waited for."""
ANSWER_LIMIT = 12.0
"""Seconds that an answer is waited for."""
LONGEST = 40.0
"""Seconds after which the call ends in any case."""
QUIET = 1.0
"""Seconds of silence after which the agent has finished."""
AUDIBLE = 300
"""Peak (int16) from which sound is heard."""


@dataclass(frozen=True)
class Examination:
    """What was found. Times in seconds: `first_sound` from the connection, `answer` from the end of our line."""

    agent: str
    problem: str = ""
    setup: float | None = None
    facts: Facts | None = None
    first_sound: float | None = None
    answer: float | None = None
    received: float = 0.0
    events: dict[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def well(self) -> bool:
        """The agent could be reached and was heard."""
        return not self.problem


class _Notes:
    """An inbox that keeps the sound in its place and counts the events."""

    def __init__(self, clock: CallClock, held: float) -> None:
        self._clock = clock
        self.timeline = Timeline(held)
        self.started = False
        self.received = 0
        self.events: list[Event] = []
        self.end = ""

    def now(self) -> float:
        return self._clock.now()

    def audio(self, pcm: Pcm, media: float | None = None) -> float | None:
        if not self.started or (placed := self.timeline.place(pcm, self.now(), media)) is None:
            return None
        self.received += len(pcm)
        return seconds(placed.start)

    def flush(self) -> None:
        self.timeline.drop_after(samples(self.now()))

    def event(self, event: Event) -> None:
        """What the agent tells; that its sound began to arrive is a note of the line's own."""
        if not (isinstance(event, AgentMetric) and event.name == FIRST_BYTE):
            self.events.append(event)

    def ended(self, by: Literal["agent", "line", "harness"], detail: str) -> None:
        self.end = self.end or detail or f"the {by} ended the call"


class _Talk:
    """When to speak and when it is enough: waits for a greeting to end, speaks, waits for an answer to end."""

    def __init__(self, speech: Pcm) -> None:
        self._blocks = blocks(speech)
        self._spoken = 0
        self._heard_at: float | None = None
        self.first_sound: float | None = None
        self.spoken_until: float | None = None
        self.answer_at: float | None = None

    def hear(self, block: Pcm, start: float) -> None:
        loud = np.flatnonzero(np.abs(block.astype(np.int32)) > AUDIBLE)
        if not len(loud):
            return
        at = start + seconds(int(loud[0]))
        self._heard_at = start + seconds(int(loud[-1]))
        if self.first_sound is None:
            self.first_sound = at
        if self.spoken_until is not None and self.answer_at is None and at > self.spoken_until:
            self.answer_at = at

    def say(self, now: float) -> Pcm:
        """The next tick of ours."""
        if self._spoken < len(self._blocks) and (self._spoken or self._may_begin(now)):
            self._spoken += 1
            if self._spoken == len(self._blocks):
                self.spoken_until = now + TICK_SECONDS
            return self._blocks[self._spoken - 1]
        return np.zeros(TICK, np.int16)

    def over(self, now: float) -> bool:
        if now >= LONGEST:
            return True
        if self.spoken_until is None:
            return False
        if self.answer_at is None:
            return now - self.spoken_until > ANSWER_LIMIT
        return now - (self._heard_at or 0.0) > QUIET

    def _may_begin(self, now: float) -> bool:
        return now > GREETING_LIMIT if self._heard_at is None else now - self._heard_at > QUIET


async def examine(name: str, transport: Transport, settings: AgentFile, speech: Pcm) -> Examination:
    """Call an agent over a line that is not open yet, and say `speech` (int16, 24,000 Hz) once.

    A line that cannot be opened is a finding, not an error. Raises UsageError as the line does.
    """
    clock = CallClock()
    notes, loop = _Notes(clock, transport.held), asyncio.get_running_loop()
    begun = loop.time()
    try:
        await transport.open(BoundedInbox(notes))
    except TransportError as error:
        return Examination(name, problem=str(error))
    setup = loop.time() - begun
    talk = _Talk(speech)
    try:
        await _exchange(transport, clock, notes, talk)
        facts = await _facts(transport)
    finally:
        with suppress(TimeoutError):
            await asyncio.wait_for(transport.close(), 5.0)
    return _told(name, settings, setup, facts, notes, talk)


async def _facts(transport: Transport) -> Facts | None:
    """None of a line that cannot tell, or is gone; why it is gone is in the notes."""
    with suppress(TransportError):
        return await transport.facts() if isinstance(transport, Inspectable) else None
    return None


async def _exchange(transport: Transport, clock: CallClock, notes: _Notes, talk: _Talk) -> None:
    notes.started = True
    delay = EAR_DELAY + samples(transport.held)
    async for tick in Pacer(clock).ticks():
        position = tick * TICK - delay
        if position >= 0:
            talk.hear(notes.timeline.read(position, position + TICK), seconds(position))
        now = tick * TICK_SECONDS
        transport.send(talk.say(now))
        if notes.end or talk.over(now):
            return


def _told(name: str, settings: AgentFile, setup: float, facts: Facts | None, notes: _Notes, talk: _Talk) -> Examination:
    told: Counter[str] = Counter(event.type for event in notes.events)
    answer = None
    if talk.answer_at is not None and talk.spoken_until is not None:
        answer = round(talk.answer_at - talk.spoken_until, 3)
    return Examination(
        agent=name,
        problem=_problem(notes, talk),
        setup=round(setup, 3),
        facts=facts,
        first_sound=None if talk.first_sound is None else round(talk.first_sound, 3),
        answer=answer,
        received=round(seconds(notes.received), 2),
        events=dict(sorted(told.items())),
        warnings=tuple(dict.fromkeys(one.message for one in notes.events if isinstance(one, Warning_))),
        missing=tuple(_missing(told, settings, answer)),
    )


def _problem(notes: _Notes, talk: _Talk) -> str:
    if talk.first_sound is None:
        return f"the agent was not heard{f': {notes.end}' if notes.end else ''}"
    return f"the call ended early: {notes.end}" if notes.end and talk.answer_at is None else ""


def _missing(told: Counter[str], settings: AgentFile, answer: float | None) -> Iterable[str]:
    if answer is None:
        yield "an answer to what was said"
    if not told["agent_said"]:
        yield "the agent's own transcript: a scorecard shows only what Whisper heard"
    if not told["usage"]:
        yield "usage: the cost will be unknown"
    elif settings.prices is None:
        yield "prices in an agent file: the cost will be unknown"
    if not told["tool_call"]:
        yield "tool calls: none were needed here, or they are not reported (docs/agents.md)"


def probe() -> Pcm:
    """What the doctor says, two seconds of it. Raises SpeechError or UsageError without a voice."""
    from voicesim.audio.samples import to_pcm
    from voicesim.catalog.model import Persona
    from voicesim.tts.synthesize import synthesize

    pcm = to_pcm(synthesize(LINE, Persona(id="doctor", title="doctor"), 0).wave)
    length = round(SPOKEN * RATE)
    return np.pad(pcm[:length], (0, max(0, length - len(pcm))))
