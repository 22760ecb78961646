"""Plain sound over a WebSocket, in every declared format."""

import asyncio
import base64
import json

import numpy as np
import pytest
from inboxes import Heard, tone
from pydantic import ValidationError
from scripted_socket import Agent, scripted_socket

from voicesim.audio.samples import TICK
from voicesim.catalog.agent_names import parse_agent
from voicesim.catalog.resolve import ChosenAgent
from voicesim.errors import UsageError
from voicesim.recording.events import Unheard
from voicesim.suite.reaching import reach
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.pcm_format import PcmFormat
from voicesim.transports.pcm_ws import PcmAgentFile, PcmSocket, pack, unpack


def line_to(url: str, form: PcmFormat) -> PcmSocket:
    return PcmSocket(url, PcmAgentFile(agent=f"pcm:{url}", pcm=form))


def test_bytes_are_those_of_the_format() -> None:
    pcm = np.array([0, 256, -2], np.int16)
    assert pack(pcm, PcmFormat()) == b"\x00\x00\x00\x01\xfe\xff"
    assert pack(pcm, PcmFormat(channels=2)) == b"\x00\x00\x00\x00\x00\x01\x00\x01\xfe\xff\xfe\xff"
    assert pack(pcm[:1], PcmFormat(sample="mulaw")) == b"\xff"
    floats = pack(np.array([16_384], np.int16), PcmFormat(sample="float32"))
    assert floats == b"\x00\x00\x00\x3f"  # 0.5 as IEEE 754, little end first
    nested = PcmFormat(encoding="base64", json_path="media.chunk", send_with={"type": "in", "media": {"rate": 24_000}})
    message = json.loads(pack(pcm, nested))
    assert message == {"type": "in", "media": {"rate": 24_000, "chunk": base64.b64encode(b"\0\0\0\1\xfe\xff").decode()}}


@pytest.mark.parametrize("sample", ["int16", "float32", "mulaw"])
@pytest.mark.parametrize("channels", [1, 2])
def test_what_is_packed_can_be_unpacked(sample: str, channels: int) -> None:
    form = PcmFormat.model_validate({"sample": sample, "channels": channels})
    data = pack(tone(24_000, 0.02), form)
    assert isinstance(data, bytes)
    error = unpack(data, form).astype(int) - tone(24_000, 0.02)
    # Floats are exact but for scaling by 32767 on one way and 32768 on the other; mu-law errs by half a step.
    assert np.abs(error).max() <= {"int16": 0, "float32": 1, "mulaw": 128}[sample]


def test_channels_are_mixed_and_what_is_no_number_is_silence() -> None:
    assert unpack(np.array([100, 300], "<i2").tobytes(), PcmFormat(channels=2)).tolist() == [200]
    wild = np.array([np.nan, np.inf, -np.inf, 7.0, -7.0], "<f4").tobytes()
    assert unpack(wild, PcmFormat(sample="float32")).tolist() == [0, 0, 0, 32767, -32768]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"rate": 7_999}, "greater than or equal to 8000"),
        ({"rate": 96_000}, "less than or equal to 48000"),
        ({"rate": 22_050, "frame_ms": 10.5}, "frame_ms"),
        ({"rate": 22_050, "frame_ms": 30}, "no whole number of samples"),
        ({"sample": "int24"}, "int16"),
        ({"encoding": "base64"}, "json_path"),
        ({"json_path": "audio"}, "json_path"),
        ({"heard_path": "audio"}, "base64 messages only"),
        ({"channel": 1}, "Extra inputs"),
    ],
)
def test_a_format_that_cannot_be_is_told(wrong: dict[str, object], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        PcmFormat.model_validate(wrong)


FORMATS = [
    PcmFormat(),
    PcmFormat(rate=16_000, frame_ms=100),
    PcmFormat(rate=48_000, sample="float32", channels=2, frame_ms=10),
    PcmFormat(rate=22_050, encoding="base64", json_path="audio", send_with={"type": "audio"}),
    PcmFormat(rate=8_000, sample="mulaw", encoding="base64", json_path="a.b", heard_path="a.b"),
]


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: f"{form.sample}-{form.rate}-{form.encoding}")
async def test_an_agent_that_returns_what_it_gets_is_heard_as_the_caller(form: PcmFormat) -> None:
    """The echo may come in pieces that end anywhere, even in the middle of a sample."""
    sizes = set()

    async def echo(agent: Agent) -> None:
        async for message in agent.socket:
            sizes.add(len(message.data))
            if isinstance(message.data, bytes):
                await agent.socket.send_bytes(message.data[:5])
                await agent.socket.send_bytes(message.data[5:])
            else:
                await agent.socket.send_str('{"type": "status", "audio": null}')
                await agent.socket.send_str(message.data)

    async with scripted_socket(echo) as server:
        line, inbox = line_to(server.url, form), Heard()
        await line.open(BoundedInbox(inbox))
        sound = tone(24_000, 1.0)
        for at in range(0, len(sound), TICK):
            line.send(sound[at : at + TICK])
        # All but what is left of a message of frame_ms, and of the filters.
        await inbox.until(24_000 - 3 * 24 * form.frame_ms)
        await line.close()
    settled = inbox.track()[4_800:].astype(float)
    assert np.argmax(np.abs(np.fft.rfft(settled, 24_000))) == 440  # bins of 1 Hz
    assert np.sqrt(np.mean(settled**2)) == pytest.approx(8_000 / np.sqrt(2), rel=0.02)
    assert inbox.warnings() == []
    if form.encoding == "binary":
        assert sizes == {form.frame * form.channels * {"int16": 2, "float32": 4}[form.sample]}


