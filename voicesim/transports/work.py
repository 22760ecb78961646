"""How long the loop of a call was held up by what an agent sent: time that is not the harness's own fault."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

PIECE = 0.01
"""Seconds that a piece of work must take to count: half a tick. A message of sound or words takes a hundredth of it."""
_OVER = object()


class Work:
    """Adds up the long pieces of work that an agent's bytes have made, in seconds of this thread's processor time.

    Processor time, as a busy machine lets everything wait, and that is not the agent's doing.
    """

    def __init__(self) -> None:
        self.held = self.longest = 0.0

    @contextmanager
    def measured(self) -> Iterator[None]:
        """A piece of work that runs in one go, without giving way to the loop."""
        begun = time.thread_time()
        try:
            yield
        finally:
            self.add(time.thread_time() - begun)

    def step(self, steps: Iterator[None]) -> bool:
        """Let work go on to its next step; False when it has come to its end."""
        with self.measured():
            return next(steps, _OVER) is not _OVER

    def add(self, took: float) -> None:
        """Count a piece of so many seconds."""
        if took >= PIECE:
            self.held += took
            self.longest = max(self.longest, took)
