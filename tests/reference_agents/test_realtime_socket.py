"""The realtime agent over WebSocket: sound in events both ways, ahead of time; the client says what it played."""

import asyncio
import json
import typing
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from aiohttp import ClientWebSocketResponse, WSMsgType
from aiohttp.test_utils import TestClient, TestServer
from openai.types.realtime import RealtimeServerEvent
from speechlike import placed

from voicesim.audio.g711 import decode, encode
from voicesim.audio.samples import RATE, TICK, Pcm, Wave, blocks, to_pcm
from voicesim.reference_agents.brain import Reply
from voicesim.reference_agents.realtime import call, socket_call
from voicesim.reference_agents.realtime.ahead import SentAhead
from voicesim.reference_agents.realtime.dialogue import Parts
from voicesim.reference_agents.realtime.playout import WIRE_RATE
from voicesim.reference_agents.realtime.refusal import ProtocolError
from voicesim.reference_agents.realtime.server import RealtimeServer
from voicesim.reference_agents.realtime.session import MuLawFormat, PcmFormat
from voicesim.reference_agents.realtime.wire import Incoming, pieces

KEY = {"Authorization": "Bearer anything"}
MULAW = MuLawFormat(type="audio/pcmu")


class Brain:
    """Greets with four sentences of a second each, answers once, says goodbye."""

    def __init__(self) -> None:
        self.cut: list[str] = []
        self.replies = [Reply("Yes."), Reply("Goodbye.", done=True)]

    def greet(self) -> str | None:
        return "One. Two. Three. Four."

    async def reply(self, heard: str) -> Reply:
        return self.replies.pop(0)

    def interrupted(self, spoken: str) -> None:
        self.cut.append(spoken)


