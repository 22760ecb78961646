"""Twilio Media Streams, with voicesim in the place of Twilio: it calls the agent's WebSocket and is the telephone.

Messages after https://www.twilio.com/docs/voice/media-streams/websocket-messages (bidirectional streams).
"""

import base64
import json
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import numpy as np
from pydantic import Field

from voicesim.audio.format_check import FormatCheck
from voicesim.audio.g711 import decode, encode
from voicesim.audio.resampling import StreamResampler
from voicesim.audio.samples import RATE, TICK_SECONDS, Pcm, blocks, samples
from voicesim.catalog.agent_file import AgentFile, Header
from voicesim.catalog.entry import Entry
from voicesim.transports.base import ConnectionStats
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.endpoint import header_values
from voicesim.transports.messages import read_base64, read_object
from voicesim.transports.playout import PlayOut
from voicesim.transports.spec import SelfTest, TransportSpec
from voicesim.transports.websocket import Message, WebSocketClient

WIRE_RATE = 8_000
SLICE = WIRE_RATE
"""Samples that are converted at a time, so that a long message does not hold up the call."""
STRAY = "the agent's messages lack the streamSid of `start`; Twilio may not take them"
ACCOUNT = "AC" + "0" * 32


class KeyPress(Entry):
    """The caller presses a key of the telephone `at` so many seconds of the call: for a menu before the agent."""

    key: str = Field(pattern=r"^[0-9*#]$")
    at: float = Field(ge=0, le=600)


class TwilioStream(Entry):
    """What `<Parameter>` gives a Twilio stream (its customParameters), each like a header; and what is pressed."""

    parameters: dict[str, Header] = Field(default_factory=dict)
    press: tuple[KeyPress, ...] = ()


class TwilioAgentFile(AgentFile):
    """An agent file with what a stream begins with."""

    twilio: TwilioStream = TwilioStream()

    def variables(self) -> Iterator[str]:
        yield from super().variables()
        yield from (header.env for header in self.twilio.parameters.values() if header.env)


class Twilio:
    """An agent that expects Twilio's WebSocket, such as a Pipecat bot on its TwilioFrameSerializer."""

    receive_delay = 0.0

    def __init__(self, url: str, settings: AgentFile | None = None) -> None:
        """Raises UsageError as `WebSocketClient` does, and when a parameter's environment variable is not set."""
        settings = settings or AgentFile.model_construct(agent=f"twilio:{url}")
        stream = settings.twilio if isinstance(settings, TwilioAgentFile) else TwilioStream()
        self._socket = WebSocketClient(url, "twilio", settings)
        self.name = f"twilio:{self._socket.shown}"
        self._parameters = header_values(stream.parameters, self.name)
        self._presses = sorted(stream.press, key=lambda press: press.at)
        self._stream, self._call = f"MZ{uuid4().hex}", f"CA{uuid4().hex}"
        self._sequence = self._chunk = 0
        self._down = StreamResampler(RATE, WIRE_RATE)
        self._play: PlayOut | None = None

    async def open(self, inbox: BoundedInbox) -> None:
        self._play = play = PlayOut(inbox)
        receiver = _Receiver(inbox, play, self._mark, self._stream)
        connected = json.dumps({"event": "connected", "protocol": "Call", "version": "1.0.0"})
        await self._socket.open(
            inbox,
            receiver.take,
            lambda detail: play.after(lambda: inbox.ended("agent", detail)),
            first=(connected, self._start()),
        )

    def send(self, pcm: Pcm) -> None:
        if self._play is None:
            return
        self._play.tick()
        self._press(self._chunk * TICK_SECONDS)
        payload = base64.b64encode(encode(self._down.feed(pcm)).tobytes()).decode()
        time = round(self._chunk * TICK_SECONDS * 1000)
        self._chunk += 1
        media = {"track": "inbound", "chunk": str(self._chunk), "timestamp": str(time), "payload": payload}
        self._socket.send(self._message("media", media))

    def stop(self) -> None:
        if self._play is not None:
            self._play.stop()

    async def stats(self) -> ConnectionStats:
        return await self._socket.stats("PCMU/8000", WIRE_RATE)

    async def close(self) -> None:
        self._play = None
        await self._socket.close(self._message("stop", {"accountSid": ACCOUNT, "callSid": self._call}))

    def _start(self) -> str:
        start = {
            "streamSid": self._stream,
            "accountSid": ACCOUNT,
            "callSid": self._call,
            "tracks": ["inbound"],
            "mediaFormat": {"encoding": "audio/x-mulaw", "sampleRate": WIRE_RATE, "channels": 1},
            "customParameters": self._parameters,
        }
        return self._message("start", start)

    def _press(self, now: float) -> None:
        """Press the keys that are due."""
        while self._presses and self._presses[0].at <= now:
            self._socket.send(self._message("dtmf", {"track": "inbound_track", "digit": self._presses.pop(0).key}))

    def _mark(self, name: str) -> None:
        self._socket.send(self._message("mark", {"name": name}))

    def _message(self, event: str, content: dict[str, Any]) -> str:
        self._sequence += 1
        return json.dumps(
            {"event": event, "sequenceNumber": str(self._sequence), event: content, "streamSid": self._stream}
        )


