"""Tidying up that is not broken off, however often the call is cancelled."""

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any


async def settle(work: Coroutine[Any, Any, None], limit: float) -> None:
    """Let `work` come to its end, or stop it after `limit` seconds; a cancel is passed on only then."""
    task = asyncio.get_running_loop().create_task(asyncio.wait_for(work, limit))
    cancelled = False
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError
    with contextlib.suppress(TimeoutError):
        task.result()
