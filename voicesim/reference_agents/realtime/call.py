"""One call over WebRTC: the peer connection around a talk."""

import uuid
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeAlias

import numpy as np

from voicesim.audio.samples import RATE, Pcm, mix_down
from voicesim.reference_agents.realtime.outbox import Outbox
from voicesim.reference_agents.realtime.playout import Playout, outgoing_track
from voicesim.reference_agents.realtime.tasks import Tasks

CONNECT_LIMIT = 20.0
"""Seconds a peer may take to connect."""
GREET_AFTER = 0.4
"""Seconds from the connection to the greeting."""
LINGER = 8.0
"""Seconds the call stays open after the agent's goodbye."""


class Talk(Protocol):
    """What a call carries: a dialogue in turns, or one in full duplex."""

    outbox: Outbox
    playout: Playout

    def hear(self, block: Pcm) -> None:
        """The next samples of the caller: int16 mono at 24,000 Hz."""
        ...

    def message(self, text: object) -> None:
        """A message of the client."""
        ...

    def greet(self) -> None:
        """The call has begun a moment ago."""
        ...

    def stop(self) -> None:
        """The call is over."""
        ...


MakeTalk: TypeAlias = Callable[[str, Tasks, Callable[[], Awaitable[None]]], Talk]
"""Makes the talk of a call from what goes into its ids, the call's tasks, and what hangs up."""


class RealtimeCall:
    """Answers one offer and lives until the peer or the brain ends the call."""

    def __init__(self, make: MakeTalk, on_closed: Callable[["RealtimeCall"], None]) -> None:
        from aiortc import RTCConfiguration, RTCPeerConnection

        short = uuid.uuid4().hex[:12]
        self.id = f"rtc_{short}"
        self._on_closed = on_closed
        self._listening = self._closing = False
        self._tasks = Tasks(self.id, self.close)
        self._talk = make(short, self._tasks, self.close)
        self._peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))

    async def answer(self, offer: str) -> str:
        """The SDP answer to an offer. Raises ValueError for an offer it cannot take."""
        from aiortc import RTCSessionDescription

        peer = self._peer
        peer.on("track", self._on_track)
        peer.on("datachannel", self._on_channel)
        peer.on("connectionstatechange", self._on_state)
        await peer.setRemoteDescription(RTCSessionDescription(sdp=offer, type="offer"))
        audio = next((transceiver for transceiver in peer.getTransceivers() if transceiver.kind == "audio"), None)
        if audio is None:
            raise ValueError("the offer has no audio")
        for transceiver in peer.getTransceivers():
            transceiver.direction = "inactive"
        audio.sender.replaceTrack(outgoing_track(self._talk.playout))
        audio.direction = "sendrecv"
        await peer.setLocalDescription(await peer.createAnswer())
        self._tasks.later(CONNECT_LIMIT, self._give_up)
        return str(peer.localDescription.sdp)

    async def close(self) -> None:
        """Hangs up and ends everything that runs for this call."""
        if self._closing:
            return
        self._closing = True
        self._talk.stop()
        await self._peer.close()
        await self._tasks.end()
        self._on_closed(self)

    def _on_track(self, track: Any) -> None:
        if track.kind == "audio" and not self._listening:
            self._listening = True
            self._tasks.spawn(self._listen(track))

    def _on_channel(self, channel: Any) -> None:
        if channel.label == "oai-events" and not self._talk.outbox.attached:
            self._talk.outbox.attach(channel)
            channel.on("message", self._talk.message)

    def _on_state(self) -> None:
        state = self._peer.connectionState
        if self._closing:
            return
        if state == "connected":
            self._tasks.later(GREET_AFTER, self._greet)
        elif state in {"failed", "closed"}:
            self._tasks.spawn(self.close())

    async def _greet(self) -> None:
        self._talk.greet()

    async def _give_up(self) -> None:
        if self._peer.connectionState != "connected":
            await self.close()

    async def _listen(self, track: Any) -> None:
        import soxr
        from aiortc.mediastreams import MediaStreamError

        stream: Any = None
        try:
            while True:
                frame = await track.recv()
                if stream is None:
                    stream = soxr.ResampleStream(frame.sample_rate, RATE, 1, dtype="int16", quality="MQ")
                channels = len(frame.layout.channels)
                pcm = mix_down(np.ascontiguousarray(frame.to_ndarray().reshape(-1, channels)))
                self._talk.hear(stream.resample_chunk(pcm))
        except MediaStreamError:
            if not self._closing:
                self._tasks.spawn(self.close())
