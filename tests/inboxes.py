"""What to hear with, and a tone to hear: inboxes that play at 1x, by the loop's clock or by one set by hand."""

import asyncio
from dataclasses import dataclass, field

import numpy as np

from voicesim.audio.samples import Pcm, samples, seconds
from voicesim.recording.events import Event, Warning_


@dataclass
class Heard:
    """Starts its clock at the first sound or at `start`. `sound` has what was added and not flushed."""

    sound: list[tuple[float, Pcm]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    over: list[tuple[str, str]] = field(default_factory=list)
    flushed: list[float] = field(default_factory=list)
    end: float = 0.0
    begun: float | None = None
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def now(self) -> float:
        loop = asyncio.get_running_loop()
        self.begun = loop.time() if self.begun is None else self.begun
        return loop.time() - self.begun

    def audio(self, pcm: Pcm, media: float | None = None) -> float:
        start = max(self.end, self.now())
        self.sound.append((start, pcm))
        self.news.set()
        self.end = start + seconds(len(pcm))
        return start

    def flush(self) -> None:
        self.flushed.append(self.now())
        self.end = min(self.end, self.now())

    def event(self, event: Event) -> None:
        self.events.append(event)

    def ended(self, by: str, detail: str) -> None:
        self.over.append((by, detail))
        self.news.set()

    def track(self) -> Pcm:
        return np.concatenate([pcm for _, pcm in self.sound] or [np.zeros(0, np.int16)])

    def warnings(self) -> list[str]:
        return [event.message for event in self.events if isinstance(event, Warning_)]

    async def until(self, count: int) -> None:
        """Wait until so many samples have come, or the line has ended. Raises TimeoutError after 15 s."""
        async with asyncio.timeout(15.0):
            while len(self.track()) < count and not self.over:
                self.news.clear()
                await self.news.wait()

    async def ended_within(self, limit: float) -> tuple[str, str]:
        """Who ended the line, and how. Raises TimeoutError when it does not end in so many seconds."""
        async with asyncio.timeout(limit):
            while not self.over:
                self.news.clear()
                await self.news.wait()
        return self.over[0]


class Playing:
    """An inbox that plays at 1x on a clock the test sets, as the call does."""

    def __init__(self, time: float = 0.0) -> None:
        self.time = time
        self.end = 0
        self.flushed: list[float] = []
        self.events: list[Event] = []
        self.over: list[tuple[str, str]] = []

    def now(self) -> float:
        return self.time

    def audio(self, pcm: Pcm, media: float | None = None) -> float | None:
        start = max(self.end, samples(self.time))
        self.end = start + len(pcm)
        return seconds(start)

    def flush(self) -> None:
        self.flushed.append(self.time)
        self.end = min(self.end, samples(self.time))

    def event(self, event: Event) -> None:
        self.events.append(event)

    def ended(self, by: str, detail: str) -> None:
        self.over.append((by, detail))


def tone(rate: int, duration: float, hz: float = 440.0) -> Pcm:
    """A sine of some seconds at a rate, as loud as speech."""
    t = np.arange(round(rate * duration)) / rate
    wave: Pcm = np.rint(8_000 * np.sin(2 * np.pi * hz * t)).astype(np.int16)
    return wave
