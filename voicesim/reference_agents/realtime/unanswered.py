"""What the caller said, and what came of tools, since the brain last had its say."""

import asyncio
import json
from collections.abc import Callable
from functools import partial
from typing import Any

from voicesim.reference_agents.brain import Brain, Reply, ToolBrain
from voicesim.reference_agents.realtime.dictation import Dictation
from voicesim.reference_agents.realtime.responding import Spawn, Think


class Unanswered:
    """Collects words and results, and lets the brain answer them once every word of them is known."""

    def __init__(self, brain: Brain, spawn: Spawn) -> None:
        self._brain, self._spawn = brain, spawn
        self._words: list[str] = []
        self._results: list[str] = []
        self._understanding: set[asyncio.Task[None]] = set()

    def spoken(self, dictation: Dictation, understood: Callable[[str], None]) -> None:
        """A turn of the caller that is being transcribed; `understood` is told its words."""
        task = self._spawn(self._understand(dictation, understood))
        self._understanding.add(task)
        task.add_done_callback(self._understanding.discard)

    def typed(self, text: str) -> None:
        self._words.append(text)

    def result(self, output: str) -> None:
        """What a client says came of a function call."""
        self._results.append(output)

    def reply(self) -> Think:
        """Thinks about all that there is now."""
        return partial(self._think, frozenset(self._understanding))

    async def _understand(self, dictation: Dictation, understood: Callable[[str], None]) -> None:
        text = await dictation.finish()
        self._words.append(text)
        understood(text)

    async def _think(self, understanding: frozenset[asyncio.Task[None]]) -> Reply:
        if understanding:
            await asyncio.wait(understanding)
        if self._results and isinstance(self._brain, ToolBrain):
            result = _read(self._results[-1])
            self._results.clear()
            return await self._brain.took(result)
        heard = " ".join(text for text in self._words if text)
        self._words.clear()
        return await self._brain.reply(heard)


def _read(output: str) -> dict[str, Any]:
    """A result as JSON; text that is no JSON object is a failure in its words."""
    try:
        content = json.loads(output)
    except ValueError:
        content = None
    return content if isinstance(content, dict) else {"ok": False, "error": output}
