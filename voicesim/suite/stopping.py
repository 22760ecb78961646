"""Ctrl-C, however often, is one wish: hang up, keep the recording, and end; whatever holds voicesim up."""

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from os import _exit as _end  # the real one: in a process with an agent, that name may come to raise an exception
from types import FrameType
from typing import Any

from voicesim.call.real import run_real
from voicesim.errors import HarnessError, Stopped

SIGNALS = (signal.SIGINT, signal.SIGTERM)
BLOCKED = 2.0
"""Seconds after which an event loop that has not heard of a signal is taken to be held up: by a transcription, by a
judge's server that does not answer, by an agent's own code."""
LAST = 30.0
"""Seconds after which the process ends, whatever it does."""


def run_until_stopped(
    main: Coroutine[Any, Any, None], run: Callable[[Coroutine[Any, Any, None]], None] = run_real
) -> None:
    """Run `main`; the first SIGINT or SIGTERM cancels it, later ones change nothing.

    Code that holds up the loop is ended by an exception. Raises KeyboardInterrupt when `main` has ended because of a
    signal, and HarnessError when other code in this process, such as an agent's, wanted to end it.
    """
    stopper = Stopper()

    async def guarded() -> None:
        task = asyncio.current_task()
        assert task is not None
        with stopper.listening(asyncio.get_running_loop(), task):
            await main

    try:
        run(guarded())
    except (asyncio.CancelledError, Stopped):
        if not stopper.wanted:
            raise
    except SystemExit as error:
        raise HarnessError(f"code of the agent's wanted to end voicesim (SystemExit: {error})") from error
    if stopper.wanted:
        raise KeyboardInterrupt


class Stopper:
    """Hears signals, and sees to it that a task ends. `wanted` once there was one."""

    def __init__(self) -> None:
        self.wanted = False
        self._ending = False

    @contextmanager
    def listening(self, loop: asyncio.AbstractEventLoop, task: "asyncio.Task[Any]") -> Iterator[None]:
        """While this is open, a signal cancels the task. For the main thread."""

        def heard() -> None:
            if not self._ending:
                self._ending = True
                signal.setitimer(signal.ITIMER_REAL, LAST)
                task.cancel()

        def on_signal(number: int, frame: FrameType | None) -> None:
            if not self.wanted:
                self.wanted = True
                signal.setitimer(signal.ITIMER_REAL, BLOCKED)
                loop.call_soon_threadsafe(heard)

        before = {number: signal.signal(number, on_signal) for number in SIGNALS}
        before[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._on_alarm)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            for number, handler in before.items():
                signal.signal(number, handler)

    def _on_alarm(self, number: int, frame: FrameType | None) -> None:
        """The loop has not heard of the signal, or the end takes too long."""
        if self._ending:
            sys.stderr.write("voicesim: something does not let it end; ended by force\n")
            sys.stderr.flush()
            _end(130)
        self._ending = True
        signal.setitimer(signal.ITIMER_REAL, LAST)
        raise Stopped
