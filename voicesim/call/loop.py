"""The event loop of a call: an agent in the same process may leave, and voicesim goes on."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class CallLoop(asyncio.SelectorEventLoop):
    """A selector loop that outlives SystemExit in a task, as long as somebody is there to hear of it."""

    on_exit: Callable[[SystemExit], None] | None = None
    real_time = True
    """Whether its clock is that of the world."""

    def run_forever(self) -> None:
        """As asyncio's own, which SystemExit in any task would end."""
        while True:
            try:
                return super().run_forever()
            except SystemExit as error:
                if self.on_exit is None:
                    raise
                self.on_exit(error)


@contextmanager
def exits_told(to: Callable[[SystemExit], None]) -> Iterator[None]:
    """While this is open, SystemExit in a task of the running loop (if it is a CallLoop) is told, and nothing ends."""
    loop = asyncio.get_running_loop()
    if not isinstance(loop, CallLoop):
        yield
        return
    loop.on_exit = to
    try:
        yield
    finally:
        loop.on_exit = None