class _Receiver:
    """What the agent sends: sound, marks in it, and the order to be silent."""

    def __init__(self, inbox: BoundedInbox, play: PlayOut, mark: Callable[[str], None], stream: str) -> None:
        self._inbox, self._play, self._mark, self._stream = inbox, play, mark, stream
        self._up = StreamResampler(WIRE_RATE, RATE)
        self._format = FormatCheck("G.711 mu-law")

    def take(self, message: Message) -> Iterator[None]:
        """One message. What Twilio would not understand is told once and has no effect."""
        content = read_object(message)
        event = content.get("event")
        if event in ("media", "mark", "clear") and content.get("streamSid") != self._stream:
            self._inbox.warn(STRAY)
        if event == "media":
            yield from self._receive(read_base64(_inside(content, "media").get("payload")))
        elif event == "mark" and isinstance(name := _inside(content, "mark").get("name"), str):
            self._play.after(lambda: self._mark(name))
        elif event == "clear":
            self._play.clear()
        else:
            self._inbox.warn("the agent sent a message that Twilio does not take", str(message[:80]))

    def _receive(self, codes: bytes | None) -> Iterator[None]:
        if codes is None:
            self._inbox.warn("the agent sent media without base64 sound in media.payload")
            return
        if mismatch := self._format.mismatch(codes):
            self._inbox.ended("line", f"the agent's sound is not what Twilio takes: {mismatch}")
            return
        for at in range(0, len(codes), SLICE):
            self._play.add(self._up.feed(decode(np.frombuffer(codes[at : at + SLICE], np.uint8))))
            yield


def _inside(content: dict[str, Any], key: str) -> dict[str, Any]:
    part = content.get(key)
    return part if isinstance(part, dict) else {}


class TwilioServer:
    """The agent's end: mu-law at 8,000 Hz, converted as the transport does it, with a known delay."""

    path = "/twilio"

    def __init__(self) -> None:
        self._up = StreamResampler(WIRE_RATE, RATE)

    def greeting(self) -> list[Message]:
        return []

    def decode(self, message: Message) -> Pcm:
        event = json.loads(message)
        if event["event"] != "media":
            return np.zeros(0, np.int16)
        return self._up.feed(decode(np.frombuffer(base64.b64decode(event["media"]["payload"]), np.uint8)))

    def encode(self, pcm: Pcm) -> Iterator[Message]:
        down = StreamResampler(RATE, WIRE_RATE)
        for block in blocks(pcm, samples(0.1)):
            payload = base64.b64encode(encode(down.feed(block)).tobytes()).decode()
            yield json.dumps({"event": "media", "media": {"payload": payload}})

    def clear(self) -> Message:
        return json.dumps({"event": "clear"})


SPEC = TransportSpec(
    make=lambda destination: Twilio(destination.target, destination.settings),
    agent_file=TwilioAgentFile,
    settings=frozenset({"headers"}),
    selftest=SelfTest(
        lambda place: TwilioAgentFile(agent=f"twilio:ws://{place}{TwilioServer.path}"),
        limit=0.005,
        protocol=TwilioServer,
        calibrated=True,
    ),
)
