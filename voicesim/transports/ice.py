"""STUN and TURN servers of an agent file: asked beforehand, since one that is dead costs seconds of set-up."""

import asyncio
import os
import secrets
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from voicesim.catalog.agent_file import AgentFile, IceServer
from voicesim.errors import UsageError
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.webrtc import Peer

WAIT = 0.4
"""Seconds a server may take to answer."""
_MAGIC = 0x2112A442
_BINDING = 0x0001


@dataclass(frozen=True)
class Answering:
    """The servers that can be used, and the URLs of those that do not answer."""

    servers: tuple[IceServer, ...]
    dead: tuple[str, ...]


async def answering(servers: Sequence[IceServer]) -> Answering:
    """Ask all servers at once. One behind TLS or TCP is not asked and taken as it is."""
    alive = await asyncio.gather(*(_answers(server.url) for server in servers))
    pairs = list(zip(servers, alive, strict=True))
    return Answering(tuple(pair for pair, well in pairs if well), tuple(pair.url for pair, well in pairs if not well))


def for_aiortc(servers: Sequence[IceServer], agent: str) -> list[Any]:
    """The servers as aiortc takes them. Raises UsageError when a credential's variable is not set."""
    from aiortc import RTCIceServer

    made = []
    for server in servers:
        credential = os.environ.get(server.credential_env, "") if server.credential_env else None
        if credential == "":
            raise UsageError(
                f"the ICE server {server.url} of {agent} needs the environment variable {server.credential_env}"
            )
        made.append(RTCIceServer(urls=server.url, username=server.username or None, credential=credential))
    return made


async def peer_for(settings: AgentFile, agent: str, inbox: BoundedInbox) -> Peer:
    """A peer with the ICE servers of an agent file that answer; a warning names each of the others.

    Raises UsageError when a credential's variable is not set.
    """
    usable = for_aiortc(settings.ice_servers, agent)
    found = await answering(settings.ice_servers)
    for url in found.dead:
        inbox.warn(f"the ICE server {url} does not answer; connecting without it")
    alive = {server.url for server in found.servers}
    return Peer([server for server in usable if server.urls in alive], settings.limits.connect)


class _Asked(asyncio.DatagramProtocol):
    def __init__(self, answered: "asyncio.Future[bool]", transaction: bytes) -> None:
        self._answered, self._transaction = answered, transaction

    def datagram_received(self, data: bytes, addr: Any) -> None:
        if data[8:20] == self._transaction and not self._answered.done():
            self._answered.set_result(True)

    def error_received(self, exc: Exception) -> None:
        if not self._answered.done():
            self._answered.set_result(False)


async def _answers(url: str) -> bool:
    """Does a STUN binding request (RFC 8489, section 6) get any answer?"""
    scheme, _, rest = url.partition(":")
    address, _, query = rest.partition("?")
    if scheme in {"stuns", "turns"} or "transport=tcp" in query:
        return True
    host, _, port = address.rpartition(":") if ":" in address else (address, "", "3478")
    loop = asyncio.get_running_loop()
    answered: asyncio.Future[bool] = loop.create_future()
    transaction = secrets.token_bytes(12)
    try:
        async with asyncio.timeout(WAIT):
            transport, _ = await loop.create_datagram_endpoint(
                lambda: _Asked(answered, transaction), remote_addr=(host.strip("[]"), int(port))
            )
            try:
                transport.sendto(struct.pack("!HHI", _BINDING, 0, _MAGIC) + transaction)
                return await answered
            finally:
                transport.close()
    except (OSError, ValueError, TimeoutError):
        return False
