"""Agents that send floods of tiny things: the line is theirs to lose, and an agent that only talks is never touched."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import numpy as np
import pytest
from aiohttp import web
from aiortc import RTCConfiguration, RTCPeerConnection
from inboxes import Heard, Playing
from scripted_socket import Agent, scripted_socket, served

from voicesim.audio.samples import Pcm
from voicesim.errors import TransportError, WriteError
from voicesim.transports.base import Transport
from voicesim.transports.bounded_inbox import PART_RATE, PARTS_AT_ONCE, BoundedInbox
from voicesim.transports.chirp import Chirp
from voicesim.transports.datagrams import AT_ONCE, Datagrams
from voicesim.transports.frames import CONTROL_RATE, CONTROLS_AT_ONCE, FRAMES_AT_ONCE
from voicesim.transports.messages import MOST_PARTS, read_object
from voicesim.transports.openai_events import ServerEvents
from voicesim.transports.openai_live_ws import LiveWebSocket
from voicesim.transports.openai_playback import Playback
from voicesim.transports.openai_ws import OpenAIWebSocket
from voicesim.transports.pcm_ws import PcmSocket
from voicesim.transports.twilio import Twilio
from voicesim.transports.work import PIECE, Work

PING, PONG, TEXT, CONTINUED = b"\x89\x00", b"\x8a\x00", b"\x81\x00", b"\x00\x00"
"""Empty frames of a server: a ping, a pong, a whole text, and a piece of a message that goes on."""
BEGUN = b"\x01\x00"
PINGS = "the agent sends more than 20 pings or pongs a second"
FLOODS = {
    "pings": (PING * 20_000, PINGS),
    "pongs": (PONG * 20_000, PINGS),
    "texts": (TEXT * 20_000, "the agent sends more than 1,000 messages a second"),
    "pieces": (BEGUN + CONTINUED * 60_000, "the agent sends more than 2,000 pieces of messages a second"),
}
BEFORE = {
    "openai+ws": [json.dumps({"type": kind, "session": {}}) for kind in ("session.created", "session.updated")],
    "openai-live+ws": [json.dumps({"type": "session.started", "session": {}})],
}
"""What a server says before it floods."""


@asynccontextmanager
async def flooding(flood: bytes, before: list[str]) -> AsyncIterator[str]:
    """The place of a WebSocket server that says something, and then sends a flood."""

    async def call(request: web.Request) -> web.StreamResponse:
        answer = web.WebSocketResponse()
        await answer.prepare(request)
        for message in before:
            await answer.send_str(message)
        assert request.transport is not None
        request.transport.write(flood)
        async for _ in answer:
            pass
        return answer

    async with served(call) as place:
        yield place


WIRES: dict[str, Callable[[str], Transport]] = {
    "pcm": lambda place: PcmSocket(f"ws://{place}/ws"),
    "twilio": lambda place: Twilio(f"ws://{place}/ws"),
    "chirp": lambda place: Chirp(f"ws://{place}"),
    "openai+ws": lambda place: OpenAIWebSocket("m", base_url=f"http://{place}/v1", key="any key at all"),
    "openai-live+ws": lambda place: LiveWebSocket("m", base_url=f"http://{place}/v1", key="any key at all"),
}


@pytest.mark.parametrize("flood", FLOODS)
@pytest.mark.parametrize("wire", WIRES)
async def test_a_flood_over_a_websocket_is_the_agents_end(wire: str, flood: str) -> None:
    content, told = FLOODS[flood]
    async with flooding(content, BEFORE.get(wire, [])) as place:
        transport, inbox = WIRES[wire](place), Heard()
        try:
            await transport.open(BoundedInbox(inbox))
        except TransportError as error:  # before there was a call
            by, why = "line", str(error)
        else:
            by, why = await inbox.ended_within(20.0)
        await transport.close()
    assert (by, told in why) == ("line", True), why


async def test_a_flood_of_datagrams_is_the_agents_end_and_not_answered() -> None:
    inbox, peer = Heard(), RTCPeerConnection(RTCConfiguration(iceServers=[]))
    peer.addTransceiver("audio")
    peer.createDataChannel("chat")
    await peer.setLocalDescription(await peer.createOffer())
    Datagrams(BoundedInbox(inbox)).watch(peer)
    offer = peer.localDescription.sdp.splitlines()
    sent = 0
    places = {tuple(line.split()[4:6]) for line in offer if line.startswith("a=candidate") and "." in line.split()[4]}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        while not inbox.over:
            for host, port in places:
                out.sendto(b"\x80nothing", (host, int(port)))
                sent += 1
            await asyncio.sleep(0)
    await peer.close()
    assert inbox.over[0] == ("line", "the agent sends more than 2,000 datagrams a second")
    assert sent > AT_ONCE


def test_an_agent_that_talks_is_never_touched() -> None:
    """Sound every 20 ms and five small events with each, for ten minutes, after two minutes of sound at once."""
    box = Playing()
    inbox = BoundedInbox(box)
    sound = json.dumps(
        {"type": "response.output_audio.delta", "delta": "A" * 1_280, "response_id": "r", "item_id": "i"}
    )
    event = json.dumps({"type": "x", "event_id": "e", "a": [1, 2, 3], "b": {"c": "d"}})
    assert all(inbox.admit(sound) for _ in range(6_000))
    for tick in range(30_000):
        box.time = tick * 0.02
        assert all(inbox.admit(message) for message in (sound, *[event] * 5))
    assert box.over == []
    assert inbox.work.held == 0.0


async def test_a_peer_that_keeps_its_connection_alive_is_never_touched() -> None:
    """One that sends ten pings a second, which nobody does, is still none."""

    async def alive(agent: Agent) -> None:
        for _ in range(CONTROLS_AT_ONCE // 2):
            await agent.socket.ping()
        await agent.socket.close()

    async with scripted_socket(alive) as server:
        line, inbox = PcmSocket(server.url), Heard()
        await line.open(BoundedInbox(inbox))
        asyncio.get_running_loop().call_later(0.5, line.send, np.zeros(480, np.int16))
        assert (await inbox.ended_within(5.0))[0] == "agent"
        await line.close()
    assert CONTROL_RATE >= 10
    assert FRAMES_AT_ONCE > 6_000  # two minutes of sound at once, in pieces of 20 ms


def test_a_message_of_very_many_parts_is_not_read() -> None:
    box = Playing()
    inbox = BoundedInbox(box)
    many = json.dumps({"type": "error", "a": [0] * MOST_PARTS})
    assert inbox.admit(many)
    assert ServerEvents(inbox).parse(many) is None
    assert read_object(many) == read_object(many.encode()) == {}
    assert read_object(json.dumps({"a": [0] * 1_000})) == {"a": [0] * 1_000}
    assert box.over == []


def test_a_flood_of_parts_ends_the_line_and_binary_sound_has_none() -> None:
    box = Playing()
    inbox = BoundedInbox(box)
    sound = b"[{,:" * 10_000
    assert all(inbox.admit(sound, json=False) for _ in range(50))
    half = json.dumps([0] * (MOST_PARTS // 2))  # one bracket, and a comma less than numbers: 10,000 parts
    assert all(inbox.admit(half) for _ in range(PARTS_AT_ONCE // 10_000))
    box.time = 1.0
    assert all(inbox.admit(half) for _ in range(PART_RATE // 10_000))
    assert box.over == []
    assert not inbox.admit(half)
    assert box.over == [("line", "the agent's messages have more than 30,000 parts a second")]


def test_only_long_pieces_of_work_count() -> None:
    work = Work()
    for took in (PIECE / 2, PIECE, 0.5, 0.0):
        work.add(took)
    assert (work.held, work.longest) == (PIECE + 0.5, 0.5)
    steps = iter([None, None])
    assert [work.step(steps) for _ in range(3)] == [True, True, False]


class Fails(Heard):
    """An inbox that cannot take sound."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    def audio(self, pcm: Pcm, media: float | None = None) -> float:
        raise self._error


async def speak(agent: Agent) -> None:
    await agent.socket.send_bytes(bytes(960))
    await agent.listen()


@pytest.mark.parametrize(
    ("error", "by", "told"),
    [
        (ValueError("odd"), "line", "what the agent sent cannot be read: ValueError: odd"),
        (WriteError("the disk is full"), "harness", "WriteError: the disk is full"),
    ],
)
async def test_what_cannot_be_read_is_the_agents_end_and_what_cannot_be_written_ours(
    error: Exception, by: str, told: str
) -> None:
    async with scripted_socket(speak) as server:
        line, inbox = PcmSocket(server.url), Fails(error)
        await line.open(BoundedInbox(inbox))
        assert await inbox.ended_within(5.0) == (by, told)
        await line.close()


def test_sound_that_is_no_ascii_is_told() -> None:
    inbox = Playing()
    playback = Playback(BoundedInbox(inbox), "audio/pcm", lambda _: None)
    playback.take({"type": "response.output_audio.delta", "item_id": "i", "delta": "é"})
    assert [event.type for event in inbox.events] == ["warning"]
