"""A dead STUN server in an agent file: told, not waited for, and without effect on what is measured."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import pytest
from aioice import stun
from inboxes import Heard
from scripted_peer import scripted_peer

from voicesim.audio.samples import TICK, TICK_SECONDS
from voicesim.catalog.agent_file import AgentFile, IceServer
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.ice import answering
from voicesim.transports.smallwebrtc import SmallWebRTC

pytestmark = pytest.mark.live


class DeadServer(asyncio.DatagramProtocol):
    """Takes questions and never answers."""


class LivingServer(asyncio.DatagramProtocol):
    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        question = stun.parse_message(data)
        answer = stun.Message(
            message_method=question.message_method,
            message_class=stun.Class.RESPONSE,
            transaction_id=question.transaction_id,
        )
        answer.attributes["XOR-MAPPED-ADDRESS"] = addr
        self._transport.sendto(bytes(answer), addr)


@asynccontextmanager
async def server(kind: Callable[[], asyncio.DatagramProtocol]) -> AsyncIterator[IceServer]:
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(kind, local_addr=("127.0.0.1", 0))
    try:
        yield IceServer(url=f"stun:127.0.0.1:{transport.get_extra_info('sockname')[1]}")
    finally:
        transport.close()


async def call(servers: tuple[IceServer, ...]) -> tuple[float, float, list[str]]:
    """Seconds to connect; seconds from the end of a tone to its answer; the warnings."""
    async with scripted_peer(delay=0.4) as agent:
        settings = AgentFile(agent=f"smallwebrtc:{agent.base_url}", ice_servers=servers)
        line, inbox, loop = SmallWebRTC(agent.base_url, settings), Heard(), asyncio.get_running_loop()
        begun = loop.time()
        await line.open(BoundedInbox(inbox))
        took = loop.time() - begun
        tone = np.rint(8_000 * np.sin(2 * np.pi * 440 * np.arange(TICK) / 24_000)).astype(np.int16)
        tick, ended = 0, 0.0
        while not (answers := [at for at, pcm in inbox.sound if np.abs(pcm).max() > 1_000]) and tick < 500:
            line.send(tone if tick < 25 else tone * 0)
            await asyncio.sleep(max(0.0, begun + took + (tick + 1) * TICK_SECONDS - loop.time()))
            ended = inbox.now() if tick == 24 else ended
            tick += 1
        await line.close()
    return took, answers[0] - ended, inbox.warnings()


async def test_a_dead_server_is_told_and_not_waited_for() -> None:
    async with server(DeadServer) as dead, server(LivingServer) as living:
        found = await answering([living, dead])
        assert (found.servers, found.dead) == ((living,), (dead.url,))
        with_dead = [await call((dead, living)) for _ in range(2)]
    plain = [await call(()) for _ in range(2)]
    told = f"the ICE server {dead.url} does not answer; connecting without it"
    assert [warnings for _, _, warnings in with_dead] == [[told]] * 2
    # The quicker of two, as a busy machine may hold up any one of them.
    took, latency = (min(values) for values in list(zip(*with_dead, strict=True))[:2])
    plain_took, plain_latency = (min(values) for values in list(zip(*plain, strict=True))[:2])
    assert took - plain_took < 1.0
    assert latency == pytest.approx(plain_latency, abs=0.1)
