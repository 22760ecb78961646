"""Ctrl-C, however often, is one wish: hang up, keep the recording, and end."""

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any

from voicesim.call.real import run_real

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run_until_stopped(main: Coroutine[Any, Any, None]) -> None:
    """Like run_real; the first SIGINT or SIGTERM cancels `main`, later ones change nothing.

    Raises KeyboardInterrupt when `main` has ended because of one.
    """
    stopped = False

    async def guarded() -> None:
        nonlocal stopped
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None

        def stop() -> None:
            nonlocal stopped
            if not stopped:
                stopped = True
                task.cancel()

        for number in SIGNALS:
            loop.add_signal_handler(number, stop)
        try:
            await main
        finally:
            for number in SIGNALS:
                loop.remove_signal_handler(number)

    try:
        run_real(guarded())
    except asyncio.CancelledError:
        if not stopped:
            raise
    if stopped:
        raise KeyboardInterrupt
