"""Sound that comes without a time of its own: heard one chunk after the other, and what waits for its end."""

from collections import deque
from collections.abc import Callable

from voicesim.lines.base import Inbox
from voicesim.sound import Pcm, seconds


class PlayOut:
    """Passes sound to the inbox, which plays it at 1x, and keeps what is to happen once it has been heard."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._end = 0.0
        self._waiting: deque[tuple[float, Callable[[], None]]] = deque()

    def add(self, pcm: Pcm) -> None:
        """Mono int16 at 24,000 Hz that has just arrived."""
        start = self._inbox.audio(pcm)
        if start is not None:
            self._end = start + seconds(len(pcm))

    def after(self, action: Callable[[], None]) -> None:
        """Do something once all that was added before has been heard; at once when it has been."""
        self._waiting.append((self._end, action))
        self.tick()

    def tick(self) -> None:
        """To be called every 20 ms: does what is due."""
        while self._waiting and self._waiting[0][0] <= self._inbox.now():
            self._waiting.popleft()[1]()

    def clear(self) -> None:
        """Drop what was not heard yet; what waited for it is done at once."""
        self._inbox.flush()
        self._end = min(self._end, self._inbox.now())
        while self._waiting:
            self._waiting.popleft()[1]()
