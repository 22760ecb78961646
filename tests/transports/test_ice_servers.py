"""ICE servers of an agent file: one that is dead is named and left out, and costs well under a second."""

import asyncio
import socket
from typing import Any

import pytest
from inboxes import Heard

from voicesim.catalog.agent_file import AgentFile, IceServer
from voicesim.errors import UsageError
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.ice import answering, for_aiortc, peer_for


class Stun(asyncio.DatagramProtocol):
    """Answers every binding request with its transaction id."""

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def datagram_received(self, data: bytes, addr: Any) -> None:
        self._transport.sendto(b"\x01\x01\x00\x00" + data[4:20], addr)


async def test_servers_that_answer_are_told_from_dead_ones() -> None:
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(Stun, local_addr=("127.0.0.1", 0))
    port = transport.get_extra_info("sockname")[1]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mute:
        mute.bind(("127.0.0.1", 0))
        good = IceServer(url=f"stun:127.0.0.1:{port}")
        dead = IceServer(url=f"stun:127.0.0.1:{mute.getsockname()[1]}")
        unknown = IceServer(url="stun:no-such-host.invalid")
        begun = loop.time()
        found = await answering([good, dead, unknown])
        took = loop.time() - begun
    transport.close()
    assert found.servers == (good,)
    assert found.dead == (dead.url, unknown.url)
    assert took < 1.0


class Refusing(Stun):
    """A TURN server that answers 401 to whoever has not signed in: a binding error response with ERROR-CODE."""

    def datagram_received(self, data: bytes, addr: Any) -> None:
        error = b"\x00\x09\x00\x04\x00\x00\x04\x01"  # type 9, 4 bytes: class 4, number 1
        self._transport.sendto(b"\x01\x11\x00\x08" + data[4:20] + error, addr)


class Babbling(Stun):
    """Answers with bytes that are no STUN, and with the answer to somebody else's question."""

    def datagram_received(self, data: bytes, addr: Any) -> None:
        self._transport.sendto(b"hello", addr)
        self._transport.sendto(b"\x01\x01\x00\x00" + data[4:8] + b"someone else", addr)


@pytest.mark.parametrize(("kind", "alive"), [(Refusing, True), (Babbling, False)])
async def test_a_refusal_is_an_answer_and_babble_is_none(kind: type[Stun], alive: bool) -> None:
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(kind, local_addr=("127.0.0.1", 0))
    url = f"stun:127.0.0.1:{transport.get_extra_info('sockname')[1]}"
    found = await answering([IceServer(url=url)])
    transport.close()
    assert bool(found.servers) == alive


@pytest.mark.parametrize("url", ["turns:turn.example", "stuns:stun.example:5349", "turn:turn.example?transport=tcp"])
async def test_servers_over_tcp_and_tls_are_not_asked(url: str) -> None:
    assert (await answering([IceServer(url=url)])).dead == ()


async def test_a_dead_server_is_named_in_a_warning_and_not_used() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mute:
        mute.bind(("127.0.0.1", 0))
        url = f"stun:127.0.0.1:{mute.getsockname()[1]}"
        inbox = Heard()
        settings = AgentFile(agent="smallwebrtc:http://localhost:1", ice_servers=(IceServer(url=url),))
        peer = await peer_for(settings, "mine", BoundedInbox(inbox))
    await peer.close()
    assert inbox.warnings() == [f"the ICE server {url} does not answer; connecting without it"]


def test_a_credential_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    server = IceServer(url="turns:turn.example.org", username="me", credential_env="TURN_SECRET")
    monkeypatch.setenv("TURN_SECRET", "hush")
    (made,) = for_aiortc([server], "mine")
    assert (made.urls, made.username, made.credential) == ("turns:turn.example.org", "me", "hush")
    monkeypatch.delenv("TURN_SECRET")
    with pytest.raises(UsageError, match="TURN_SECRET"):
        for_aiortc([server], "mine")
