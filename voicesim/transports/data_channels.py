"""What a WebRTC peer sends over its data channels, bounded before it is put together to messages."""

import asyncio
from typing import TYPE_CHECKING, Any

from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.bucket import Bucket

if TYPE_CHECKING:
    from aiortc import RTCSctpTransport

CHUNKS_AT_ONCE, CHUNK_RATE = 20_000, 5_000
"""Chunks of SCTP (RFC 9260) taken at once, and each second from then on: a megabyte of messages has 900."""
WAITING = 2_000
"""Pieces of unfinished messages, or behind a lost one; a peer that keeps to its window of 1 MB has half as many."""
CHANNELS = 32
"""Data channels; agents open one or two."""


class DataChannels:
    """Stands before the SCTP of one connection. Beyond a bound the line is ended, and nothing more is taken.

    aiortc keeps whatever belongs to a message that has not ended, and goes through all of it for each new piece. It
    has no way in: these are private names of its transport (1.16), and a test makes a call over them.
    """

    def __init__(self, inbox: BoundedInbox) -> None:
        self._inbox = inbox
        self._bucket = Bucket(CHUNKS_AT_ONCE, CHUNK_RATE, asyncio.get_running_loop().time)
        self._over = False

    def watch(self, sctp: "RTCSctpTransport") -> None:
        """Bound what this transport takes from now on."""
        transport: Any = sctp
        handle, receive = transport._handle_data, transport._receive_chunk

        async def handled(data: bytes) -> None:
            if self._over:
                return
            try:
                with self._inbox.work.measured():
                    await handle(data)
            except Exception as error:  # noqa: BLE001 - aiortc would close the connection, and nobody knew why
                self._over = True
                self._inbox.broke(error)

        async def received(chunk: Any) -> None:
            if not self._over and not self._bucket.spend():
                self._end(f"the agent sends more than {CHUNK_RATE:,} chunks of data channels a second")
            if self._over:
                return
            await receive(chunk)
            if too_much := _too_much(transport):
                self._end(too_much)

        transport._handle_data, transport._receive_chunk = handled, received

    def _end(self, why: str) -> None:
        self._over = True
        self._inbox.ended("line", why)


def _too_much(sctp: Any) -> str:
    """Why an agent has gone beyond the bounds; "" as long as it has not."""
    streams = sctp._inbound_streams
    if max(len(sctp._data_channels), len(streams)) > CHANNELS:
        return f"the agent opens more than {CHANNELS} data channels"
    waiting = sum(len(stream.reassembly) for stream in streams.values())
    if sctp._advertised_rwnd < 0 or max(waiting, len(sctp._sack_misordered)) > WAITING:
        return "the agent sends messages over its data channel and does not end them"
    return ""
