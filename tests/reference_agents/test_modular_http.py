"""The modular agent's HTTP side: whom it answers, what it refuses, and that nothing is kept for who never comes."""

import asyncio
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from aiortc import RTCConfiguration, RTCPeerConnection

from voicesim.reference_agents.brains import brains
from voicesim.reference_agents.modular.server import ModularServer

with warnings.catch_warnings():
    # Pipecat imports audioop, which Python 3.11 and 3.12 warn about.
    warnings.simplefilter("ignore", DeprecationWarning)
    from voicesim.reference_agents.modular import call
    from voicesim.reference_agents.modular.services import OneAtATime

Post = Callable[..., Awaitable[httpx2.Response]]


@pytest.fixture
async def server() -> AsyncIterator[ModularServer]:
    """Its ear and its voice are never asked for anything: no call of these tests connects."""
    nothing: Any = SimpleNamespace()
    async with brains("rules") as make:
        parts = call.Parts(make, lambda: None, OneAtATime(nothing), "base", nothing, nothing)
        server = ModularServer(parts, "127.0.0.1")
        yield server
        await server.close()


@pytest.fixture
async def post(server: ModularServer) -> AsyncIterator[Post]:
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app=server.app()), base_url="http://127.0.0.1:7860"
    ) as http:

        async def post(content: Any, host: str = "127.0.0.1:7860") -> httpx2.Response:
            return await http.post("/api/offer", json=content, headers={"Host": host})

        yield post


@pytest.fixture
async def sdp() -> AsyncIterator[str]:
    peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    peer.addTransceiver("audio")
    peer.createDataChannel("chat")
    await peer.setLocalDescription(await peer.createOffer())
    yield str(peer.localDescription.sdp)
    await peer.close()


@pytest.mark.parametrize("host", ["rebound.example", "rebound.example:7860", "127.0.0.1.rebound.example", ""])
async def test_bound_to_this_machine_it_answers_to_no_other_name(post: Post, host: str, sdp: str) -> None:
    assert (await post({"sdp": sdp, "type": "offer"}, host)).status_code == 400


@pytest.mark.parametrize("host", ["127.0.0.1:7860", "localhost:7860", "localhost", "[::1]:7860"])
async def test_it_answers_to_the_names_of_this_machine(post: Post, host: str, sdp: str) -> None:
    answer = await post({"sdp": sdp, "type": "offer"}, host)
    assert (answer.status_code, answer.json()["type"]) == (200, "answer")


@pytest.mark.parametrize(
    "content",
    [
        {},
        [],
        {"sdp": 5, "type": "offer"},
        {"sdp": "", "type": "offer"},
        {"sdp": "v=0\r\nhello\r\n", "type": "offer"},
        {"sdp": "v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 96\r\na=rtpmap:96 -1\r\n", "type": "offer"},
        {"sdp": "v=0\r\nm=audio x UDP\r\n", "type": "offer"},
        {"sdp": "v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 0\r\n", "type": "answer"},
    ],
)
async def test_an_offer_that_is_none_is_refused(post: Post, content: Any) -> None:
    assert (await post(content)).status_code in (400, 422)


async def test_of_offers_whose_callers_never_come_nothing_stays_open(
    server: ModularServer, post: Post, sdp: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call, "CONNECT_LIMIT", 0.2)
    before = open_descriptors()
    for _ in range(20):
        assert (await post({"sdp": sdp, "type": "offer"})).status_code == 200
    assert open_descriptors() > before
    for _ in range(200):
        if open_descriptors() > before:
            await asyncio.sleep(0.1)
    assert open_descriptors() <= before


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))
