"""Twilio's side of a Media Stream, as an agent sees it."""

import asyncio
import base64
import json
from typing import Any

import numpy as np
import pytest
from inboxes import Heard, tone
from scripted_socket import Agent, scripted_socket

from voicesim.audio.g711 import decode, encode
from voicesim.audio.samples import TICK, Pcm
from voicesim.errors import TransportError, UsageError
from voicesim.transports.base import ConnectionStats
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.twilio import STRAY, Twilio, TwilioAgentFile

SILENCE = np.zeros(TICK, np.int16)


def media(codes: bytes) -> str:
    return json.dumps({"event": "media", "streamSid": "MZ", "media": {"payload": base64.b64encode(codes).decode()}})


def mark(name: str) -> str:
    return json.dumps({"event": "mark", "streamSid": "MZ", "mark": {"name": name}})


CLEAR = json.dumps({"event": "clear", "streamSid": "MZ"})


def told(inbox: Heard) -> list[str]:
    """The warnings, but for that these scripts never learn the stream's own id."""
    return [one for one in inbox.warnings() if one != STRAY]


def events(agent: Agent, kind: str) -> list[dict[str, Any]]:
    read = [json.loads(message) for message in agent.got]
    return [message for message in read if message["event"] == kind]


async def talk(line: Twilio, duration: float, sound: Pcm | None = None) -> None:
    """Send ticks at their deadlines: silence, or a sound from its beginning."""
    loop = asyncio.get_running_loop()
    start = loop.time()
    padded = np.zeros(round(duration * 50) * TICK, np.int16)
    if sound is not None:
        padded[: len(sound)] = sound
    for tick, at in enumerate(range(0, len(padded), TICK)):
        line.send(padded[at : at + TICK])
        await asyncio.sleep(max(0.0, start + (tick + 1) * 0.02 - loop.time()))


async def test_a_stream_begins_runs_and_stops_as_documented() -> None:
    async with scripted_socket(Agent.listen) as server:
        stream = {
            "parameters": {"patient": {"value": "andi"}},
            "press": [{"key": "5", "at": 0.1}, {"key": "#", "at": 0}],
        }
        file = {"agent": f"twilio:{server.url}", "headers": {"X-Test": {"value": "yes"}}, "twilio": stream}
        line = Twilio(server.url, TwilioAgentFile.model_validate(file))
        await line.open(BoundedInbox(Heard()))
        await talk(line, 0.2)
        await asyncio.sleep(0.1)
        await line.close()
        await line.close()  # hanging up twice is fine
        (agent,) = server.agents
        await asyncio.sleep(0.1)
    read = [json.loads(message) for message in agent.got]
    assert [one["event"] for one in read] == [
        "connected",
        "start",
        "dtmf",
        *["media"] * 5,
        "dtmf",
        *["media"] * 5,
        "stop",
    ]
    assert read[0] == {"event": "connected", "protocol": "Call", "version": "1.0.0"}
    start = read[1]["start"]
    assert start["mediaFormat"] == {"encoding": "audio/x-mulaw", "sampleRate": 8000, "channels": 1}
    assert start["tracks"] == ["inbound"]
    assert start["customParameters"] == {"patient": "andi"}
    assert start["accountSid"].startswith("AC")
    assert start["callSid"].startswith("CA")
    assert {one["streamSid"] for one in read[1:]} == {start["streamSid"]}
    assert [one["sequenceNumber"] for one in read[1:]] == [str(n) for n in range(1, 15)]
    sound = [one["media"] for one in read if one["event"] == "media"]
    assert [one["chunk"] for one in sound] == [str(n) for n in range(1, 11)]
    assert [one["timestamp"] for one in sound] == [str(20 * n) for n in range(10)]
    assert {one["track"] for one in sound} == {"inbound"}
    assert [base64.b64decode(one["payload"]) for one in sound] == [b"\xff" * 160] * 10  # silence in mu-law
    assert read[2]["dtmf"] == {"track": "inbound_track", "digit": "#"}
    assert read[8]["dtmf"] == {"track": "inbound_track", "digit": "5"}
    assert read[-1]["stop"] == {"accountSid": start["accountSid"], "callSid": start["callSid"]}
    assert agent.request.headers["X-Test"] == "yes"


