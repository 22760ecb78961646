"""Whole calls over a real WebSocket whose agent goes: what the recording says of it, and that nothing stays."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import numpy as np
import pytest
from left_over import of_voicesim
from rig import ToneWorkers, make_call, spans
from websockets.asyncio.server import ServerConnection, serve

from voicesim.audio.samples import samples
from voicesim.recording.read import Recording, open_recording
from voicesim.transports import websocket
from voicesim.transports.pcm_ws import PcmSocket

pytestmark = pytest.mark.live

SECOND = np.full(samples(1.0), 8_000, "<i2").tobytes()


async def recorded(folder: Path, agent: Callable[[ServerConnection], Awaitable[None]]) -> Recording:
    """Call an agent, and open what was recorded; no task of the call is left."""
    async with serve(agent, "127.0.0.1", 0) as server:
        before = asyncio.all_tasks()
        line = PcmSocket(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        await make_call(folder, line, workers=ToneWorkers(["Hello."]), max_duration=20.0)
        assert of_voicesim(asyncio.all_tasks() - before) == []
    return open_recording(folder)


async def test_a_peer_that_vanishes_is_a_lost_line_and_no_silent_agent(tmp_path: Path) -> None:
    async def vanish(caller: ServerConnection) -> None:
        await caller.send(SECOND)
        await asyncio.sleep(4.0)
        caller.transport.abort()

    recording = await recorded(tmp_path / "c", vanish)
    assert recording.manifest.end_reason == "line_lost"
    assert recording.manifest.end_detail == "the WebSocket broke off without a closing message"
    assert recording.duration == pytest.approx(4.0, abs=0.5)
    assert len(spans(recording.agent)) == 1
    assert recording.manifest.validity is not None
    assert recording.manifest.validity.reason in {"", "late_harness"}  # on a busy machine we were late ourselves


async def test_an_agent_that_stops_reading_does_not_hold_the_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "PING_INTERVAL", 1.0)

    async def stop_reading(caller: ServerConnection) -> None:
        await caller.send(SECOND)
        for _ in range(150):  # three seconds of the caller
            await caller.recv()
        await asyncio.sleep(20.0)

    recording = await recorded(tmp_path / "c", stop_reading)
    assert recording.manifest.end_reason == "line_lost"
    # A ping every second, as long for its answer, and what still fits into the server's queue.
    assert 3.0 < recording.duration < 9.0
