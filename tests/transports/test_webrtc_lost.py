"""Real WebRTC on this machine that goes wrong: agents that vanish, and tracks that nobody wants."""

import asyncio
from typing import Any

import aioice.ice
import numpy as np
import pytest
from aiortc import RTCPeerConnection
from aiortc.rtcrtpreceiver import RemoteStreamTrack
from inboxes import Heard
from scripted_peer import scripted_peer

from voicesim.audio.samples import TICK, TICK_SECONDS
from voicesim.transports import bounded_inbox, media_watch, webrtc
from voicesim.transports.base import Transport
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.openai_webrtc import OpenAIWebRTC
from voicesim.transports.smallwebrtc import SmallWebRTC

pytestmark = pytest.mark.live

SILENCE = np.zeros(TICK, np.int16)


async def send(line: Transport, inbox: Heard, limit: float) -> float:
    """Send ticks until the line ends or the limit is reached; returns how long it took."""
    loop = asyncio.get_running_loop()
    begun = loop.time()
    while not inbox.over and loop.time() - begun < limit:
        line.send(SILENCE)
        await asyncio.sleep(TICK_SECONDS)
    return loop.time() - begun


async def vanish(connection: RTCPeerConnection) -> None:
    """Close the agent's sockets as the death of its process would: without a word."""
    for transceiver in connection.getTransceivers():
        ice = transceiver.receiver.transport.transport._connection
        if ice._query_consent_task is not None:
            ice._query_consent_task.cancel()
        for protocol in ice._protocols:
            protocol.transport.abort()


async def test_an_agent_that_vanishes_is_a_lost_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(media_watch, "LOST_AFTER", 1.0)
    async with scripted_peer() as agent:
        line, inbox = SmallWebRTC(agent.base_url), Heard()
        await line.open(BoundedInbox(inbox))
        await send(line, inbox, 2.5)
        assert inbox.over == []
        await vanish(agent.connections[0])
        took = await send(line, inbox, 6.0)
        await line.close()
    assert inbox.over[0][0] == "line"
    assert "no media" in inbox.over[0][1]
    assert took > 0.8


async def test_an_agent_that_no_longer_answers_is_a_lost_line_without_media_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(media_watch, "LOST_AFTER", 60.0)  # only the connection itself can tell
    monkeypatch.setattr(aioice.ice, "CONSENT_INTERVAL", 0.1)
    async with scripted_peer() as agent:
        line, inbox = SmallWebRTC(agent.base_url), Heard()
        await line.open(BoundedInbox(inbox))
        await vanish(agent.connections[0])
        await send(line, inbox, 10.0)
        await line.close()
    assert inbox.over[0][0] == "line"


@pytest.mark.parametrize("kind", ["openai", "smallwebrtc"])
async def test_an_agent_that_floods_the_data_channel_is_cut_off(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(bounded_inbox, "MESSAGES_AT_ONCE", 100)
    monkeypatch.setattr(bounded_inbox, "MESSAGE_RATE", 1)
    async with scripted_peer(messages=("{}",) * 300) as agent:
        line: Transport = (
            SmallWebRTC(agent.base_url)
            if kind == "smallwebrtc"
            else OpenAIWebRTC("m", base_url=f"{agent.base_url}/v1", key="secret")
        )
        inbox = Heard()
        await line.open(BoundedInbox(inbox))
        await send(line, inbox, 5.0)
        await line.close()
    assert inbox.over[0] == ("line", "the agent sends more than 1 messages a second")


async def test_a_track_that_nobody_wants_fills_no_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    tracks: list[RemoteStreamTrack] = []
    made = webrtc.Peer.__init__

    def with_second_track(peer: webrtc.Peer, *args: Any) -> None:
        made(peer, *args)
        peer.connection.addTransceiver("audio", direction="recvonly")
        peer.connection.on("track", tracks.append)

    monkeypatch.setattr(webrtc.Peer, "__init__", with_second_track)
    async with scripted_peer(tracks=2) as agent:
        line, inbox = SmallWebRTC(agent.base_url), Heard()
        await line.open(BoundedInbox(inbox))
        await send(line, inbox, 3.0)
        waiting = [track._queue.qsize() for track in tracks]
        await line.close()
    # Some 150 frames have come on each of the two, and only one is listened to.
    assert len(waiting) == 2
    assert len(inbox.sound) > 60
    assert max(waiting) < 50
