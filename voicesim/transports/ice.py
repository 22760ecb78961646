"""STUN and TURN servers of an agent file: asked beforehand, since one that is dead costs seconds of set-up."""

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from voicesim.catalog.agent_file import AgentFile, IceServer
from voicesim.errors import UsageError
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.webrtc import Peer

WAIT = 0.4
"""Seconds a server may take to answer."""


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
    answers = await answering(settings.ice_servers)
    for url in answers.dead:
        inbox.warn(f"the ICE server {url} does not answer; connecting without it")
    alive = {server.url for server in answers.servers}
    return Peer([server for server in usable if server.urls in alive], settings.limits.connect)


class _StunClient(asyncio.DatagramProtocol):
    """Carries one binding request of aioice, which repeats it and matches its answer."""

    def connection_made(self, transport: Any) -> None:
        from aioice import stun

        self._transport = transport
        request = stun.Message(message_method=stun.Method.BINDING, message_class=stun.Class.REQUEST)
        self.transaction = stun.Transaction(request, transport.get_extra_info("peername"), self)
        self._id = request.transaction_id

    def send_stun(self, message: Any, addr: Any) -> None:
        self._transport.sendto(bytes(message))

    def datagram_received(self, data: bytes, addr: Any) -> None:
        from aioice import stun

        try:
            message = stun.parse_message(data)
        except ValueError:
            return
        if message.transaction_id == self._id:
            self.transaction.response_received(message, addr)


async def _answers(url: str) -> bool:
    """Whether a STUN binding request (RFC 8489, section 6) gets any answer, a refusal included."""
    from aioice import stun

    try:
        if (server := _datagram_address(url)) is None:
            return True
        async with asyncio.timeout(WAIT):
            transport, client = await asyncio.get_running_loop().create_datagram_endpoint(
                _StunClient, remote_addr=server
            )
            try:
                await client.transaction.run()
            finally:
                transport.close()
    except stun.TransactionFailed:  # a TURN server may refuse whoever has not signed in
        return True
    except (OSError, TimeoutError, ValueError):  # ValueError: a URL that aiortc does not take either
        return False
    return True


def _datagram_address(url: str) -> tuple[str, int] | None:
    """Host and port of a server that takes STUN over UDP; None for one over TCP or TLS.

    >>> _datagram_address("stun:stun.example:3479"), _datagram_address("turns:turn.example")
    (('stun.example', 3479), None)
    """
    from aiortc.rtcicetransport import parse_stun_turn_uri

    parsed = parse_stun_turn_uri(url)
    if parsed["scheme"] in {"stuns", "turns"} or parsed.get("transport") == "tcp":
        return None
    return parsed["host"], parsed["port"]
