"""Faults that any brain can have: it answers late, or no more. Planted to see whether the call shows them."""

import asyncio
from collections.abc import Mapping
from typing import Any

from voicesim.reference_agents.brain import Brain, Equipped, Functions, Reply, ToolBrain

SLOW = 4.0
"""Seconds by which a slow brain's answers are late."""
TALKATIVE = 2
"""Answers that a brain which falls silent gives before."""


class Around:
    """A brain like the one inside."""

    def __init__(self, inside: Brain) -> None:
        self._inside = inside

    def greet(self) -> str | None:
        return self._inside.greet()

    def interrupted(self, spoken: str) -> None:
        self._inside.interrupted(spoken)

    def offered(self, functions: Functions) -> None:
        if isinstance(self._inside, Equipped):
            self._inside.offered(functions)

    async def reply(self, heard: str) -> Reply:
        return await self._inside.reply(heard)

    async def took(self, result: Mapping[str, Any]) -> Reply:
        return await self._inside.took(result) if isinstance(self._inside, ToolBrain) else Reply("")


class Slow(Around):
    """Lets the caller wait for every answer."""

    async def reply(self, heard: str) -> Reply:
        await asyncio.sleep(SLOW)
        return await super().reply(heard)


class FallsSilent(Around):
    """Says nothing more after some answers, and stays on the line."""

    def __init__(self, inside: Brain) -> None:
        super().__init__(inside)
        self._left = TALKATIVE

    async def reply(self, heard: str) -> Reply:
        if not self._left:
            return Reply("")
        self._left -= 1
        return await super().reply(heard)
