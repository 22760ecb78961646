"""The connection of every WebRTC line: one peer, one track out, one track in (aiortc)."""

import asyncio
import contextlib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from voicesim.audio.samples import RATE, Pcm
from voicesim.errors import TransportError
from voicesim.transports.base import Facts
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.flow import LOST_AFTER, Flow
from voicesim.transports.rate import Converter
from voicesim.transports.webrtc_audio import WIRE_RATE, Outgoing, samples_of, track_of

if TYPE_CHECKING:
    from aiortc import MediaStreamTrack

HELD = 0.089
"""Seconds between a sample's leaving the agent's track and its arrival here, on one machine: four packets in
aiortc's jitter buffer and the codec's look-ahead. Measured with aiortc 1.16: 89.3 ms, spread 0.4 ms."""
FIRST_FRAME_LIMIT = 3.0
"""Seconds of connected silence after which the call starts although no frame has come."""


class Peer:
    """One WebRTC connection to an agent. The signalling differs from line to line and is theirs."""

    def __init__(self, ice_servers: Sequence[Any], connect_limit: float) -> None:
        """`ice_servers` are aiortc's; `connect_limit` is in seconds, from the answer to flowing media."""
        from aiortc import RTCConfiguration, RTCPeerConnection

        self._connect_limit = connect_limit
        self.connection: RTCPeerConnection = RTCPeerConnection(RTCConfiguration(iceServers=list(ice_servers)))
        self._outgoing = Outgoing()
        self.connection.addTransceiver(track_of(self._outgoing.next_frame), direction="sendrecv")
        self._connected = asyncio.Event()
        self._flowing = asyncio.Event()
        self._flow = Flow()
        self._inbox: BoundedInbox | None = None
        self._closing = self._listening = False
        self._readers: set[asyncio.Task[None]] = set()

    async def offer(self, inbox: BoundedInbox) -> str:
        """Set up the local side and return its SDP, candidates included."""
        self._inbox = inbox
        self.connection.on("track", lambda track: self._read(track, inbox))
        self.connection.on("connectionstatechange", lambda: self._state_changed(inbox))
        await self.connection.setLocalDescription(await self.connection.createOffer())
        return str(self.connection.localDescription.sdp)

    async def answer(self, sdp: str, inbox: BoundedInbox) -> None:
        """Take the agent's SDP and wait until media flows both ways. Raises TransportError."""
        from aiortc import RTCSessionDescription

        try:
            await self.connection.setRemoteDescription(RTCSessionDescription(sdp=sdp, type="answer"))
        except Exception as error:
            raise TransportError(f"the agent's SDP answer cannot be used: {error}") from error
        try:
            await asyncio.wait_for(self._connected.wait(), self._connect_limit)
        except TimeoutError as error:
            state = self.connection.connectionState
            raise TransportError(f"no WebRTC connection within {self._connect_limit:g} s (state: {state})") from error
        if self.connection.connectionState != "connected":
            raise TransportError(f"the agent closed the WebRTC connection (state: {self.connection.connectionState})")
        try:
            await asyncio.wait_for(self._flowing.wait(), FIRST_FRAME_LIMIT)
        except TimeoutError:
            inbox.warn(f"the agent sent no media for {FIRST_FRAME_LIMIT:g} s")

    def send(self, pcm: Pcm) -> None:
        """Queue one tick of the caller."""
        self._outgoing.put(pcm)
        if self._flow.tick() and self._inbox is not None:
            self._inbox.ended("line", f"no media for {LOST_AFTER:g} s after an unbroken stream of it")

    async def facts(self) -> Facts:
        """The codec that was agreed on, and what RTCP has told so far."""
        sdp = str(self.connection.remoteDescription.sdp)
        payload = re.search(r"^m=audio \S+ \S+ (\d+)", sdp, re.MULTILINE)
        agreed = re.search(rf"^a=rtpmap:{payload[1]} (\S+)", sdp, re.MULTILINE) if payload else None
        codec = agreed[1] if agreed else "unknown"
        reports: dict[str, Any] = {one.type: one for one in (await self.connection.getStats()).values()}
        there, here = reports.get("remote-inbound-rtp"), reports.get("inbound-rtp")
        return Facts(
            codec=codec,
            wire_rate=int(codec.split("/")[1]) if codec.count("/") else WIRE_RATE,
            round_trip=getattr(there, "roundTripTime", None),
            packets=getattr(here, "packetsReceived", None),
            lost=getattr(here, "packetsLost", None),
        )

    async def close(self) -> None:
        """Close the connection and everything that reads from it."""
        self._closing = True
        await self.connection.close()
        for reader in self._readers:
            reader.cancel()
        await asyncio.gather(*self._readers, return_exceptions=True)

    def _state_changed(self, inbox: BoundedInbox) -> None:
        state = self.connection.connectionState
        if state in {"connected", "failed", "closed"}:
            self._connected.set()
        if self._closing:
            return
        if state == "closed":
            inbox.ended(*self._why_over("the agent closed the WebRTC connection"))
        elif state == "failed":
            inbox.ended("line", "the WebRTC connection failed")

    def _read(self, track: "MediaStreamTrack", inbox: BoundedInbox) -> None:
        wanted = track.kind == "audio" and not self._listening
        self._listening = self._listening or wanted
        reader = asyncio.get_running_loop().create_task(self._pump(track, inbox) if wanted else _drain(track))
        reader.add_done_callback(lambda task: _report(task, inbox))
        self._readers.add(reader)

    async def _pump(self, track: "MediaStreamTrack", inbox: BoundedInbox) -> None:
        from aiortc.mediastreams import MediaStreamError

        convert = Converter(WIRE_RATE, RATE)
        try:
            while True:
                frame: Any = await track.recv()
                self._flowing.set()
                self._flow.frame()
                media = float(frame.pts * frame.time_base) - convert.delay
                inbox.audio(convert.feed(samples_of(frame)), media)
        except MediaStreamError:
            if not self._closing:
                inbox.ended(*self._why_over("the agent's audio track ended"))

    def _why_over(self, detail: str) -> tuple[Literal["agent", "line"], str]:
        """aiortc tears down a lost connection as it does one that was closed. An agent that leaves says goodbye:
        by RTCP while the connection still stands, or with a DTLS shutdown."""
        from OpenSSL import SSL

        dtls = self.connection.getTransceivers()[0].receiver.transport
        told = dtls._ssl is not None and bool(dtls._ssl.get_shutdown() & SSL.RECEIVED_SHUTDOWN)
        if told or dtls.state == "connected":
            return "agent", detail
        return "line", "the agent no longer answers the WebRTC connection"


async def _drain(track: "MediaStreamTrack") -> None:
    """aiortc keeps whatever an unread track receives, so a track that nobody wants is read, too."""
    from aiortc.mediastreams import MediaStreamError

    with contextlib.suppress(MediaStreamError):
        while True:
            await track.recv()


def _report(reader: "asyncio.Task[None]", inbox: BoundedInbox) -> None:
    """A fault while reading is ours to tell: a call that just stops hearing would look like a silent agent."""
    if not reader.cancelled() and (error := reader.exception()) is not None:
        inbox.ended("harness", f"reading the agent's audio failed: {type(error).__name__}: {error}")
