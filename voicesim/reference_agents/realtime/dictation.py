"""The words of one turn, transcribed piece by piece while the caller still speaks."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor

import numpy as np

from voicesim.audio.samples import Pcm, Wave, to_wave

Hear = Callable[[Wave], str]


class Dictation:
    """Pieces of a turn go to a worker thread one after the other; those that wait for it are joined first."""

    def __init__(self, hear: Hear, workers: Executor) -> None:
        """`hear` turns float32 mono at 24,000 Hz into words, blocking."""
        self._hear = hear
        self._workers = workers
        self._waiting: list[Pcm] = []
        self._texts: list[str] = []
        self._pump: asyncio.Task[None] | None = None

    def add(self, piece: Pcm) -> None:
        """Adds the next piece; it ends in a pause."""
        self._waiting.append(piece)
        if self._pump is None or self._pump.done():
            self._pump = asyncio.get_running_loop().create_task(self._transcribe())

    async def finish(self) -> str:
        """The text of all pieces, once the last is transcribed."""
        while self._pump is not None and not self._pump.done():
            await asyncio.shield(self._pump)
        return " ".join(text for text in self._texts if text)

    def drop(self) -> None:
        """Gives up; a piece inside the worker still runs to its end."""
        if self._pump is not None:
            self._pump.cancel()

    async def _transcribe(self) -> None:
        while self._waiting:
            wave = to_wave(np.concatenate(self._waiting))
            self._waiting.clear()
            text = await asyncio.get_running_loop().run_in_executor(self._workers, self._hear, wave)
            self._texts.append(text.strip())
