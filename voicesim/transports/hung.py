"""Code of an agent's that does not return is ended by an exception, so that its call ends and the next one is made."""

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

LIMIT = 60.0
"""Seconds that a tick() may take; on virtual time an agent may ask a model in it, which takes some."""
_SIGNAL = signal.SIGURG
"""Does nothing where nobody listens to it."""
_LOOK = 0.25
"""Seconds between two looks at the watch, at most."""


class HungError(BaseException):
    """Raised inside the agent's code; no `except Exception` in it keeps it there."""


class Watch:
    """Watches what runs on the main thread. A loop in C code that never comes back to Python cannot be ended by it."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._over = threading.Event()
        self._before: object = None
        self._armed = False

    def start(self) -> None:
        """From now on there is a limit; on any other thread than the main one there is none."""
        if threading.current_thread() is not threading.main_thread():
            return
        self._before, self._armed = signal.signal(_SIGNAL, self._end), True
        threading.Thread(target=self._look, args=(threading.get_ident(),), daemon=True).start()

    def stop(self) -> None:
        """No limit from now on. May be called more than once."""
        self._over.set()
        if self._armed:
            self._armed = False
            signal.signal(_SIGNAL, self._before)  # type: ignore[arg-type]

    @contextmanager
    def limited(self) -> Iterator[None]:
        """What runs inside raises HungError after LIMIT seconds."""
        self._since = time.monotonic()
        try:
            yield
        finally:
            self._since = None

    def _look(self, thread: int) -> None:
        while not self._over.wait(min(_LOOK, LIMIT / 2)):
            since = self._since
            if since is not None and time.monotonic() - since > LIMIT:
                with contextlib.suppress(ProcessLookupError):
                    signal.pthread_kill(thread, _SIGNAL)

    def _end(self, number: int, frame: FrameType | None) -> None:
        """In the main thread: raise, if what was watched has not ended meanwhile."""
        since, self._since = self._since, None
        if since is not None and time.monotonic() - since > LIMIT:
            raise HungError(f"it was not over after {LIMIT:g} s")
