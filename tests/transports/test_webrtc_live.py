"""Real WebRTC on this machine: what is placed where, and how a line that fails says so."""

import asyncio
import json
from pathlib import Path

import numpy as np
import pytest
from scripted_peer import BlocksTrack, scripted_peer

from voicesim.audio.samples import TICK, Pcm
from voicesim.errors import TransportError
from voicesim.recording.read import open_recording
from voicesim.testing import PLAIN, make_call
from voicesim.transports.base import Transport
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.openai_webrtc import OpenAIWebRTC
from voicesim.transports.smallwebrtc import SmallWebRTC

pytestmark = pytest.mark.live


class Box:
    """Keeps what comes, with the loop time of its arrival."""

    def __init__(self) -> None:
        self.sound: list[tuple[float, Pcm, float]] = []
        self.over: list[tuple[str, str]] = []
        self.events: list[object] = []

    def now(self) -> float:
        return 0.0

    def audio(self, pcm: Pcm, media: float | None = None) -> float | None:
        assert media is not None
        self.sound.append((asyncio.get_running_loop().time(), pcm, media))
        return None

    def flush(self) -> None:
        raise AssertionError("WebRTC never sends ahead")

    def event(self, event: object) -> None:
        self.events.append(event)

    def ended(self, by: str, detail: str) -> None:
        self.over.append((by, detail))


async def talk(line: Transport, seconds: float, tone: tuple[float, float]) -> None:
    """Send silence with one stretch of 440 Hz, paced by the loop's clock."""
    loop = asyncio.get_running_loop()
    start = loop.time()
    for tick in range(round(seconds / 0.02)):
        n = np.arange(tick * TICK, (tick + 1) * TICK)
        loud = (n >= tone[0] * 24_000) & (n < tone[1] * 24_000)
        line.send(np.where(loud, 8000 * np.sin(2 * np.pi * 440 * n / 24_000), 0).astype(np.int16))
        await asyncio.sleep(max(0.0, start + (tick + 1) * 0.02 - loop.time()))


@pytest.mark.parametrize("kind", ["openai", "smallwebrtc"])
async def test_a_tone_goes_there_and_an_answer_comes_back(kind: str) -> None:
    async with scripted_peer(delay=0.4) as peer:
        line: Transport = (
            OpenAIWebRTC("m", base_url=f"{peer.base_url}/v1", key="secret")
            if kind == "openai"
            else SmallWebRTC(peer.base_url)
        )
        box = Box()
        await line.open(BoundedInbox(box))
        await talk(line, 3.0, (0.5, 1.0))
        await line.close()
        await line.close()  # hanging up twice is fine
    track = np.concatenate([pcm for _, pcm, _ in box.sound])
    media = np.array([at for _, _, at in box.sound])
    assert np.allclose(np.diff(media), 0.02, atol=1e-9)  # media time is exact to the frame
    loud = np.flatnonzero(np.abs(track) > 1000)
    assert (loud[-1] - loud[0]) / 24_000 == pytest.approx(1.0, abs=0.02)
    assert box.over == []
    if kind == "openai":
        assert peer.requests[0]["key"] == "Bearer secret"
        session = json.loads(peer.requests[0]["session"])
        assert session["type"] == "realtime"
        assert session["model"] == "m"


async def test_the_session_of_a_client_secret_stays_as_it_was_configured() -> None:
    async with scripted_peer() as peer:
        line = OpenAIWebRTC("m", base_url=f"{peer.base_url}/v1", key="ek_secret")
        await line.open(BoundedInbox(Box()))
        await line.close()
    assert peer.requests[0]["key"] == "Bearer ek_secret"
    assert "session" not in peer.requests[0]


async def test_an_agent_that_hangs_up_is_told_as_such() -> None:
    async with scripted_peer(hang_up_after=1.0) as peer:
        line, box = SmallWebRTC(peer.base_url), Box()
        await line.open(BoundedInbox(box))
        for _ in range(200):
            if box.over:
                break
            await asyncio.sleep(0.02)
        await line.close()
    assert box.over[0][0] == "agent"


@pytest.mark.parametrize("jumping", [False, True])
async def test_an_agent_that_sends_only_while_it_speaks_is_recorded_when_it_spoke(
    tmp_path: Path, jumping: bool
) -> None:
    # Nothing at all for the first 2.5 s, and between 4.5 and 7.5 s.
    track = BlocksTrack(((2.5, 4.5), (7.5, 9.5)), jumping=jumping)
    async with scripted_peer(track=track) as peer:
        turn_taking = PLAIN.model_copy(update={"opening_wait": 20.0, "patience": 20.0, "end_of_turn": 4.0})
        await make_call(tmp_path / "call", SmallWebRTC(peer.base_url), turn_taking=turn_taking, max_duration=11.0)
    recording = open_recording(tmp_path / "call")
    loud = np.abs(recording.agent.astype(np.int32)) > 2000
    ticks = np.flatnonzero([tick.any() for tick in loud[: len(loud) // 120 * 120].reshape(-1, 120)]) * 0.005
    begins = [ticks[0], *ticks[1:][np.diff(ticks) > 0.1]]
    ends = [*ticks[:-1][np.diff(ticks) > 0.1], ticks[-1]]
    assert np.subtract(begins, begins[0]) == pytest.approx([0, 5.0], abs=0.03)
    assert np.subtract(ends, begins) == pytest.approx([2.0, 2.0], abs=0.03)
    assert begins[0] == pytest.approx(2.5, abs=0.15)  # its track starts a little after the connection stands


async def test_a_refused_call_names_the_address_and_keeps_the_key() -> None:
    async with scripted_peer(status=401) as peer:
        line = OpenAIWebRTC("m", base_url=f"{peer.base_url}/v1", key="very-secret")
        with pytest.raises(TransportError, match="refused the call: HTTP 401") as error:
            await line.open(BoundedInbox(Box()))
        assert peer.base_url in str(error.value)
        assert "very-secret" not in str(error.value)
        with pytest.raises(TransportError, match="refused the call: HTTP 401"):
            await SmallWebRTC(peer.base_url).open(BoundedInbox(Box()))


async def test_nobody_at_the_address_is_told() -> None:
    with pytest.raises(TransportError, match=r"no agent answers at http://127\.0\.0\.1:9/"):
        await OpenAIWebRTC("m", base_url="http://127.0.0.1:9/v1", key="k").open(BoundedInbox(Box()))
    with pytest.raises(TransportError, match=r"no agent answers at http://127\.0\.0\.1:9/api/offer"):
        await SmallWebRTC("http://127.0.0.1:9").open(BoundedInbox(Box()))


async def test_an_answer_that_is_no_sdp_is_told() -> None:
    async with scripted_peer(answer="hello") as peer:
        line = OpenAIWebRTC("m", base_url=f"{peer.base_url}/v1", key="k")
        with pytest.raises(TransportError, match="SDP answer cannot be used"):
            await line.open(BoundedInbox(Box()))
