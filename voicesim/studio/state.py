"""What a running studio has in hand, found again from a request."""

from collections import deque
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import TYPE_CHECKING

from fastapi import Request
from starlette.requests import HTTPConnection

from voicesim.studio.database import Database
from voicesim.studio.settings import Settings

if TYPE_CHECKING:
    from voicesim.studio.visits.queue import Queue

TRIES, WITHIN = 8, 300.0
"""So many failed sign-ins of one name or address within so many seconds, and no more are tried."""
MOST_KEYS = 10_000
"""Names and addresses that are remembered; of more, the ones that failed longest ago are forgotten."""


@dataclass
class Attempts:
    """Failed sign-ins of late, by name and by address."""

    failed: dict[str, deque[float]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def too_many(self, keys: tuple[str, ...], time: float) -> bool:
        """Whether any of these failed too often of late."""
        with self._lock:
            recent = [[at for at in self.failed.get(key, ()) if time - at <= WITHIN] for key in keys]
        return any(len(times) >= TRIES for times in recent)

    def add(self, keys: tuple[str, ...], time: float) -> None:
        """A sign-in failed."""
        with self._lock:
            for key in keys:
                times = self.failed.pop(key, deque(maxlen=TRIES))
                times.append(time)
                self.failed[key] = times  # the last one again
            while len(self.failed) > MOST_KEYS:
                self.failed.pop(next(iter(self.failed)))


@dataclass
class Studio:
    """The parts of one studio."""

    settings: Settings
    database: Database
    queue: "Queue"
    attempts: Attempts = field(default_factory=Attempts)
    labels: Lock = field(default_factory=Lock)
    """Held by whoever writes the file of labels."""

    def rejudge(self, case: str) -> None:
        """Judge the visits of a case again, by its newest version, in a thread of its own."""
        from voicesim.studio.rejudging import rejudge

        Thread(target=rejudge, args=(self.settings, self.database, case), name=f"rejudge {case}", daemon=True).start()

    def compare_reasons(self, review_id: int) -> None:
        """Let the studio's model, if it has one, compare a person's reason with the judge's, in a thread of its own."""
        if not self.settings.model:
            return
        from voicesim.studio.reviewing import compare_reasons

        given = (self.settings, self.database, review_id)
        Thread(target=compare_reasons, args=given, name=f"compare {review_id}", daemon=True).start()


def studio_of(connection: HTTPConnection) -> Studio:
    """The studio that a request or WebSocket has come to."""
    studio: Studio = connection.app.state.studio
    return studio


def client_of(request: Request) -> str:
    """The address that a request comes from."""
    return request.client.host if request.client else ""
