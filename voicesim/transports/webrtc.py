"""The connection under every WebRTC transport: one peer, one track out, one track in (aiortc)."""

import asyncio
import contextlib
import re
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Literal

from voicesim.audio.resampling import StreamResampler
from voicesim.audio.samples import RATE, Pcm
from voicesim.errors import TransportError
from voicesim.transports.base import ConnectionStats
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.data_channels import DataChannels
from voicesim.transports.datagrams import Datagrams
from voicesim.transports.jitter_buffer import JitterBuffer, RtpPacket
from voicesim.transports.media_watch import MediaWatch
from voicesim.transports.webrtc_audio import WIRE_RATE, Outgoing, samples_of, track_of

if TYPE_CHECKING:
    from aiortc import MediaStreamTrack, RTCRtpReceiver

RECEIVE_DELAY = 0.089
"""Seconds between a sample's leaving the agent's track and its arrival here, on one machine: four packets in
the jitter buffer and the codec's look-ahead. Measured with aiortc 1.16: 89.3 ms, spread 0.4 ms."""

REPORT_INTERVAL = 1.0
"""Seconds between two looks for RTCP reports of the agent."""


class Peer:
    """One WebRTC connection to an agent. Each transport does the signalling itself."""

    def __init__(self, ice_servers: Sequence[Any], connect_limit: float) -> None:
        """`ice_servers` are aiortc's; `connect_limit` is in seconds, from the answer to flowing media."""
        from aiortc import RTCConfiguration, RTCPeerConnection

        self._connect_limit = connect_limit
        self.connection: RTCPeerConnection = RTCPeerConnection(RTCConfiguration(iceServers=list(ice_servers)))
        self._outgoing = Outgoing()
        transceiver = self.connection.addTransceiver(track_of(self._outgoing.next_frame), direction="sendrecv")
        self._received = _Received(transceiver.receiver)
        self._connected = asyncio.Event()
        self._watch = MediaWatch()
        self._inbox: BoundedInbox | None = None
        self._closing = self._listening = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def offer(self, inbox: BoundedInbox) -> str:
        """Set up the local side and return its SDP, candidates included."""
        self._inbox = self._received.inbox = inbox
        self.connection.on("track", lambda track: self._read(track, inbox))
        self.connection.on("connectionstatechange", lambda: self._state_changed(inbox))
        await self.connection.setLocalDescription(await self.connection.createOffer())
        Datagrams(inbox).watch(self.connection)
        if self.connection.sctp is not None:
            DataChannels(inbox).watch(self.connection.sctp)
        return str(self.connection.localDescription.sdp)

    async def answer(self, sdp: str, inbox: BoundedInbox) -> None:
        """Take the agent's SDP and wait until media can flow both ways. Raises TransportError.

        An agent that sends only while it speaks need not have sent anything by then.
        """
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
        self._start(self._watch_reports(), inbox)

    def send(self, pcm: Pcm) -> None:
        """Queue one tick of the caller."""
        self._outgoing.put(pcm)
        self._received.give_out()
        if (lost := self._watch.tick()) and self._inbox is not None:
            self._inbox.ended("line", lost)

    @property
    def spoke(self) -> bool:
        """Whether the agent has sent anything but silence."""
        return self._watch.spoke

    async def stats(self) -> ConnectionStats:
        """The codec that was agreed on, and what RTCP has told so far."""
        sdp = str(self.connection.remoteDescription.sdp)
        payload = re.search(r"^m=audio \S+ \S+ (\d+)", sdp, re.MULTILINE)
        agreed = re.search(rf"^a=rtpmap:{payload[1]} (\S+)", sdp, re.MULTILINE) if payload else None
        codec = agreed[1] if agreed else "unknown"
        reports: dict[str, Any] = {report.type: report for report in (await self.connection.getStats()).values()}
        there, here = reports.get("remote-inbound-rtp"), reports.get("inbound-rtp")
        return ConnectionStats(
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
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

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
        self._start(self._pump(track, inbox) if wanted else _drain(track), inbox)

    def _start(self, work: Coroutine[Any, Any, None], inbox: BoundedInbox) -> None:
        task = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(lambda done: _report(done, inbox))
        self._tasks.add(task)

    async def _watch_reports(self) -> None:
        """Notice RTCP reports of the agent."""
        receiver, latest = self.connection.getTransceivers()[0].receiver, None
        while True:
            await asyncio.sleep(REPORT_INTERVAL)
            stats = (await receiver.getStats()).values()
            reports = [report for report in stats if report.type == "remote-outbound-rtp"]
            if reports and reports[0].timestamp != latest:
                latest = reports[0].timestamp
                self._watch.report()

    async def _pump(self, track: "MediaStreamTrack", inbox: BoundedInbox) -> None:
        from aiortc.mediastreams import MediaStreamError

        convert = StreamResampler(WIRE_RATE, RATE)
        try:
            while True:
                frame: Any = await track.recv()
                media = float(frame.pts * frame.time_base) - convert.delay
                pcm = convert.feed(samples_of(frame))
                self._watch.frame(pcm)
                self._received.steady(self._watch.steady)
                inbox.audio(pcm, media)
        except MediaStreamError:
            if not self._closing:
                inbox.ended(*self._why_over("the agent's audio track ended"))

    def _why_over(self, detail: str) -> tuple[Literal["agent", "line"], str]:
        """aiortc tears down a lost connection as it does one that was closed. An agent that leaves says goodbye:
        by RTCP while the connection still stands, or with a DTLS shutdown."""
        from OpenSSL import SSL

        dtls = self.connection.getTransceivers()[0].receiver.transport
        closed_by_peer = dtls._ssl is not None and bool(dtls._ssl.get_shutdown() & SSL.RECEIVED_SHUTDOWN)
        if closed_by_peer or dtls.state == "connected":
            return "agent", detail
        return "line", "the agent no longer answers the WebRTC connection"


_JITTER_BUFFER = "_RTCRtpReceiver__jitter_buffer"


class _Received:
    """Stands in for the jitter buffer of an aiortc receiver, with ours, which knows the pauses of the sender.

    aiortc has no way in: these are private names of its receiver (1.16), and a test makes a call over them.
    """

    def __init__(self, receiver: "RTCRtpReceiver") -> None:
        self._receiver: Any = receiver
        self._buffer = JitterBuffer()
        self._codec: Any = None
        self.inbox: BoundedInbox | None = None
        assert hasattr(receiver, _JITTER_BUFFER), "aiortc's receiver has changed"
        setattr(receiver, _JITTER_BUFFER, self)

    def add(self, packet: Any) -> tuple[bool, None]:
        """What aiortc calls with each packet; frames go to its decoder from here.

        An error would end aiortc's reading, and look as if the agent had closed the connection.
        """
        try:
            self._codec = self._receiver._RTCRtpReceiver__codecs[packet.payload_type]
            received = RtpPacket(packet.sequence_number, packet.timestamp, packet._data)
            self._decode(self._buffer.add(received, self._codec.clockRate, asyncio.get_running_loop().time()))
        except Exception as error:  # noqa: BLE001
            if self.inbox is not None:
                self.inbox.broke(error)
        return False, None

    def give_out(self) -> None:
        """To be called every 20 ms: decode what was held back, when nothing comes behind it."""
        self._decode(self._buffer.idle(asyncio.get_running_loop().time()))

    def steady(self, steady: bool) -> None:
        """Whether the agent is known to send its silence too."""
        self._buffer.steady = steady

    def _decode(self, ready: list[tuple[bytes, float]]) -> None:
        from aiortc.jitterbuffer import JitterFrame

        for payload, time in ready:
            frame = JitterFrame(payload, round(time * self._codec.clockRate))
            self._receiver._RTCRtpReceiver__decoder_queue.put((self._codec, frame))


async def _drain(track: "MediaStreamTrack") -> None:
    """aiortc keeps whatever an unread track receives, so a track that nobody wants is read, too."""
    from aiortc.mediastreams import MediaStreamError

    with contextlib.suppress(MediaStreamError):
        while True:
            await track.recv()


def _report(reader: "asyncio.Task[None]", inbox: BoundedInbox) -> None:
    if not reader.cancelled() and (error := reader.exception()) is not None:
        inbox.broke(error)