class Client:
    """A WebSocket client that keeps every event."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self.socket = socket
        self.events: list[dict[str, Any]] = []

    async def tell(self, **event: Any) -> None:
        await self.socket.send_json(event)

    async def hear(self, wave: Wave) -> None:
        """Send sound as fast as it goes."""
        for block in blocks(to_pcm(wave)):
            await self.tell(type="input_audio_buffer.append", audio=b64encode(block.tobytes()).decode())

    async def got(self, kind: str) -> dict[str, Any]:
        """The next event of a kind."""
        async with asyncio.timeout(20):
            while True:
                message = await self.socket.receive()
                assert message.type is WSMsgType.TEXT, f"closed before {kind}; got {self.types()}"
                event: dict[str, Any] = json.loads(message.data)
                self.events.append(event)
                if event["type"] == kind:
                    return event

    def types(self) -> list[str]:
        return [event["type"] for event in self.events]

    def sound(self) -> bytes:
        deltas = [event["delta"] for event in self.events if event["type"] == "response.output_audio.delta"]
        return b"".join(b64decode(delta) for delta in deltas)


@pytest.fixture
async def brain() -> Brain:
    return Brain()


@pytest.fixture
async def http(brain: Brain, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[TestClient[Any, Any]]:
    monkeypatch.setattr(socket_call, "GREET_AFTER", 0.0)
    monkeypatch.setattr(call, "LINGER", 0.1)
    second: Callable[[str], Pcm] = lambda _: np.full(WIRE_RATE, 1000, np.int16)  # noqa: E731
    with ThreadPoolExecutor(1) as workers:
        server = RealtimeServer(Parts(lambda: brain, lambda _: "words", second, workers, workers))
        async with TestClient(TestServer(server.app())) as client:
            yield client
        await server.close()


@pytest.fixture
async def client(http: TestClient[Any, Any]) -> AsyncIterator[Client]:
    async with http.ws_connect("/v1/realtime?model=mine", headers=KEY) as socket:
        yield Client(socket)


async def test_a_reply_is_sent_faster_than_it_is_heard_in_the_protocols_order(client: Client) -> None:
    begun = asyncio.get_running_loop().time()
    await client.got("response.done")
    assert asyncio.get_running_loop().time() - begun < 3.0  # four seconds of speech
    assert len(client.sound()) == 4 * 2 * RATE
    kinds = [one for n, one in enumerate(client.types()) if n == 0 or client.types()[n - 1] != one]
    sentence = ["response.output_audio.delta", "response.output_audio_transcript.delta"]
    assert kinds == [
        "session.created",
        "response.created",
        "response.output_item.added",
        "conversation.item.added",
        "response.content_part.added",
        *(4 * sentence),
        "response.output_audio.done",
        "response.output_audio_transcript.done",
        "response.content_part.done",
        "response.output_item.done",
        "conversation.item.done",
        "response.done",
    ]
    assert client.events[0]["session"]["model"] == "mine"


async def test_every_event_has_the_published_shape(client: Client) -> None:
    union = typing.get_args(RealtimeServerEvent)[0]
    known = {typing.get_args(one.model_fields["type"].annotation)[0]: one for one in typing.get_args(union)}
    done = await client.got("response.done")
    item = done["response"]["output"][0]["id"]
    await client.tell(type="conversation.item.truncate", item_id=item, content_index=0, audio_end_ms=100)
    await client.got("conversation.item.truncated")
    for event in client.events:
        model = known[event["type"]]
        model.model_validate(event)
        assert set(event) <= set(model.model_fields), event["type"]


async def test_the_client_says_what_it_played_and_the_brain_believes_it(client: Client, brain: Brain) -> None:
    done = await client.got("response.done")
    item = done["response"]["output"][0]["id"]
    await client.hear(placed(0.8, (0.1, 0.8)))
    await client.got("input_audio_buffer.speech_started")
    # Two sentences of 1 s, of which the last 0.3 s are a pause, were played; the third was not.
    await client.tell(type="conversation.item.truncate", item_id=item, content_index=0, audio_end_ms=1_800)
    truncated = await client.got("conversation.item.truncated")
    assert (truncated["item_id"], truncated["audio_end_ms"]) == (item, 1_800)
    assert brain.cut[-1] == "One. Two."
    assert "output_audio_buffer.cleared" not in client.types()


@pytest.mark.parametrize(
    ("item", "end", "told"), [("item_x", 10, "no item 'item_x'"), (None, 4_001, "4000 ms of sound")]
)
async def test_a_truncation_that_cannot_be_is_refused(client: Client, item: str | None, end: int, told: str) -> None:
    done = await client.got("response.done")
    named = item or done["response"]["output"][0]["id"]
    await client.tell(type="conversation.item.truncate", item_id=named, content_index=0, audio_end_ms=end)
    error = await client.got("error")
    assert told in error["error"]["message"]


async def test_a_turn_is_heard_answered_and_the_goodbye_ends_the_call(client: Client) -> None:
    await client.got("response.done")
    for word in ("Yes.", "Goodbye."):
        await client.hear(placed(2.6, (0.4, 1.4)))
        done = await client.got("response.output_audio_transcript.done")
        assert done["transcript"] == word
    async with asyncio.timeout(10):
        while (message := await client.socket.receive()).type is WSMsgType.TEXT:
            pass
    assert message.type in {WSMsgType.CLOSE, WSMsgType.CLOSED}
    assert client.socket.close_code == 1000


async def test_a_telephone_session_hears_and_speaks_mulaw(client: Client) -> None:
    await client.got("response.done")
    client.events.clear()
    session = {"type": "realtime", "audio": {"input": {"format": {"type": "audio/pcmu"}}}}
    session["audio"]["output"] = {"format": {"type": "audio/pcmu"}}  # type: ignore[index]
    await client.tell(type="session.update", session=session)
    updated = await client.got("session.updated")
    assert updated["session"]["audio"]["output"]["format"] == {"type": "audio/pcmu"}
    question = to_pcm(placed(2.7, (0.4, 1.4)))[::3]
    for block in blocks(question, TICK // 3):
        await client.tell(type="input_audio_buffer.append", audio=b64encode(encode(block).tobytes()).decode())
    await client.got("response.done")
    sound = decode(np.frombuffer(client.sound(), np.uint8))
    assert len(sound) == 8_000
    assert abs(int(np.median(sound)) - 1000) < 40  # a step of mu-law at this level is 32


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({}, 401, "invalid_api_key"),
        ({**KEY, "OpenAI-Beta": "realtime=v1"}, 400, "beta_api_shape_disabled"),
        (KEY, 400, "invalid_request"),
    ],
)
async def test_what_gets_no_upgrade_is_told_why(
    http: TestClient[Any, Any], headers: dict[str, str], status: int, code: str
) -> None:
    async with http.get("/v1/realtime", headers=headers) as response:
        assert (response.status, (await response.json())["error"]["code"]) == (status, code)


async def test_binary_messages_and_sound_that_is_no_base64_are_refused_and_the_call_goes_on(client: Client) -> None:
    await client.socket.send_bytes(b"\x00")
    assert (await client.got("error"))["error"]["code"] == "invalid_json"
    await client.tell(type="input_audio_buffer.append", audio="?")
    assert (await client.got("error"))["error"]["param"] == "audio"
    await client.got("response.done")


async def test_a_client_that_vanishes_leaves_nothing_behind(http: TestClient[Any, Any]) -> None:
    before = asyncio.all_tasks()
    socket = await http.ws_connect("/v1/realtime", headers=KEY)
    await socket.receive()
    await socket.close()
    await asyncio.sleep(0.3)
    assert {task for task in asyncio.all_tasks() - before if "realtime" in repr(task)} == set()


async def test_sound_sent_ahead_is_played_at_the_pace_of_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [10.0]
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now[0])
    mouth = SentAhead(PcmFormat)
    mouth.begin()
    mouth.put(np.zeros(2 * WIRE_RATE, np.int16))
    now[0] = 11.5
    assert (mouth.played, mouth.waiting) == (1.5, 0.5)
    mouth.begin()  # the next reply begins where this one ends
    mouth.put(np.zeros(WIRE_RATE, np.int16))
    assert (mouth.played, mouth.waiting) == (0.0, 1.5)
    now[0] = 12.25
    mouth.clear()
    assert (mouth.played, mouth.waiting) == (0.25, 0.0)
    now[0] = 20.0
    assert mouth.played == 0.25


def test_events_carry_sound_whole_in_either_format() -> None:
    tone = np.rint(8000 * np.sin(2 * np.pi * 440 * np.arange(WIRE_RATE) / WIRE_RATE)).astype(np.int16)
    for format_, length in ((PcmFormat(), 2 * RATE), (MULAW, 8_000)):
        assert len(b"".join(b64decode(one) for one in pieces(tone, format_))) == length
    incoming = Incoming()
    for one in pieces(tone, PcmFormat()):
        assert len(incoming.feed(one, PcmFormat())) == RATE // 10
    with pytest.raises(ProtocolError):
        incoming.feed("?", MULAW)
