"""Calls on virtual time in which the patient's work takes the processor time that it used.

So other work on the machine does not change the figures: they are those of a patient that has a free core whenever it
needs one. The agent is the rules of the reference agents, which is told the patient's words and speaks them aloud
0.8 s after the patient's last sound.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar

import numpy as np

from voicesim.audio.samples import TICK, Pcm, Wave, samples, to_pcm
from voicesim.call.assembly import Order, dial
from voicesim.call.virtual import run_virtual
from voicesim.call.worker_pool import Processes, worker_processes
from voicesim.catalog.find import Catalogue
from voicesim.recording.events import Event
from voicesim.reference_agents.brain import cut_sentences
from voicesim.reference_agents.nurse_line import NurseLineBrain
from voicesim.reference_agents.voice import AgentVoice
from voicesim.transports.inprocess import InProcess

P = ParamSpec("P")
T = TypeVar("T")
DELAY = samples(0.8)
GREETING = "Hello, this is the nurse line. How can I help?"


@dataclass(frozen=True)
class ChargedProcesses(Processes):
    """Each process does one thing after the other, and what it did takes its processor time of the call."""

    ear_turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    voice_turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def understand(self, work: Callable[P, T], *args: P.args, **_: P.kwargs) -> T:
        async with self.ear_turn:
            done, took = await asyncio.get_running_loop().run_in_executor(self.ear, partial(_timed, work, *args))
            await asyncio.sleep(took)
        return done

    async def prepare(self, work: Callable[P, T], *args: P.args, **_: P.kwargs) -> T:
        async with self.voice_turn:
            done, took = await asyncio.get_running_loop().run_in_executor(self.voice, partial(_timed, work, *args))
            await asyncio.sleep(took)
        return done


def _timed(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> tuple[T, float]:
    begun = time.process_time()
    done = work(*args, **kwargs)
    return done, time.process_time() - begun


class SpokenRules:
    """The reference agents' rules with a voice, and ears that miss nothing."""

    def __init__(self, voice: AgentVoice) -> None:
        self._brain, self._voice = NurseLineBrain(GREETING), voice
        self._out: Pcm = to_pcm(np.concatenate([np.zeros(samples(0.5), np.float32), self._spoken(GREETING)]))
        self._told, self._loud, self._now = "", 0, 0

    def event(self, event: Event) -> None:
        """Take the words of the patient's line."""
        if event.type == "caller_line" and event.intent == "respond":
            self._told = event.text

    def tick(self, caller: Pcm) -> Pcm | None:
        """See `voicesim.transports.inprocess.InProcessAgent`."""
        self._now += TICK
        if np.abs(caller.astype(np.int32)).max(initial=0) > 300:
            self._loud = self._now
        if self._told and self._loud and self._now - self._loud >= DELAY:
            reply = _answer(self._brain, self._told)
            self._told, self._out = "", to_pcm(self._spoken(reply))
        block, self._out = self._out[:TICK], self._out[TICK:]
        return np.pad(block, (0, TICK - len(block)))

    def _spoken(self, text: str) -> Wave:
        parts = [self._voice.speak(sentence) for sentence in cut_sentences(text)]
        return np.concatenate(parts) if parts else np.zeros(0, np.float32)


def _answer(brain: NurseLineBrain, heard: str) -> str:
    """The brain's reply; its coroutine never waits for anything."""
    try:
        brain.reply(heard).send(None)
    except StopIteration as done:
        text: str = done.value.text
        return text
    raise AssertionError("the rules waited for something")


def charged_call(case: str, ear: str, voice: AgentVoice, folder: Path, seconds: float) -> None:
    """Make one such call into a folder."""
    catalogue, agent = Catalogue.here(), SpokenRules(voice)
    chosen = catalogue.case(case)
    order = Order(
        case=chosen,
        persona=catalogue.persona(chosen.patient.persona),
        profile=catalogue.profile("clean"),
        agent="python:SpokenRules",
        folder=folder,
        suite="charged",
        ear=ear,
        clock="live",  # as far as the patient knows: likely lines are voiced ahead
        max_duration=seconds,
    )

    async def main(processes: Processes) -> None:
        charged = ChargedProcesses(processes.ear, processes.voice)
        await dial(order, InProcess(agent), charged, agent.event)

    with worker_processes() as processes:
        run_virtual(main(processes))
