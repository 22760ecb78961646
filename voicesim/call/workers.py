"""The slow work of the patient, sent to the worker process: understanding, thinking, voicing."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from typing import ParamSpec, TypeVar

import numpy as np

from voicesim.audio.samples import samples
from voicesim.call import worker_process
from voicesim.call.timeline import Timeline
from voicesim.caller.ear import AgentTurn
from voicesim.caller.mind import Memory, PatientLine
from voicesim.caller.minds import make_mind
from voicesim.catalog.model import Case, Persona
from voicesim.language.sentences import split
from voicesim.tts.base import Speech

P = ParamSpec("P")
T = TypeVar("T")

MARGIN = samples(0.25)
"""Sound taken along before and after a turn, for the soft edges of words."""


class ProcessWorkers:
    """Understands turns of one call's timeline and voices lines of one persona."""

    def __init__(
        self, pool: Executor, timeline: Timeline, persona: Persona, *, whisper: str, language: str, seed: int
    ) -> None:
        self._pool, self._timeline, self._persona = pool, timeline, persona
        self._whisper, self._language, self._seed = whisper, language, seed

    async def hear(self, turn: AgentTurn) -> str:
        """The words of an agent turn, by Whisper."""
        pcm = self._timeline.read(max(0, turn.start - MARGIN), turn.end + MARGIN)
        return await _run(self._pool, worker_process.hear, self._whisper, pcm, self._language)

    async def speak(self, text: str, pause: float) -> Speech:
        """A line in the persona's voice, with `pause` seconds of hesitation between its first sentences."""
        first, rest = _halves(text)
        if not pause or not rest:
            return await self._voice(text)
        parts = [await self._voice(first), await self._voice(rest)]
        gap = np.zeros(samples(pause), np.float32)
        wave = np.concatenate([parts[0].wave, gap, parts[1].wave])
        return Speech(wave, text, f"{parts[0].spoken} {parts[1].spoken}")

    async def _voice(self, text: str) -> Speech:
        return await _run(self._pool, worker_process.speak, text, self._persona, self._seed)


class WorkerMind:
    """A mind that thinks in the worker process."""

    def __init__(self, pool: Executor, mind: str, case: Case) -> None:
        """Raises what `make_mind` raises: the mind is made once here to see that it can be."""
        self.name = make_mind(mind, case).name
        self._pool, self._mind, self._case = pool, mind, case

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        """See caller.line.Mind."""
        return await _run(self._pool, worker_process.think, self._mind, self._case, heard, memory)


async def _run(pool: Executor, work: Callable[P, T], *args: P.args, **_: P.kwargs) -> T:
    return await asyncio.get_running_loop().run_in_executor(pool, work, *args)


def _halves(text: str) -> tuple[str, str]:
    sentences = split(text)
    return sentences[0] if sentences else text, " ".join(sentences[1:])
