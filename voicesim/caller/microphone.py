"""A person's microphone, over WebRTC: what they say as ticks of the call, and the agent's sound back to them."""

import asyncio
from collections import deque
from typing import Any

import numpy as np

from voicesim.audio.resampling import StreamResampler
from voicesim.audio.samples import RATE, TICK, Pcm, samples
from voicesim.errors import UsageError
from voicesim.transports.webrtc_audio import WIRE_RATE, Outgoing, samples_of, track_of

AHEAD = samples(0.06)
"""Sound that is gathered before any is given, so that a packet that comes a little late leaves no hole."""
MOST = samples(0.5)
"""Sound that may wait; more than that comes from a clock that runs faster than ours, and the oldest is left out."""

COMES_BACK_WITHIN = 15.0
"""Seconds for which a call goes on in silence without its person, whose page may be loaded again."""


class Microphone:
    """Answers the offers of a browser, the latest of which counts, as long as the call lasts."""

    def __init__(self) -> None:
        self._waiting: deque[Pcm] = deque()
        self._held = 0
        self._flowing = False
        self._outgoing = Outgoing()
        self._connection: Any = None
        self._reader: asyncio.Task[None] | None = None
        self._lost_at: float | None = None
        self.heard = asyncio.Event()
        """Set once sound has come."""

    @property
    def lost(self) -> bool:
        """Whether the connection has ended, and no other has come in its place for a while."""
        now = asyncio.get_running_loop().time()
        return self._lost_at is not None and now - self._lost_at > COMES_BACK_WITHIN

    async def answer(self, sdp: str) -> str:
        """Our SDP for an offer. Raises UsageError for an offer that cannot be used."""
        from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription

        await self.close()
        connection = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        connection.addTrack(track_of(self._outgoing.next_frame))
        connection.on("track", self._read)
        connection.on("connectionstatechange", lambda: self._changed(connection))
        try:
            await connection.setRemoteDescription(RTCSessionDescription(sdp=sdp, type="offer"))
            await connection.setLocalDescription(await connection.createAnswer())
        except Exception as error:
            await connection.close()
            raise UsageError(f"the microphone's offer cannot be used: {error}") from error
        self._connection = connection
        return str(connection.localDescription.sdp)

    def read(self) -> Pcm:
        """The next tick of what the person says (int16 at 24,000 Hz); silence where nothing has come."""
        if not self._flowing and self._held < AHEAD:
            return np.zeros(TICK, np.int16)
        self._flowing = self._held >= TICK
        if not self._flowing:
            return np.zeros(TICK, np.int16)
        block = np.concatenate(list(self._waiting))
        self._waiting = deque([block[TICK:]])
        self._held -= TICK
        return np.asarray(block[:TICK])

    def play(self, pcm: Pcm) -> None:
        """Let the person hear a tick of the agent."""
        if len(pcm):
            self._outgoing.put(pcm)

    async def close(self) -> None:
        """End the connection."""
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
        if self._connection is not None:
            await self._connection.close()
        self._reader = self._connection = None

    def _changed(self, connection: Any) -> None:
        if connection is not self._connection:
            return
        if connection.connectionState == "connected":
            self._lost_at = None
        elif connection.connectionState in ("failed", "closed"):
            self._lost_at = asyncio.get_running_loop().time()

    def _read(self, track: Any) -> None:
        if track.kind == "audio" and self._reader is None:
            self._reader = asyncio.get_running_loop().create_task(self._pump(track))

    async def _pump(self, track: Any) -> None:
        from aiortc.mediastreams import MediaStreamError

        convert = StreamResampler(WIRE_RATE, RATE)
        try:
            while True:
                self._put(convert.feed(samples_of(await track.recv())))
        except MediaStreamError:
            return

    def _put(self, pcm: Pcm) -> None:
        self.heard.set()
        self._waiting.append(pcm)
        self._held += len(pcm)
        while self._held > MOST and len(self._waiting) > 1:
            self._held -= len(self._waiting.popleft())
