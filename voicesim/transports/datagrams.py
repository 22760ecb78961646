"""The datagrams of a WebRTC peer, counted before anything is done for them."""

import asyncio
from typing import TYPE_CHECKING, Any

from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.bucket import Bucket

if TYPE_CHECKING:
    from aiortc import RTCPeerConnection

AT_ONCE, RATE = 5_000, 2_000
"""Datagrams taken at once, and each second from then on: speech is 50 a second, and a video nobody asked for 800."""


class Datagrams:
    """An allowance for one connection. Beyond it the line is ended, and nothing more is taken."""

    def __init__(self, inbox: BoundedInbox) -> None:
        self._inbox = inbox
        self._bucket = Bucket(AT_ONCE, RATE, asyncio.get_running_loop().time)
        self._flooded = False

    def watch(self, connection: "RTCPeerConnection") -> None:
        """Count what comes in on every socket that the connection has opened so far.

        aioice has no way in: these are private names of its connection (0.13), and a test makes a call over them.
        """
        transports = [transceiver.receiver.transport for transceiver in connection.getTransceivers()]
        if connection.sctp is not None:
            transports.append(connection.sctp.transport)
        for ice in {transport.transport for transport in transports}:
            for protocol in ice._connection._protocols:
                self._count(protocol)

    def _count(self, protocol: Any) -> None:
        received = protocol.datagram_received

        def counted(data: bytes, address: Any) -> None:
            if self._flooded:
                return
            if not self._bucket.spend():
                self._flooded = True
                self._inbox.ended("line", f"the agent sends more than {RATE:,} datagrams a second")
                return
            received(data, address)

        protocol.datagram_received = counted
