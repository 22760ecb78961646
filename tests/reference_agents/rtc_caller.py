"""A bare WebRTC caller for tests: plays sound, keeps what it hears, and collects data channel messages."""

import asyncio
import contextlib
import json
from fractions import Fraction
from typing import Any

import numpy as np
from aiortc import MediaStreamTrack, RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from aiortc.mediastreams import MediaStreamError
from av import AudioFrame

from voicesim.audio.samples import Pcm, Wave, to_pcm

TICK = 960


class _Mouth(MediaStreamTrack):
    kind = "audio"

    def __init__(self, rate: int) -> None:
        super().__init__()
        self._rate = rate
        self._tick = rate // 50
        self.sound: Pcm = np.zeros(0, np.int16)
        self.frames = 0
        self._start: float | None = None

    async def recv(self) -> Any:
        loop = asyncio.get_running_loop()
        self._start = self._start if self._start is not None else loop.time()
        await asyncio.sleep(max(0.0, self._start + self.frames * 0.02 - loop.time()))
        out = np.zeros(self._tick, np.int16)
        part, self.sound = self.sound[: self._tick], self.sound[self._tick :]
        out[: len(part)] = part
        frame = AudioFrame.from_ndarray(out[None, :], format="s16", layout="mono")
        frame.sample_rate, frame.time_base = self._rate, Fraction(1, self._rate)
        frame.pts = self.frames * self._tick
        self.frames += 1
        return frame


class RtcCaller:
    """Connects with `offer` and `accept`; `heard` has what arrived, at 48,000 Hz mono."""

    def __init__(self, channel: str) -> None:
        self.peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        self.mouth = _Mouth(24_000)
        self.peer.addTrack(self.mouth)
        self.channel = self.peer.createDataChannel(channel)
        self.channel.on("message", self._message)
        self.events: list[dict[str, Any]] = []
        self.blocks: list[Pcm] = []
        self.times: list[float] = []
        self.pts: list[int] = []
        self._news = asyncio.Event()
        self._reader: asyncio.Task[None] | None = None
        self.peer.on("track", self._track)
        self.peer.on("connectionstatechange", lambda: self._news.set())

    async def offer(self) -> str:
        await self.peer.setLocalDescription(await self.peer.createOffer())
        return str(self.peer.localDescription.sdp)

    async def accept(self, sdp: str) -> None:
        await self.peer.setRemoteDescription(RTCSessionDescription(sdp=sdp, type="answer"))
        await self.until(lambda: self.peer.connectionState == "connected", 20)

    def say(self, wave: Wave) -> None:
        """Queues float32 mono at 24,000 Hz to be played from the next tick on."""
        self.mouth.sound = np.concatenate([self.mouth.sound, to_pcm(wave)])

    def send(self, **event: Any) -> None:
        self.channel.send(json.dumps(event))

    def types(self) -> list[str]:
        return [str(event.get("type")) for event in self.events]

    def of(self, type_: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event.get("type") == type_]

    def deltas(self) -> list[str]:
        """What a realtime agent says it says, sentence by sentence."""
        return [str(event["delta"]) for event in self.of("response.output_audio_transcript.delta")]

    async def until(self, condition: Any, seconds: float) -> None:
        """Waits until the condition holds; TimeoutError when it does not in time."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while not condition():
            left = end - loop.time()
            if left <= 0:
                raise TimeoutError(f"not within {seconds} s; events so far: {self.types()}")
            self._news.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), min(left, 0.2))

    async def got(self, type_: str, seconds: float, count: int = 1) -> dict[str, Any]:
        await self.until(lambda: len(self.of(type_)) >= count, seconds)
        return self.of(type_)[count - 1]

    def voiced_after(self, when: float) -> float | None:
        """Loop time at which the first audible frame after `when` arrived."""
        return next(
            (
                time
                for time, block in zip(self.times, self.blocks, strict=True)
                if time > when and np.abs(block).max() > 300
            ),
            None,
        )

    def quiet(self, seconds: float) -> bool:
        """True when nothing audible arrived in the latest seconds."""
        recent = self.blocks[-round(seconds * 50) :]
        return len(recent) >= round(seconds * 50) and all(np.abs(block).max() <= 300 for block in recent)

    def sound(self) -> Wave:
        """All that was heard, float32 mono at 24,000 Hz."""
        joined = np.concatenate(self.blocks or [np.zeros(0, np.int16)])
        return (joined[::2] / 32768.0).astype(np.float32)

    async def close(self) -> None:
        await self.peer.close()
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)

    def _message(self, message: Any) -> None:
        self.events.append(json.loads(message))
        self._news.set()

    def _track(self, track: MediaStreamTrack) -> None:
        self._reader = asyncio.get_running_loop().create_task(self._read(track))

    async def _read(self, track: MediaStreamTrack) -> None:
        with contextlib.suppress(MediaStreamError):
            while True:
                frame: Any = await track.recv()
                self.blocks.append(frame.to_ndarray().reshape(-1, 2)[:, 0].copy())
                self.times.append(asyncio.get_running_loop().time())
                self.pts.append(frame.pts)
                self._news.set()