async def test_a_declared_message_takes_back_what_was_not_heard() -> None:
    async def speak(agent: Agent) -> None:
        await agent.socket.send_bytes(tone(24_000, 5.0).astype("<i2").tobytes())
        await agent.socket.send_str('{"type": "listening"}')
        await asyncio.sleep(0.2)
        await agent.socket.send_str('{"type": "interrupt", "why": "the caller speaks"}')
        await agent.listen()

    form = PcmFormat(clear_when={"type": "interrupt"})
    async with scripted_socket(speak) as server:
        line, inbox = line_to(server.url, form), Heard()
        await line.open(BoundedInbox(inbox))
        await inbox.until(120_000)
        await asyncio.sleep(1.0)
        await line.close()
    assert len(inbox.flushed) == 1
    assert 0.1 < inbox.flushed[0] < 4.0  # of five seconds
    (unheard,) = [event for event in inbox.events if isinstance(event, Unheard)]
    assert unheard.seconds == pytest.approx(5.0 - inbox.flushed[0], abs=0.05)


async def test_sound_in_the_other_framing_is_told_once() -> None:
    async def babble(agent: Agent) -> None:
        for _ in range(3):
            await agent.socket.send_bytes(b"\0" * 960)
            await agent.socket.send_str('{"audio": 5}')
        await agent.socket.close()

    form = PcmFormat(encoding="base64", json_path="audio")
    async with scripted_socket(babble) as server:
        line, inbox = line_to(server.url, form), Heard()
        await line.open(BoundedInbox(inbox))
        await inbox.ended_within(2.0)
        await line.close()
    assert inbox.warnings() == [
        "the agent sent a binary message where its format has JSON",
        "the agent sent no base64 at 'audio'",
    ]
    assert not inbox.sound


async def test_an_agent_file_decides_format_and_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_TOKEN", "open sesame")
    async with scripted_socket(Agent.listen) as server:
        settings = PcmAgentFile.model_validate(
            {
                "agent": f"pcm:{server.url}",
                "pcm": {"rate": 8_000, "sample": "mulaw", "frame_ms": 40},
                "headers": {"X-Token": {"env": "MY_TOKEN"}},
            }
        )
        async with reach(ChosenAgent("mine", parse_agent(settings.agent), settings)) as new_line:
            line = new_line()
            await line.open(BoundedInbox(Heard()))
            for _ in range(2):
                line.send(np.zeros(TICK, np.int16))
            await asyncio.sleep(0.2)
            await line.close()
        (agent,) = server.agents
    assert agent.got == [b"\xff" * 320]  # two ticks, 40 ms of silence at 8,000 Hz
    assert agent.request.headers["X-Token"] == "open sesame"


def test_what_is_no_websocket_url_is_told() -> None:
    with pytest.raises(UsageError, match="needs a ws or wss URL, such as pcm:ws://localhost:8765/ws"):
        PcmSocket("https://localhost")


@pytest.mark.parametrize("form", [PcmFormat(), PcmFormat(encoding="base64", json_path="audio")])
async def test_sound_at_a_path_that_is_not_declared_is_told(form: PcmFormat) -> None:
    sound = base64.b64encode(tone(24_000, 0.02).astype("<i2").tobytes()).decode()

    async def speak(agent: Agent) -> None:
        await agent.socket.send_str(json.dumps({"type": "status", "text": "hello"}))
        for _ in range(3):
            await agent.socket.send_str(json.dumps({"type": "audio", "media": {"chunk": sound}}))
        await agent.socket.close()

    async with scripted_socket(speak) as server:
        line, inbox = line_to(server.url, form), Heard()
        await line.open(BoundedInbox(inbox))
        await inbox.ended_within(2.0)
        await line.close()
    assert inbox.warnings() == [
        "the agent seems to send sound as base64 at 'media.chunk' of a JSON object, which is not declared"
    ]
