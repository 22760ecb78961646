"""Ticks of the call as frames of a WebRTC track, and the frames of one as sound of the call."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from voicesim.audio.resampling import StreamResampler
from voicesim.audio.samples import RATE, TICK, TICK_SECONDS, Pcm, mix_down

if TYPE_CHECKING:
    from aiortc import MediaStreamTrack

WIRE_RATE = 48_000
QUEUE_LIMIT = 50
"""Blocks that may wait to be sent; a peer that takes nothing for a second loses the oldest."""


class Frames:
    """Ticks as av.AudioFrames of the wire, one after the other, whatever the wall clock does."""

    def __init__(self) -> None:
        self._convert = StreamResampler(RATE, WIRE_RATE)
        self._count = 0

    def next(self, pcm: Pcm) -> Any:
        """The frame of one more tick: 48 kHz stereo, both sides the same."""
        from av import AudioFrame

        wide = self._convert.feed(pcm)
        frame = AudioFrame.from_ndarray(np.repeat(wide, 2).reshape(1, -1), format="s16", layout="stereo")
        frame.sample_rate, frame.time_base = WIRE_RATE, Fraction(1, WIRE_RATE)
        frame.pts = self._count * len(wide)
        self._count += 1
        return frame


class Outgoing:
    """The caller's blocks on their way out: silence at its own pace until the call starts, then what is sent."""

    def __init__(self) -> None:
        self._blocks: deque[Pcm] = deque(maxlen=QUEUE_LIMIT)
        self._ready = asyncio.Event()
        self._started = False
        self._frames = Frames()

    def put(self, pcm: Pcm) -> None:
        self._started = True
        self._blocks.append(pcm)
        self._ready.set()

    async def next_frame(self) -> Any:
        """The next 20 ms as an av.AudioFrame."""
        return self._frames.next(await self._next_block())

    async def _next_block(self) -> Pcm:
        if not self._started:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ready.wait(), TICK_SECONDS)
        if not self._started:
            return np.zeros(TICK, np.int16)
        while not self._blocks:
            self._ready.clear()
            await self._ready.wait()
        return self._blocks.popleft()


def track_of(next_frame: Callable[[], Awaitable[Any]]) -> "MediaStreamTrack":
    """An aiortc track of av.AudioFrames, each asked for when the one before has been sent."""
    from aiortc import MediaStreamTrack

    class Track(MediaStreamTrack):
        kind = "audio"

        async def recv(self) -> Any:
            return await next_frame()

    return Track()


def samples_of(frame: Any) -> Pcm:
    """A decoded av.AudioFrame as mono int16 at its own rate; padding of the planes never counts."""
    channels = len(frame.layout.channels)
    values = frame.to_ndarray()
    interleaved = values.reshape(-1, channels) if frame.format.is_packed else values.T
    return mix_down(np.ascontiguousarray(interleaved, dtype=np.int16))
