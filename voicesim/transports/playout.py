"""Sound that comes without a time of its own: heard one chunk after the other, and what waits for its end."""

from collections import deque
from collections.abc import Callable

from voicesim.audio.samples import Pcm, seconds
from voicesim.recording.events import FIRST_BYTE, AgentMetric, Unheard
from voicesim.transports.bounded_inbox import BoundedInbox

PAUSE = 0.2
"""Seconds in which nothing came, and nothing waited to be heard, before a chunk that is the first of a reply."""


class PlayOut:
    """Passes sound to the inbox, which plays it at 1x, and keeps what is to happen once it has been heard."""

    def __init__(self, inbox: BoundedInbox) -> None:
        self._inbox = inbox
        self._end = -PAUSE
        self._waiting: deque[tuple[float, Callable[[], None]]] = deque()

    @property
    def ahead(self) -> float:
        """Seconds of sound that are not heard yet."""
        return max(0.0, self._end - self._inbox.now())

    def add(self, pcm: Pcm) -> None:
        """Mono int16 at 24,000 Hz that has just arrived."""
        now = self._inbox.now()
        start = self._inbox.audio(pcm)
        if start is None:
            return
        if now - self._end >= PAUSE:
            self._inbox.event(AgentMetric(t=now, name=FIRST_BYTE, value=now))
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
        self.stop()
        while self._waiting:
            self._waiting.popleft()[1]()

    def stop(self) -> None:
        """Nothing more is heard of what was added; how much that is, is told."""
        now = self._inbox.now()
        if self._end > now:
            self._inbox.event(Unheard(t=now, text="", seconds=round(self._end - now, 3)))
            self._inbox.flush()
            self._end = now
