"""What the agent says: one reply at a time, sentence by sentence, and how much of it was heard."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor

from voicesim.audio.samples import Pcm
from voicesim.reference_agents.brain import cut_sentences
from voicesim.reference_agents.realtime.playout import WIRE_RATE, Playout
from voicesim.reference_agents.voice import PAUSE

AHEAD = 0.5
"""Seconds of sound that are made ahead of what is played."""


class Speech:
    """Fills a playout, and can be cut off."""

    def __init__(
        self, playout: Playout, say: Callable[[str], Pcm], workers: Executor, on_sentence: Callable[[str], None]
    ) -> None:
        """`say` makes int16 mono at 48,000 Hz of a sentence, blocking; `on_sentence` hears of each that is played."""
        self._playout, self._say, self._workers, self._on_sentence = playout, say, workers, on_sentence
        self._said: list[tuple[str, float]] = []
        self.speaking = False

    async def say(self, text: str) -> None:
        """Returns when all of it has been played. When cancelled, what was made stays until `cut`."""
        self._said, self.speaking = [], True
        try:
            for sentence in cut_sentences(text):
                pcm = await self.sound(sentence)
                if not self._said:
                    await self._playout.until(0.0)
                    self._playout.begin()
                else:
                    await self._playout.until(AHEAD)
                self._playout.put(pcm)
                before = self._said[-1][1] if self._said else 0.0
                self._said.append((sentence, before + len(pcm) / WIRE_RATE))
                self._on_sentence(sentence)
            await self._playout.until(0.0)
        finally:
            self.speaking = False

    async def sound(self, sentence: str) -> Pcm:
        """A sentence as sound, made in a worker thread."""
        return await asyncio.get_running_loop().run_in_executor(self._workers, self._say, sentence)

    def cut(self) -> str:
        """Nothing more is played; gives the sentences that were played to their end."""
        played = self._playout.played
        self._playout.clear()
        return " ".join(sentence for sentence, end in self._said if end - PAUSE <= played)
