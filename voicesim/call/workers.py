"""The slow work of the patient, sent to the worker processes: understanding, thinking, voicing."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from voicesim.audio.samples import samples
from voicesim.call import worker_process
from voicesim.call.agent_leg import Track
from voicesim.call.server_mind import ServerMind
from voicesim.call.worker_pool import Processes
from voicesim.caller.ear import AgentTurn, Stretch
from voicesim.caller.mind import Memory, Part, PatientLine
from voicesim.caller.minds import GuardedMind
from voicesim.caller.understanding import Understood
from voicesim.catalog.model import Case, Persona
from voicesim.errors import UsageError
from voicesim.tts.base import Speech

TUNE = samples(8.0)
"""Sound from whose tune is told whether the agent has finished."""


class ProcessWorkers:
    """Understands turns of one call's timeline and voices lines of one persona."""

    def __init__(
        self, processes: Processes, timeline: Track, persona: Persona, *, whisper: str, language: str, seed: int
    ) -> None:
        self._processes, self._timeline, self._persona = processes, timeline, persona
        self._whisper, self._language, self._seed = whisper, language, seed

    async def hear(self, turn: AgentTurn, stretch: Stretch, before: str) -> Understood:
        """The words of a stretch of an agent turn by Whisper, and by Smart Turn whether the agent has finished."""
        end = stretch.sound_end
        sound = self._timeline.read(stretch.sound_start, end)
        tune = self._timeline.read(max(turn.start, end - TUNE, 0), end)
        return await self._processes.understand(worker_process.hear, self._whisper, tune, sound, self._language, before)

    async def speak(self, line: PatientLine) -> Speech:
        """A line in the persona's voice, and its companion's where one of its parts is theirs."""
        parts = line.parts or (Part(line.text),)
        return await self._processes.prepare(worker_process.speak, parts, self._persona, self._seed)


class WorkerMind:
    """A mind that thinks in a process of its own."""

    by_hand = False

    def __init__(self, made: GuardedMind, processes: Processes, mind: str, case: Case, *, hurried: bool) -> None:
        """`made` is the mind as made in this process, to see that it can be.

        `hurried`: somebody waits on the phone; on virtual time nobody does.
        """
        self.name, self.server, self.exact = made.name, made.server, made.exact
        self._processes, self._mind, self._case, self._hurried = processes, mind, case, hurried

    async def warm(self) -> None:
        """Have the mind made over there before the call."""
        await self._processes.prepare(worker_process.warm_mind, self._mind, self._case)

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        """See caller.mind.Mind."""
        return await self._processes.prepare(worker_process.think, self._mind, self._case, heard, memory, self._hurried)

    def close(self) -> None:
        """Nothing of it is here."""


class MindHere:
    """A mind that cannot leave this process: a person at the terminal."""

    by_hand = True

    def __init__(self, made: GuardedMind) -> None:
        self.name, self.server, self._mind = made.name, made.server, made
        self.person = made.person

    async def warm(self) -> None:
        """Raises UsageError when there is nothing to type into."""
        self._mind.warm()

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        """See caller.mind.Mind."""
        return await self._mind.reply(heard, memory)

    def close(self) -> None:
        """Let the terminal go."""
        self._mind.close()


def placed(
    made: GuardedMind, processes: Processes, mind: str, case: Case, *, live: bool
) -> WorkerMind | ServerMind | MindHere:
    """A mind where it thinks. Raises UsageError for a person in a call on virtual time, who could type nothing."""
    if made.server is not None:
        return ServerMind(made, hurried=live)
    if not made.by_hand:
        return WorkerMind(made, processes, mind, case, hurried=live)
    if not live:
        raise UsageError(f"the mind {mind} is a person, who needs real time: leave out the virtual clock")
    return MindHere(made)


@asynccontextmanager
async def voicing_ahead(processes: Processes, lines: Iterable[str], persona: Persona, seed: int) -> AsyncIterator[None]:
    """Meanwhile, voice lines that may be needed, one after the other, so that a reply waits for one of them at most.

    What goes wrong with a line is left aside: it matters when the line is to be said, and shows then.
    """

    async def voice() -> None:
        for line in lines:
            await processes.prepare(worker_process.voice, line, persona, seed)

    task = asyncio.get_running_loop().create_task(voice())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