async def test_sound_keeps_its_pitch_and_level_both_ways() -> None:
    async def speak(agent: Agent) -> None:
        for at in range(0, 8_000, 333):  # in pieces of any size
            await agent.socket.send_str(media(encode(tone(8_000, 1.0)[at : at + 333]).tobytes()))
        await agent.listen()

    async with scripted_socket(speak) as server:
        line, inbox = Twilio(server.url), Heard()
        await line.open(BoundedInbox(inbox))
        await talk(line, 1.0, tone(24_000, 1.0))
        await inbox.until(24_000)
        await line.close()
    payloads = [base64.b64decode(one["media"]["payload"]) for one in events(server.agents[0], "media")]
    there = decode(np.frombuffer(b"".join(payloads), np.uint8))
    for got, rate in ((there, 8_000), (inbox.track(), 24_000)):
        assert len(got) == rate
        settled = got[rate // 4 :].astype(float)
        assert np.argmax(np.abs(np.fft.rfft(settled, rate))) == 440  # bins of 1 Hz
        assert np.sqrt(np.mean(settled**2)) == pytest.approx(8_000 / np.sqrt(2), rel=0.02)
    assert told(inbox) == []


async def test_a_mark_comes_back_when_the_sound_before_it_was_heard() -> None:
    returned: dict[str, float] = {}

    async def speak(agent: Agent) -> None:
        loop = asyncio.get_running_loop()
        await agent.socket.send_str(mark("before"))
        for _ in range(50):  # one second of sound at once
            await agent.socket.send_str(media(encode(tone(8_000, 0.02)).tobytes()))
        await agent.socket.send_str(mark("after"))
        sent = loop.time()
        async for message in agent.socket:
            content = json.loads(message.data)
            if content["event"] == "mark":
                returned[content["mark"]["name"]] = loop.time() - sent

    async with scripted_socket(speak) as server:
        line = Twilio(server.url)
        await line.open(BoundedInbox(Heard()))
        await talk(line, 1.6)
        await line.close()
    assert returned["before"] < 1.0 <= returned["after"]


async def test_clear_flushes_what_was_not_heard_and_returns_its_marks() -> None:
    returned: list[tuple[str, float]] = []

    async def speak(agent: Agent) -> None:
        loop = asyncio.get_running_loop()
        await agent.socket.send_str(media(encode(tone(8_000, 10.0)).tobytes()))
        await agent.socket.send_str(mark("one"))
        await agent.socket.send_str(mark("two"))
        await asyncio.sleep(0.3)
        await agent.socket.send_str(CLEAR)
        cleared = loop.time()
        await agent.socket.send_str(mark("three"))
        async for message in agent.socket:
            content = json.loads(message.data)
            if content["event"] == "mark":
                returned.append((content["mark"]["name"], loop.time() - cleared))

    async with scripted_socket(speak) as server:
        line, inbox = Twilio(server.url), Heard()
        await line.open(BoundedInbox(inbox))
        await talk(line, 1.0)
        await line.close()
    assert [name for name, _ in returned] == ["one", "two", "three"]
    assert max(after for _, after in returned) < 8.0  # and not after ten seconds
    assert len(inbox.flushed) == 1


async def test_ten_seconds_sent_at_once_are_heard_for_ten_seconds() -> None:
    async def speak(agent: Agent) -> None:
        for _ in range(40):
            await agent.socket.send_str(media(encode(tone(8_000, 0.25)).tobytes()))
            await asyncio.sleep(0.01)
        await agent.listen()

    async with scripted_socket(speak) as server:
        line, inbox = Twilio(server.url), Heard()
        await line.open(BoundedInbox(inbox))
        await inbox.until(240_000)
        assert inbox.now() < 5.0
        await line.close()
    first = inbox.sound[0][0]
    assert inbox.end - first == pytest.approx(10.0, abs=1e-6)


async def test_pcm_sent_as_mulaw_ends_the_line_and_loud_mulaw_does_not() -> None:
    async def speak(agent: Agent) -> None:
        for _ in range(50):
            await agent.socket.send_str(media(tone(8_000, 0.02).astype("<i2").tobytes()))
        await agent.listen()

    async def shout(agent: Agent) -> None:
        loud = np.random.default_rng(1).normal(0, 12_000, 16_000)
        codes = encode(np.clip(loud, -32_768, 32_767).astype(np.int16)).tobytes()
        for at in range(0, len(codes), 160):
            await agent.socket.send_str(media(codes[at : at + 160]))
        await agent.listen()

    ends = []
    for script, count in ((speak, 48_000), (shout, 48_000)):
        async with scripted_socket(script) as server:
            line, inbox = Twilio(server.url), Heard()
            await line.open(BoundedInbox(inbox))
            await inbox.until(count)
            await line.close()
        ends.append(inbox.over)
        assert told(inbox) == []
    ((by, why),) = ends[0]
    assert (by, "it looks like 16-bit PCM" in why) == ("line", True)
    assert ends[1] == []


JUNK: list[str | bytes] = [
    b"\x00\x01",
    "{not json",
    "[" * 100_000,
    '"text"',
    '{"event": "dtmf"}',
    '{"event": ["media"]}',
    '{"event": "mark"}',
    '{"event": "mark", "mark": {"name": 5}}',
    '{"event": "media"}',
    '{"event": "media", "media": "x"}',
    '{"event": "media", "media": {"payload": "not base64!"}}',
    '{"event": "media", "media": {"payload": "\u00e9"}}',
]


async def test_what_twilio_would_not_take_is_told_once_and_does_no_harm() -> None:
    async def babble(agent: Agent) -> None:
        for message in JUNK * 3:
            await (agent.socket.send_bytes(message) if isinstance(message, bytes) else agent.socket.send_str(message))
        await agent.socket.send_str(media(encode(tone(8_000, 0.1)).tobytes()))
        await agent.listen()

    async with scripted_socket(babble) as server:
        line, inbox = Twilio(server.url), Heard()
        await line.open(BoundedInbox(inbox))
        await inbox.until(2_400)
        await line.close()
    assert [message.partition(":")[0] for message in told(inbox)] == [
        "the agent sent a message that Twilio does not take",
        "the agent sent a message of more than 20,000 parts; not read",
        "the agent sent media without base64 sound in media.payload",
    ]
    assert inbox.over == []


async def test_an_agent_that_closes_is_heard_to_its_end_first() -> None:
    async def speak(agent: Agent) -> None:
        await agent.socket.send_str(media(encode(tone(8_000, 2.0)).tobytes()))
        await agent.socket.close()

    async with scripted_socket(speak) as server:
        line, inbox = Twilio(server.url), Heard()
        await line.open(BoundedInbox(inbox))
        await talk(line, 0.5)
        assert inbox.over == []
        await talk(line, 2.0)
        assert inbox.over == [("agent", "the agent closed the WebSocket")]
        await line.close()


async def test_the_wire_can_be_asked_while_it_is_open() -> None:
    async def speak(agent: Agent) -> None:
        await agent.socket.send_str(media(encode(tone(8_000, 0.1)).tobytes()))
        await agent.listen()

    async with scripted_socket(speak) as server:
        line, inbox = Twilio(server.url), Heard()
        with pytest.raises(TransportError, match="is not connected"):
            await line.stats()
        await line.open(BoundedInbox(inbox))
        await inbox.until(2_400)
        facts = await line.stats()
        await line.close()
    assert (facts.codec, facts.wire_rate, facts.packets) == ("PCMU/8000", 8_000, 1)
    assert facts.round_trip is not None
    assert 0.0 < facts.round_trip < 5.0


async def test_a_wire_that_the_agent_has_ended_is_still_described() -> None:
    async def leave(agent: Agent) -> None:
        await agent.socket.send_str(media(encode(tone(8_000, 0.1)).tobytes()))
        await agent.socket.close()

    async with scripted_socket(leave) as server:
        line, inbox = Twilio(server.url), Heard()
        await line.open(BoundedInbox(inbox))
        await inbox.until(2_400)
        await asyncio.sleep(0.1)
        assert await line.stats() == ConnectionStats("PCMU/8000", 8_000, None, 1, 0)
        await line.close()


async def test_a_refused_call_tells_the_address_without_its_secrets() -> None:
    async with scripted_socket(Agent.listen, status=403) as server:
        secret = server.url.replace("ws://", "ws://me:hunter2@") + "?token=hunter3"
        with pytest.raises(TransportError, match="refused the call: HTTP 403") as error:
            await Twilio(secret).open(BoundedInbox(Heard()))
    assert server.url in str(error.value)
    assert "hunter" not in str(error.value)
    assert "hunter" not in Twilio(secret).name
    with pytest.raises(TransportError, match=r"no agent answers at ws://127\.0\.0\.1:9/ws"):
        await Twilio("ws://127.0.0.1:9/ws").open(BoundedInbox(Heard()))


async def test_what_a_server_says_when_it_refuses_is_told() -> None:
    words = "no tenant for\n  /ws?token=hunter2hunter2 " + "x" * 1_000
    async with scripted_socket(Agent.listen, status=404, words=words) as server:
        with pytest.raises(TransportError) as error:
            await Twilio(f"{server.url}?token=hunter2hunter2").open(BoundedInbox(Heard()))
    assert "refused the call: HTTP 404: no tenant for /ws?[removed] xxx" in str(error.value)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(("status", "words", "told"), [(200, "hi", "is no WebSocket$"), (404, "<html>", "HTTP 404$")])
async def test_a_web_page_is_no_reason(status: int, words: str, told: str) -> None:
    async with scripted_socket(Agent.listen, status=status, words=words) as server:
        with pytest.raises(TransportError, match=told):
            await Twilio(server.url).open(BoundedInbox(Heard()))


async def test_a_server_of_another_kind_is_told_with_a_reason() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(b"SSH-2.0-here\r\n")
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        with pytest.raises(TransportError, match=r"no WebSocket server: .*SSH-2.0-here"):
            await Twilio(f"ws://127.0.0.1:{port}/").open(BoundedInbox(Heard()))
        with pytest.raises(TransportError, match=r"no agent answers at .*: \S+"):
            await Twilio(f"wss://127.0.0.1:{port}/").open(BoundedInbox(Heard()))


async def test_messages_without_the_streams_id_are_told_once() -> None:
    async def speak(agent: Agent) -> None:
        stream = json.loads((await agent.socket.receive()).data) and json.loads((await agent.socket.receive()).data)
        sound = json.loads(media(encode(tone(8_000, 0.1)).tobytes()))
        await agent.socket.send_str(json.dumps(sound | {"streamSid": stream["streamSid"]}))
        for _ in range(2):
            await agent.socket.send_str(json.dumps(sound | {"streamSid": "MZ0"}))
        await agent.listen()

    async with scripted_socket(speak) as server:
        line, inbox = Twilio(server.url), Heard()
        await line.open(BoundedInbox(inbox))
        await inbox.until(3 * 2_400)
        await line.close()
    assert inbox.warnings() == [STRAY]


def test_what_is_no_websocket_url_is_told() -> None:
    for url in ("http://localhost:8765", "localhost:8765", "ws://"):
        with pytest.raises(UsageError, match="needs a ws or wss URL"):
            Twilio(url)
