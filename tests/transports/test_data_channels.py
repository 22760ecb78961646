"""Data channels whose messages never end, come in crumbs or with holes: bounded in memory and in work."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiortc import RTCPeerConnection
from aiortc.rtcsctptransport import DataChunk, ErrorChunk, ForwardTsnChunk
from inboxes import Heard
from scripted_peer import scripted_peer

from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.data_channels import DataChannels
from voicesim.transports.smallwebrtc import SmallWebRTC

FIRST, LAST, ALONE = 2, 1, 3
"""Flags of a piece: the first of a message, its last one, or a whole message (RFC 9260, 3.3.1)."""
TEXT, OPEN = 51, 50
UNENDED = "the agent sends messages over its data channel and does not end them"


def piece(number: int, data: bytes = b"x", *, flags: int = 0, stream: int = 1, kind: int = TEXT) -> DataChunk:
    chunk = DataChunk(flags=flags)
    chunk.tsn, chunk.stream_id, chunk.protocol, chunk.user_data = number, stream, kind, data
    return chunk


@asynccontextmanager
async def watched() -> AsyncIterator[tuple[Any, Heard]]:
    """The SCTP of a connection as a call watches it, and what the call hears of its end."""
    connection, inbox = RTCPeerConnection(), Heard()
    connection.createDataChannel("chat")
    sctp: Any = connection.sctp
    sctp._last_received_tsn = 0
    DataChannels(BoundedInbox(inbox)).watch(sctp)
    yield sctp, inbox
    await connection.close()


def opening(number: int, stream: int) -> DataChunk:
    return piece(number, b"\x03" + bytes(11), flags=ALONE, stream=stream, kind=OPEN)


ATTACKS: dict[str, tuple[Callable[[], Iterable[Any]], str]] = {
    "a message that never ends": (
        lambda: (piece(n, b"x" * 1_200, flags=FIRST if n == 1 else 0) for n in range(1, 100_000)),
        UNENDED,
    ),
    "the same in crumbs": (lambda: (piece(n, flags=FIRST if n == 1 else 0) for n in range(1, 100_000)), UNENDED),
    "unordered pieces without a beginning": (lambda: (piece(n, flags=4) for n in range(1, 100_000)), UNENDED),
    "messages behind one that never comes": (
        lambda: (piece(n, flags=ALONE) for n in range(2, 100_000)),
        UNENDED,
    ),
    "every second piece": (lambda: (piece(2 * n, flags=ALONE) for n in range(1, 100_000)), UNENDED),
    "many channels": (
        lambda: (opening(n, 2 * n + 1) for n in range(1, 30_000)),
        "the agent opens more than 32 data channels",
    ),
    "many streams that are given up": (
        lambda: [ForwardTsnChunk(0, b"\0\0\0\1" + b"".join(n.to_bytes(2, "big") + b"\0\1" for n in range(4_000)))],
        "the agent opens more than 32 data channels",
    ),
    "a flood of whole messages": (
        lambda: (piece(n, flags=ALONE) for n in range(1, 100_000)),
        "the agent sends more than 5,000 chunks of data channels a second",
    ),
    "a flood of errors": (
        lambda: (ErrorChunk() for _ in range(100_000)),
        "the agent sends more than 5,000 chunks of data channels a second",
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
async def test_pieces_without_end_are_the_agents_end(attack: str) -> None:
    chunks, why = ATTACKS[attack]
    begun = time.thread_time()
    async with watched() as (sctp, inbox):
        for chunk in chunks():
            await sctp._receive_chunk(chunk)
        held = sum(len(each.user_data) for each in sctp._inbound_streams.values() for each in each.reassembly)
    assert inbox.over == [("line", why)]
    assert held < 1.1 * 2**20
    # Without a bound each of these takes minutes. Generous, as the machine may be slow.
    assert time.thread_time() - begun < 8


async def test_what_keeps_to_the_protocol_is_never_touched() -> None:
    """A minute of messages of 60,000 bytes, each in pieces of which some come out of order."""
    async with watched() as (sctp, inbox):
        number = 0
        for message in range(20):
            pieces = [piece(number + n, b"x" * 1_200, flags={1: FIRST, 50: LAST}.get(n, 0)) for n in range(1, 51)]
            for chunk in pieces:
                chunk.stream_seq = message
            pieces[10], pieces[30] = pieces[30], pieces[10]
            for chunk in pieces:
                await sctp._receive_chunk(chunk)
            number += 50
        assert inbox.over == []
        assert sctp._advertised_rwnd == 2**20


@pytest.mark.parametrize(
    "chunk", [opening(1, 1), piece(1, b"\xff\xfe", flags=ALONE), piece(1, b"\x02", flags=ALONE, stream=9, kind=OPEN)]
)
async def test_what_breaks_the_reading_is_told_as_the_agents(chunk: DataChunk) -> None:
    async with watched() as (sctp, inbox):
        await sctp._receive_chunk(opening(1, 1))
        chunk.tsn, chunk.stream_seq = 2, 1
        sctp._local_verification_tag = 7
        header = b"\x13\x88\x13\x88" + (7).to_bytes(4, "big")
        await sctp._handle_data(with_checksum(header, bytes(chunk)))
    assert [by for by, _ in inbox.over] == ["line"]
    assert "cannot be read" in inbox.over[0][1]


def with_checksum(header: bytes, chunks: bytes) -> bytes:
    import google_crc32c

    whole: int = google_crc32c.value(header + bytes(4) + chunks)
    return header + whole.to_bytes(4, "little") + chunks


@pytest.mark.live
async def test_an_agent_that_never_ends_a_message_is_cut_off_in_a_call() -> None:
    """An aiortc of the agent's that leaves out the end of everything it sends, and heeds no window."""
    async with scripted_peer() as agent:
        line, inbox = SmallWebRTC(agent.base_url), Heard()
        await line.open(BoundedInbox(inbox))
        sctp: Any = agent.connections[0].sctp

        async def endless() -> None:
            await asyncio.sleep(1.0)  # until the agent's side has its channel, too
            for n in range(3_000):
                chunk = piece(sctp._local_tsn + n, b"x" * 1_000, flags=FIRST if n == 0 else 0)
                await sctp._send_chunk(chunk)
                if n % 20 == 0:
                    await asyncio.sleep(0.002)

        sending = asyncio.create_task(endless())
        try:
            assert await inbox.ended_within(15) == ("line", UNENDED)
        finally:
            sending.cancel()
            await line.close()
