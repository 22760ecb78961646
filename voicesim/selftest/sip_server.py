"""The timed agent behind SIP: answers one call over UDP and speaks G.711 in RTP, as a telephone does.

Each packet of the caller is given to the agent, and what it says meanwhile leaves as the next packet: the n-th sample
out belongs to the n-th sample in, so the delay of the whole way is constant.
"""

import asyncio
import re
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

import numpy as np

from voicesim.audio.g711 import decode, encode
from voicesim.audio.resampling import StreamResampler
from voicesim.audio.samples import RATE, TICK, Pcm
from voicesim.selftest.agent import TimedAgent

PHONE_RATE = 8000
Address = tuple[str, int]
_TAG = ";tag=selftest"


class SipAnswerer(asyncio.DatagramProtocol):
    """The signalling: `statuses` are sent for an INVITE one after the other, the last of them with the answer's SDP."""

    def __init__(self, rtp_port: int, statuses: tuple[str, ...] = ("180 Ringing", "200 OK")) -> None:
        self._rtp_port, self._statuses = rtp_port, statuses
        self._transport: asyncio.DatagramTransport | None = None
        self.requests: list[str] = []
        self.dialog: tuple[str, Address] | None = None
        """The INVITE that was answered, and where it came from."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, address: Address) -> None:
        request = data.decode(errors="replace")
        method = request.partition(" ")[0]
        if not method.isalpha():
            return
        self.requests.append(request)
        if method == "INVITE":
            self.dialog = (request, address)
            for status in self._statuses:
                self.answer(status)
        elif method != "ACK":
            self._reply(request, address, "200 OK", "")

    def answer(self, status: str) -> None:
        """Answer the INVITE; with 183 and 200, with an SDP."""
        if self.dialog is not None:
            self._reply(*self.dialog, status, self._sdp() if status[:3] in ("183", "200") else "")

    def hang_up(self) -> None:
        """Send a BYE for the call that was answered."""
        if self.dialog is None or self._transport is None:
            return
        invite, address = self.dialog
        contact = re.search(r"^Contact:.*?<([^>]+)>", invite, re.MULTILINE)
        lines = [
            f"BYE {contact[1] if contact else 'sip:caller'} SIP/2.0",
            f"Via: SIP/2.0/UDP 127.0.0.1:{self._own_port()};branch=z9hG4bKselftest",
            "Max-Forwards: 70",
            f"From: {_header(invite, 'To')}{_TAG}",
            f"To: {_header(invite, 'From')}",
            f"Call-ID: {_header(invite, 'Call-ID')}",
            "CSeq: 1 BYE",
        ]
        self._transport.sendto(("\r\n".join(lines) + "\r\nContent-Length: 0\r\n\r\n").encode(), address)

    def _reply(self, request: str, address: Address, status: str, body: str) -> None:
        if self._transport is None:
            return
        to = _header(request, "To")
        lines = [
            f"SIP/2.0 {status}",
            *(f"Via: {value}" for value in re.findall(r"^Via: (.*?)\r?$", request, re.MULTILINE)),
            f"From: {_header(request, 'From')}",
            f"To: {to if 'tag=' in to else to + _TAG}",
            f"Call-ID: {_header(request, 'Call-ID')}",
            f"CSeq: {_header(request, 'CSeq')}",
            f"Contact: <sip:agent@127.0.0.1:{self._own_port()}>",
            *(["Content-Type: application/sdp"] if body else []),
            f"Content-Length: {len(body)}",
        ]
        self._transport.sendto(("\r\n".join(lines) + "\r\n\r\n" + body).encode(), address)

    def _sdp(self) -> str:
        lines = [
            "v=0",
            "o=- 1 1 IN IP4 127.0.0.1",
            "s=-",
            "c=IN IP4 127.0.0.1",
            "t=0 0",
            f"m=audio {self._rtp_port} RTP/AVP 0 101",
            "a=rtpmap:0 PCMU/8000",
            "a=rtpmap:101 telephone-event/8000",
            "a=ptime:20",
            "a=sendrecv",
        ]
        return "\r\n".join(lines) + "\r\n"

    def _own_port(self) -> int:
        assert self._transport is not None
        return int(self._transport.get_extra_info("sockname")[1])


class RtpSpeaker(asyncio.DatagramProtocol):
    """The media: what the agent says to the sound of each packet of PCMU goes back in a packet of its own."""

    def __init__(self, agent: TimedAgent) -> None:
        self._agent = agent
        self._in, self._out = StreamResampler(PHONE_RATE, RATE), StreamResampler(RATE, PHONE_RATE)
        self._waiting, self._sequence, self._timestamp = np.zeros(0, np.int16), 0, 0
        self._transport: asyncio.DatagramTransport | None = None
        self.caller: Address | None = None
        """Where the caller's sound comes from."""
        self.digits = 0
        """Packets of telephone events that came."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.DatagramTransport, transport)

    def vanish(self) -> None:
        """Send nothing more."""
        self._transport = None

    def send(self, data: bytes) -> None:
        """Send the caller any datagram at all."""
        if self._transport is not None and self.caller is not None:
            self._transport.sendto(data, self.caller)

    def datagram_received(self, data: bytes, address: Address) -> None:
        self.caller = address
        if len(data) <= 12 or data[1] & 0x7F:
            self.digits += len(data) > 12 and data[1] & 0x7F == 101
            return
        caller = self._in.feed(decode(np.frombuffer(data[12:], np.uint8)))
        self._waiting = np.concatenate([self._waiting, caller])
        while len(self._waiting) >= TICK:
            self._speak(self._agent.tick(self._waiting[:TICK]), address)
            self._waiting = self._waiting[TICK:]

    def _speak(self, pcm: Pcm, address: Address) -> None:
        payload = encode(self._out.feed(pcm)).tobytes()
        header = struct.pack("!BBHII", 0x80, 0, self._sequence & 0xFFFF, self._timestamp & 0xFFFFFFFF, 0x5E1F)
        self._sequence += 1
        self._timestamp += len(payload)
        if self._transport is not None and payload:
            self._transport.sendto(header + payload, address)


@asynccontextmanager
async def served_over_sip(
    agent: TimedAgent, statuses: tuple[str, ...] = ("180 Ringing", "200 OK")
) -> AsyncIterator[tuple[str, SipAnswerer, RtpSpeaker]]:
    """The address (`127.0.0.1:PORT`) of a telephone of this machine that the agent answers, and its two halves."""
    loop = asyncio.get_running_loop()
    media, speaker = await loop.create_datagram_endpoint(lambda: RtpSpeaker(agent), local_addr=("127.0.0.1", 0))
    rtp_port = int(media.get_extra_info("sockname")[1])
    try:
        signalling, answerer = await loop.create_datagram_endpoint(
            lambda: SipAnswerer(rtp_port, statuses), local_addr=("127.0.0.1", 0)
        )
        try:
            host, port = signalling.get_extra_info("sockname")[:2]
            yield f"{host}:{port}", answerer, speaker
        finally:
            signalling.close()
    finally:
        media.close()


@asynccontextmanager
async def reached_over_sip(agent: TimedAgent) -> AsyncIterator[str]:
    """The address alone, `127.0.0.1:PORT`."""
    async with served_over_sip(agent) as (place, _, _):
        yield place


def _header(message: str, name: str) -> str:
    match = re.search(rf"^{name}:\s*(.*?)\r?$", message, re.MULTILINE | re.IGNORECASE)
    return match[1] if match else ""
