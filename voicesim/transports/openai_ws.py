"""OpenAI Realtime over WebSocket: the caller's sound as it is spoken, the agent's as fast as it likes."""

import asyncio
import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import numpy as np

from voicesim.audio.samples import Pcm, blocks, samples
from voicesim.catalog.agent_file import AgentFile
from voicesim.errors import TransportError
from voicesim.recording.events import Intent
from voicesim.redact import redact
from voicesim.tools.dispatcher import ToolDispatcher
from voicesim.transports.base import ConnectionStats
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.endpoint import header_values, secrets_of
from voicesim.transports.openai_audio import CODECS, make_encoder, model_and_sound
from voicesim.transports.openai_client import RealtimeClient
from voicesim.transports.openai_events import ServerEvents, reason
from voicesim.transports.openai_playback import Playback
from voicesim.transports.openai_session import SETTINGS, AudioType, audio_agreed, key_for, session_update
from voicesim.transports.openai_socket import (
    EARLY,
    SHOWN,
    Address,
    Connect,
    Socket,
    SocketClosedError,
    agreed,
    connect,
)
from voicesim.transports.openai_wire import HANG_UP, EventWire
from voicesim.transports.spec import SelfTest, TransportSpec


class OpenAIWebSocket:
    """A realtime model, at OpenAI or at any server that speaks its WebSocket protocol."""

    receive_delay = 0.0

    def __init__(
        self,
        model: str,
        *,
        audio: AudioType = "audio/pcm",
        base_url: str | None = None,
        key: str | None = None,
        settings: AgentFile | None = None,
        dispatcher: ToolDispatcher | None = None,
        connect: Connect = connect,
    ) -> None:
        """`base_url` ends in /v1. Key and base URL are those of the agent file or the environment if not given.

        The tools of `dispatcher` are offered, and their calls answered by it.
        """
        self.name = f"openai+ws:{model}"
        self._settings, self._dispatcher = settings or AgentFile(agent=self.name), dispatcher
        place, headers = base_url or self._settings.base_url or None, header_values(self._settings.headers, self.name)
        path = f"realtime?{urlencode({'model': model})}"
        self._address = Address(path, place, key_for(self.name, key, self._settings), headers)
        self._secrets = (self._address.key, *secrets_of(self._settings))
        self._audio: AudioType = audio
        self._connect = connect
        self._call: _Session | None = None

    async def open(self, inbox: BoundedInbox) -> None:
        inbox.hide(*self._secrets)
        events = ServerEvents(inbox)
        socket, early = await agreed(
            self._connect(replace(self._address, work=inbox.work)),
            lambda socket: self._agree(socket, events),
            limit=self._settings.limits.connect,
            agent=self.name,
            step="confirm the session",
            secrets=self._secrets,
        )
        detection = self._settings.turn_detection
        manual = detection is not None and detection.type == "none"
        self._call = _Session(socket, inbox, self._audio, self._dispatcher, early, manual=manual)

    def send(self, pcm: Pcm) -> None:
        if self._call is not None:
            self._call.speak(pcm)

    def caller_starts(self, intent: Intent) -> None:
        if self._call is not None:
            self._call.client.caller_starts(intent)

    def caller_stops(self, intent: Intent) -> None:
        if self._call is not None:
            self._call.client.caller_stops(intent)

    def stop(self) -> None:
        if self._call is not None:
            self._call.stop()

    async def stats(self) -> ConnectionStats:
        """The sound that was agreed on, and the wire's round trip. Raises TransportError when it is not open."""
        if self._call is None:
            raise TransportError(f"{self.name} is not connected")
        return await self._call.stats(*CODECS[self._audio])

    async def close(self) -> None:
        call, self._call = self._call, None
        if call is not None:
            await call.close()

    async def _agree(self, socket: Socket, events: ServerEvents) -> list[Mapping[str, Any]]:
        """Configure the session; gives back what the agent sent until it confirmed, the confirmation included."""
        tools = self._dispatcher.tools if self._dispatcher else ()
        session = session_update(self._address.key, self._audio, self._settings, tools)
        await socket.send({"type": "session.update", "session": session})
        early: list[Mapping[str, Any]] = []
        while len(early) < EARLY:
            event = events.parse(await socket.recv())
            if event is None:
                continue
            if event.get("type") == "error":
                detail = redact(reason(event.get("error")), *self._secrets)[:SHOWN]
                raise TransportError(f"the agent {self.name} refused the session: {detail}")
            early.append(event)
            if event.get("type") == "session.updated":
                sound = audio_agreed(event.get("session"))
                if sound not in (None, self._audio):
                    raise TransportError(f"the agent {self.name} speaks {str(sound)[:80]}, not {self._audio}")
                return early
        raise TransportError(f"the agent {self.name} sent {EARLY} events and did not confirm the session")


