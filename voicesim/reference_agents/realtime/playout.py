"""The agent's sound on its way out over WebRTC: 20 ms at a time, silence when there is nothing to say."""

import asyncio
from collections import deque
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from voicesim.audio.resampling import resample
from voicesim.audio.samples import RATE, TICK_SECONDS, Pcm, Wave, to_pcm

if TYPE_CHECKING:
    from aiortc import MediaStreamTrack

WIRE_RATE = 48_000
WIRE_TICK = 960


def to_wire(wave: Wave) -> Pcm:
    """Float32 mono at 24,000 Hz to int16 mono at 48,000 Hz. Blocking; for a worker thread."""
    return to_pcm(resample(wave, RATE, WIRE_RATE))


class Mouth(Protocol):
    """Where the agent's sound goes: what a response needs to know of it."""

    ahead: float
    """Seconds of sound to make ahead of what is played."""
    remote: bool
    """Whether the client plays the sound, and says itself what of it was heard."""

    @property
    def waiting(self) -> float:
        """Seconds not played yet."""
        ...

    @property
    def played(self) -> float:
        """Seconds played since the last `begin`."""
        ...

    def begin(self) -> None:
        """Counts `played` from here."""
        ...

    def put(self, pcm: Pcm) -> Sequence[str]:
        """Takes int16 mono at 48,000 Hz; gives the deltas that must be sent for it, if any."""
        ...

    def clear(self) -> None:
        """Throws away what was not played."""
        ...

    async def until(self, at_most: float) -> None:
        """Waits until at most so many seconds are not played."""
        ...


class Playout:
    """A queue of sound (int16 mono at 48,000 Hz) and how much of it has been sent."""

    ahead = 1.0
    remote = False

    def __init__(self) -> None:
        self._blocks: deque[Pcm] = deque()
        self._moved = asyncio.Event()
        self._waiting = 0
        self._played = 0

    @property
    def waiting(self) -> float:
        """Seconds of sound not sent yet."""
        return self._waiting / WIRE_RATE

    @property
    def played(self) -> float:
        """Seconds sent since the last `begin`."""
        return self._played / WIRE_RATE

    def begin(self) -> None:
        """Counts `played` from here."""
        self._played = 0

    def put(self, pcm: Pcm) -> Sequence[str]:
        """Takes sound; it goes out over the track, so no delta is needed."""
        self._blocks.append(pcm)
        self._waiting += len(pcm)
        return ()

    def clear(self) -> None:
        """Throws away what was not sent."""
        self._blocks.clear()
        self._waiting = 0
        self._moved.set()

    async def until(self, at_most: float) -> None:
        """Waits until at most so many seconds are unsent."""
        while self.waiting > at_most:
            self._moved.clear()
            await self._moved.wait()

    def take(self) -> Pcm:
        """The next 960 samples, filled up with silence."""
        out = np.zeros(WIRE_TICK, np.int16)
        filled = 0
        while filled < WIRE_TICK and self._blocks:
            block = self._blocks.popleft()
            part = block[: WIRE_TICK - filled]
            out[filled : filled + len(part)] = part
            filled += len(part)
            if len(part) < len(block):
                self._blocks.appendleft(block[len(part) :])
        if filled:
            self._waiting -= filled
            self._played += filled
            self._moved.set()
        return out


class Pace:
    """When each frame is due: an absolute time, so that a late frame delays no other."""

    def __init__(self) -> None:
        self._first: float | None = None
        self._count = 0

    async def next(self) -> int:
        """Waits for the next frame's time; its number, from 0."""
        now = asyncio.get_running_loop().time()
        if self._first is None:
            self._first = now
        number = self._count
        self._count += 1
        due = self._first + number * TICK_SECONDS
        if due > now:
            await asyncio.sleep(due - now)
        return number


def outgoing_track(playout: Playout) -> "MediaStreamTrack":
    """An aiortc track that plays `playout` in real time; presentation times step by exactly one frame."""
    from aiortc import MediaStreamTrack
    from aiortc.mediastreams import MediaStreamError
    from av import AudioFrame

    class AgentTrack(MediaStreamTrack):
        kind = "audio"

        def __init__(self) -> None:
            super().__init__()
            self._pace = Pace()

        async def recv(self) -> Any:
            if self.readyState != "live":
                raise MediaStreamError
            number = await self._pace.next()
            frame = AudioFrame.from_ndarray(np.repeat(playout.take(), 2)[None, :], format="s16", layout="stereo")
            frame.sample_rate = WIRE_RATE
            frame.time_base = Fraction(1, WIRE_RATE)
            frame.pts = number * WIRE_TICK
            return frame

    return AgentTrack()
