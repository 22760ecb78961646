"""Every way in which a WebSocket agent can go, and what each is called."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import numpy as np
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from inboxes import Heard
from left_over import of_voicesim
from scripted_socket import Agent, scripted_socket

from voicesim.audio.samples import TICK, TICK_SECONDS
from voicesim.errors import TransportError
from voicesim.transports import websocket
from voicesim.transports.base import Transport
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.chirp import Chirp
from voicesim.transports.pcm_ws import PcmSocket
from voicesim.transports.twilio import Twilio

SILENCE = np.zeros(TICK, np.int16)


async def vanish(agent: Agent) -> None:
    agent.vanish()
    await asyncio.sleep(10)


async def hang_up(agent: Agent) -> None:
    await agent.socket.close(code=1000, message=b"bye")


async def break_down(agent: Agent) -> None:
    await agent.socket.close(code=1011, message=b"out of memory")


async def session_limit(agent: Agent) -> None:
    await agent.socket.close(code=1001, message=b"session limit")


async def stop_reading(agent: Agent) -> None:
    """Neither reads nor answers a ping, and keeps the connection."""
    await asyncio.sleep(30)


async def send_too_much_at_once(agent: Agent) -> None:
    await agent.socket.send_bytes(bytes(websocket.MESSAGE_LIMIT + 1))
    await agent.listen()


async def send_too_much(agent: Agent) -> None:
    """And answers pings meanwhile: reading it all takes a while on a busy machine."""

    async def send() -> None:
        for _ in range(2_000):
            await agent.socket.send_bytes(bytes(60_000))

    await asyncio.gather(agent.listen(), send(), return_exceptions=True)


async def call(
    script: Callable[[Agent], Awaitable[None]], make: Callable[[str], Transport], limit: float
) -> tuple[str, str]:
    """One call until the line ends; nothing of it is left afterwards."""
    async with scripted_socket(script) as server:
        before = asyncio.all_tasks()
        line, inbox = make(server.url), Heard()
        await line.open(BoundedInbox(inbox))
        loop = asyncio.get_running_loop()
        stop_at = loop.time() + limit
        while not inbox.over and loop.time() < stop_at:
            line.send(SILENCE)
            await asyncio.sleep(TICK_SECONDS)
        closing = loop.time()
        await line.close()
        assert loop.time() - closing < websocket.CLOSE_LIMIT + 2.0
        await asyncio.sleep(0.05)
        assert [task for task in asyncio.all_tasks() - before if "/websockets/" in repr(task)] == []
        assert of_voicesim(asyncio.all_tasks() - before) == []
        return inbox.over[0]


@pytest.mark.parametrize("make", [Twilio, PcmSocket])
@pytest.mark.parametrize(
    ("script", "by", "told"),
    [
        (vanish, "line", "the WebSocket broke off without a closing message"),
        (hang_up, "agent", "the agent closed the WebSocket: bye"),
        (break_down, "line", "the agent closed the WebSocket with code 1011: out of memory"),
        (session_limit, "line", "the agent closed the WebSocket with code 1001: session limit"),
        (send_too_much_at_once, "line", "the WebSocket failed with code 1009"),
        (send_too_much, "line", "the agent sent far more than anybody can hear"),
    ],
)
async def test_an_agent_that_goes(
    script: Callable[[Agent], Awaitable[None]], by: str, told: str, make: Callable[[str], Transport]
) -> None:
    ended = await call(script, make, 15.0)
    assert ended[0] == by
    assert ended[1].startswith(told)


@pytest.mark.parametrize(("script", "by"), [(vanish, "line"), (hang_up, "agent"), (session_limit, "line")])
async def test_a_chirp_server_that_goes(script: Callable[[Agent], Awaitable[None]], by: str) -> None:
    assert (await call(script, Chirp, 15.0))[0] == by


async def test_a_peer_that_answers_no_ping_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "PING_INTERVAL", 0.3)
    ended = await call(stop_reading, Twilio, 15.0)
    assert ended == ("line", "the WebSocket failed with code 1011: keepalive ping timeout")


async def test_an_agent_that_does_not_read_is_lost_before_memory_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "UNREAD_LIMIT", 0.5)
    monkeypatch.setattr(websocket, "PING_INTERVAL", 30.0)
    async with scripted_socket(stop_reading) as server:
        line, inbox = Twilio(server.url), Heard()
        await line.open(BoundedInbox(inbox))
        sent = 0
        while not inbox.over:
            for _ in range(1_000):  # far faster than a call, so that the buffers between the two fill up
                line.send(SILENCE)
            sent += 1_000
            await asyncio.sleep(0.01)
        assert sent < 200_000
        assert inbox.over[0] == ("line", "the agent has read nothing for 0.5 s")
        await line.close()


async def test_a_call_that_is_broken_off_while_it_connects_leaves_nothing() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    before = asyncio.all_tasks()
    port = server.sockets[0].getsockname()[1]
    line = Twilio(f"ws://127.0.0.1:{port}/ws")
    opening = asyncio.get_running_loop().create_task(line.open(BoundedInbox(Heard())))
    await asyncio.sleep(0.2)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    await line.close()
    await asyncio.sleep(0.05)
    assert asyncio.all_tasks() - before == set()
    server.close()
    await server.wait_closed()


@pytest.fixture
def self_signed(tmp_path: Path) -> ssl.SSLContext:
    """TLS with a certificate for 127.0.0.1 that nobody vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    today = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, today - timedelta(days=1), today + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    (tmp_path / "key.pem").write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))
    (tmp_path / "certificate.pem").write_bytes(certificate.public_bytes(pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "certificate.pem", tmp_path / "key.pem")
    return context


async def test_a_certificate_that_nobody_vouches_for_is_refused(
    self_signed: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with scripted_socket(Agent.listen, tls=self_signed) as server:
        assert server.url.startswith("wss://")
        with pytest.raises(TransportError, match=r"no agent answers at wss://.*CERTIFICATE_VERIFY_FAILED"):
            await Twilio(server.url).open(BoundedInbox(Heard()))
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
        line = Twilio(server.url)
        await line.open(BoundedInbox(Heard()))  # the same server, once it is trusted
        await line.close()