class _Session:
    """An agreed session: what is heard and said on its wire."""

    def __init__(
        self,
        socket: Socket,
        inbox: BoundedInbox,
        audio: AudioType,
        dispatcher: ToolDispatcher | None,
        early: list[Mapping[str, Any]],
        *,
        manual: bool,
    ) -> None:
        self._inbox = inbox
        self._encoder = make_encoder(audio)
        self._wire = wire = EventWire(socket, inbox, self._take, self._over)
        self._playback = Playback(inbox, audio, wire.put)
        self.client = RealtimeClient(inbox, wire.put, dispatcher, manual=manual, interrupt=self._playback.interrupt)
        self.stats = wire.stats
        self.close = wire.close
        wire.begin(self.client.events.parse, early)

    def speak(self, pcm: Pcm) -> None:
        """Give the agent one tick of the caller."""
        data = b64encode(self._encoder.feed(pcm)).decode("ascii")
        self._wire.put({"type": "input_audio_buffer.append", "audio": data})
        self.client.sent()

    def stop(self) -> None:
        """The call ends now: what still waits to be heard never will be."""
        self._playback.lose()

    def _take(self, event: Mapping[str, Any]) -> None:
        self.client.take(event)
        self._playback.take(event)

    async def _over(self, closed: SocketClosedError) -> None:
        """The agent is gone. What it said before it hung up is heard to its end; a lost line is silent at once."""
        error = self.client.events.last_error
        if closed.code in HANG_UP and not closed.why and not error:
            await asyncio.sleep(self._playback.left)
            self._inbox.ended("agent", "the agent closed the connection")
        else:
            self._playback.lose()
            last_event = f"; its last event: error: {error}" if error else ""
            self._inbox.ended("line", f"the connection was {closed}{last_event}")


def make_transport(
    target: str, settings: AgentFile | None = None, dispatcher: ToolDispatcher | None = None
) -> OpenAIWebSocket:
    """The transport for `MODEL` or `MODEL?audio=pcmu`. Raises UsageError for another option."""
    model, audio = model_and_sound("openai+ws", target)
    return OpenAIWebSocket(model, audio=audio, settings=settings, dispatcher=dispatcher)


class OpenAIServer:
    """The agent's end, in 16-bit PCM."""

    path = "/v1/realtime"

    def __init__(self) -> None:
        self._reply = 0

    def greeting(self) -> list[str]:
        return [json.dumps({"type": kind, "session": {}}) for kind in ("session.created", "session.updated")]

    def decode(self, message: str | bytes) -> Pcm:
        event = json.loads(message)
        sound = b64decode(event["audio"]) if event["type"] == "input_audio_buffer.append" else b""
        return np.frombuffer(sound, "<i2").astype(np.int16)

    def encode(self, pcm: Pcm) -> Iterator[str]:
        self._reply += 1
        for block in blocks(pcm, samples(0.1)):
            delta = b64encode(block.astype("<i2").tobytes()).decode()
            yield self._event("response.output_audio.delta", delta=delta)
        yield self._event("response.output_audio.done")

    def clear(self) -> str:
        return json.dumps({"type": "input_audio_buffer.speech_started", "item_id": "caller", "audio_start_ms": 0})

    def _event(self, kind: str, **content: Any) -> str:
        reply = {"response_id": f"r{self._reply}", "item_id": f"i{self._reply}", "output_index": 0, "content_index": 0}
        return json.dumps({"type": kind, **reply, **content})


SPEC = TransportSpec(
    make=lambda destination: make_transport(destination.target, destination.settings, destination.dispatcher()),
    settings=SETTINGS,
    selftest=SelfTest(
        lambda place: AgentFile(agent="openai+ws:selftest", base_url=f"http://{place}/v1"),
        limit=0.005,
        protocol=OpenAIServer,
    ),
)
