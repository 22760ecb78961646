"""Hanging up: bounded in time, whatever the agent does, and however often the call is cancelled meanwhile."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

LAST_CHANCE = 1.0
"""Seconds that work may take to end once it was stopped; then it is left alone."""


@dataclass(frozen=True)
class HungUp:
    """How hanging up went. `problem` says what went wrong, "" for nothing; `cancelled`: a cancel came meanwhile."""

    problem: str
    cancelled: bool


async def hang_up(work: Coroutine[Any, Any, None], limit: float) -> HungUp:
    """Let `work` come to its end, or stop it after `limit` seconds. A cancel is told when it is over."""
    task = asyncio.get_running_loop().create_task(_problem(work))
    cancelled = await _wait(task, limit)
    if task.done():
        return HungUp(task.result(), cancelled)
    task.cancel()
    cancelled |= await _wait(task, LAST_CHANCE)
    return HungUp(f"not over after {limit:g} s", cancelled)


async def _problem(work: Coroutine[Any, Any, None]) -> str:
    """What work ends with; an agent's code may raise anything, and SystemExit in a task would end the loop."""
    try:
        await work
    except BaseException as error:  # noqa: BLE001
        return f"{type(error).__name__}: {error}".removesuffix(": ")
    return ""


async def _wait(task: "asyncio.Task[str]", limit: float) -> bool:
    """Wait for a task, for `limit` seconds at most; returns whether a cancel came meanwhile."""
    loop = asyncio.get_running_loop()
    end, cancelled = loop.time() + limit, False
    while not task.done() and (left := end - loop.time()) > 0:
        try:
            await asyncio.wait({task}, timeout=left)
        except asyncio.CancelledError:
            cancelled = True
    return cancelled
