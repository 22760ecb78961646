"""The patient's lines with their sound: those known before the call, replies, and what is said on the spur."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from voicesim.audio.samples import samples
from voicesim.caller.delivery import delivered
from voicesim.caller.mind import Begins, Memory, Mind, Part, PatientLine, Speaker
from voicesim.caller.playing import Prepared
from voicesim.caller.turn_taking import Dice
from voicesim.caller.workers import Workers
from voicesim.catalog.model import TurnTaking
from voicesim.catalog.scene import Scene
from voicesim.tts.base import Speech

APROPOS = samples(2.0)
"""How old the reason of an interruption may be when its sound is ready."""

_NOTHING = Speech(np.zeros(0, np.float32), "", "")


@dataclass(frozen=True)
class Manner:
    """How the patient of a call behaves: its turn-taking, its language, and what happens to it on the way.

    `side_talk` names the phrases it has with somebody in the room (`data/<language>/phrases.yaml`). `by_hand`: a person
    types what it says, also into the agent's silence. `thinks_ahead`: thinking takes long, and begins while the agent
    still speaks.
    """

    turn_taking: TurnTaking
    language: str = "en"
    scenes: tuple[Scene, ...] = ()
    side_talk: str = "side_talk"
    by_hand: bool = False
    thinks_ahead: bool = False

    @property
    def speakers(self) -> tuple[Speaker, ...]:
        """Everybody who will have the phone."""
        return ("patient", "other") if any(scene.hand_over for scene in self.scenes) else ("patient",)


class Voicing:
    """Has lines made into sound by the workers."""

    def __init__(self, mind: Mind, workers: Workers, manner: Manner, seed: int) -> None:
        self._mind, self._workers, self._manner, self._seed = mind, workers, manner, seed
        self._stock: dict[tuple[PatientLine, Speaker], Prepared] = {}
        self._coming: tuple[int, asyncio.Future[Prepared]] | None = None

    async def prepare(self, lines: Iterable[PatientLine]) -> None:
        """Voice lines before the call, by everybody who will have the phone."""
        for line in lines:
            for speaker in self._manner.speakers:
                self._stock[line, speaker] = await self._voiced(line, speaker)

    def ready(self, line: PatientLine, speaker: Speaker) -> Prepared:
        """A line that was voiced before the call."""
        return self._stock[line, speaker]

    async def reply(self, heard: str, memory: Memory, speaker: Speaker) -> Prepared:
        """What the mind says to some words of the agent, or its beginning. Raises MindError and SpeechError."""
        if not self._manner.thinks_ahead or not isinstance(self._mind, Begins):
            return await self._made(await self._mind.reply(heard, memory), heard, memory, speaker)
        first: asyncio.Future[PatientLine] = asyncio.get_running_loop().create_future()
        begins = self._mind.begin(heard, memory, lambda line: None if first.done() else first.set_result(line))
        whole = asyncio.ensure_future(begins)
        try:
            await asyncio.wait((first, whole), return_when=asyncio.FIRST_COMPLETED)
            if whole.done():
                return await self._made(whole.result(), heard, memory, speaker)
            made = await self._made(first.result(), heard, memory, speaker)
        except BaseException:
            whole.cancel()
            raise
        rest = asyncio.ensure_future(self._rest(whole, first.result(), made, speaker))
        rest.add_done_callback(lambda done: done.cancelled() or done.exception())  # what is never said spoils nothing
        return replace(made, rest=rest)

    async def _rest(
        self, whole: "asyncio.Future[PatientLine]", first: PatientLine, made: Prepared, speaker: Speaker
    ) -> Prepared:
        """The whole line, with the sound of what comes after its first sentence."""
        line = await whole
        more = line.text.removeprefix(first.text).strip()
        said = replace(line, text=f"{made.line.text} {more}".strip(), parts=())
        if not more:
            return Prepared(said, _NOTHING)
        return Prepared(said, (await self._voiced(replace(line, text=more), speaker)).speech)

    async def _made(self, line: PatientLine, heard: str, memory: Memory, speaker: Speaker) -> Prepared:
        """A line as the persona says it."""
        if not line.text:
            return Prepared(line, _NOTHING, answers=heard)
        # Seeded by the turn, so that it does not matter how often a reply was begun and dropped before.
        dice = Dice(self._manner.turn_taking, (self._seed, len(memory.turns)))
        said = delivered(line, self._manner.turn_taking, dice, self._manner.language)
        return replace(await self._voiced(said, speaker), answers=heard)

    def begin(self, line: PatientLine, speaker: Speaker, now: int) -> None:
        """Have a line made that is to be said soon; one that is in stock is ready at once."""
        made = self._stock.get((line, speaker))
        future = asyncio.ensure_future(self._voiced(line, speaker)) if made is None else _done(made)
        self._coming = now, future

    @property
    def busy(self) -> bool:
        """Whether a line is to be said soon."""
        return self._coming is not None

    def take(self, now: int) -> Prepared | None:
        """That line, once it is made, unless its reason is too long ago. Raises SpeechError."""
        if self._coming is None or not self._coming[1].done():
            return None
        since, made = self._coming
        self._coming = None
        return made.result() if now - since <= APROPOS else None

    def drop(self) -> None:
        """The line is no longer to be said."""
        if self._coming is not None and not self._coming[1].cancel() and not self._coming[1].cancelled():
            self._coming[1].exception()  # looked at: what is never said cannot spoil the call
        self._coming = None

    async def _voiced(self, line: PatientLine, speaker: Speaker) -> Prepared:
        """A line with its sound; what the patient would say is said by whoever has the phone."""
        parts = line.parts or (Part(line.text),)
        own = tuple(replace(part, speaker=speaker) if part.speaker == "patient" else part for part in parts)
        return Prepared(line, await self._workers.speak(replace(line, parts=own)))


def _done(made: Prepared) -> "asyncio.Future[Prepared]":
    future: asyncio.Future[Prepared] = asyncio.get_running_loop().create_future()
    future.set_result(made)
    return future
