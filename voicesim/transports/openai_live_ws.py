"""GPT-Live over a WebSocket: 16-bit PCM at 24,000 Hz or G.711 in events, both ways at once."""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from voicesim.audio.format_check import FormatCheck
from voicesim.audio.samples import Pcm
from voicesim.catalog.agent_file import AgentFile
from voicesim.errors import TransportError
from voicesim.redact import redact
from voicesim.tools.dispatcher import ToolDispatcher
from voicesim.transports.base import ConnectionStats
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.catch_up import CatchUp
from voicesim.transports.endpoint import header_values, secrets_of
from voicesim.transports.live_delegate import Delegate
from voicesim.transports.messages import read_base64
from voicesim.transports.openai_audio import CODECS, make_decoder, make_encoder, model_and_sound
from voicesim.transports.openai_events import parse_event, reason, text_of
from voicesim.transports.openai_live import (
    PATH,
    SETTINGS,
    LiveAgentFile,
    LiveClient,
    delegate_of,
    new_session,
)
from voicesim.transports.openai_session import AudioType, audio_agreed, key_for
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
from voicesim.transports.playout import PlayOut
from voicesim.transports.spec import SelfTest, TransportSpec


class LiveWebSocket:
    """A full-duplex model, at OpenAI or at any server that speaks its protocol."""

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
        """`base_url` ends in /v1. Key and base URL are those of the agent file or the environment if not given."""
        self.name = f"openai-live+ws:{model}"
        self._model, self._settings = model, settings or LiveAgentFile(agent=self.name)
        place, headers = base_url or self._settings.base_url or None, header_values(self._settings.headers, self.name)
        self._address = Address(PATH, place, key_for(self.name, key, self._settings), headers)
        self._secrets = (self._address.key, *secrets_of(self._settings))
        self._audio: AudioType = audio
        self._tools = dispatcher is not None
        self._delegate = delegate_of(self._settings, dispatcher)
        self._connect = connect
        self._call: _Call | None = None

    async def open(self, inbox: BoundedInbox) -> None:
        inbox.hide(*self._secrets)
        socket, early = await agreed(
            self._connect(replace(self._address, work=inbox.work)),
            lambda socket: self._agree(socket, inbox),
            limit=self._settings.limits.connect,
            agent=self.name,
            step="start the session",
            secrets=self._secrets,
        )
        self._call = _Call(socket, inbox, self._audio, self._delegate, early)

    def send(self, pcm: Pcm) -> None:
        if self._call is not None:
            self._call.speak(pcm)

    def stop(self) -> None:
        if self._call is not None:
            self._call.stop()

    async def stats(self) -> ConnectionStats:
        """The sound that was agreed on, and the wire's round trip. Raises TransportError when it is not open."""
        if self._call is None:
            raise TransportError(f"{self.name} is not connected")
        return await self._call.wire.stats(*CODECS[self._audio])

    async def close(self) -> None:
        call, self._call = self._call, None
        if call is not None:
            await call.wire.close({"type": "session.close"})

    async def _agree(self, socket: Socket, inbox: BoundedInbox) -> list[Mapping[str, Any]]:
        """Start the session; gives back what the agent sent until it did, that included."""
        session = new_session(self._model, self._settings, self._audio, tools=self._tools)
        await socket.send({"type": "session.start", "session": session})
        early: list[Mapping[str, Any]] = []
        while len(early) < EARLY:
            event = parse_event(await socket.recv(), inbox)
            if event is None:
                continue
            early.append(event)
            match event.get("type"):
                case "error":
                    detail = redact(reason(event.get("error")), *self._secrets)[:SHOWN]
                    raise TransportError(f"the agent {self.name} refused the session: {detail}")
                case "session.started":
                    sound = audio_agreed({"audio": {"output": _sound_of(event.get("session"))}})
                    if sound not in (None, self._audio):
                        raise TransportError(f"the agent {self.name} speaks {sound[:80]}, not {self._audio}")
                    return early
        raise TransportError(f"the agent {self.name} sent {EARLY} events and did not start the session")


def _sound_of(session: object) -> object:
    """The `audio` of a session that the server sent back; its one format is that of both directions."""
    return session.get("audio") if isinstance(session, dict) else None


class _Call:
    """A session that has started."""

    def __init__(
        self,
        socket: Socket,
        inbox: BoundedInbox,
        audio: AudioType,
        delegate: Delegate | None,
        early: list[Mapping[str, Any]],
    ) -> None:
        self._inbox, self._play, self._catch_up = inbox, PlayOut(inbox), CatchUp()
        self._encoder, self._decoder = make_encoder(audio), make_decoder(audio)
        self._format = FormatCheck("16-bit PCM" if audio == "audio/pcm" else "G.711 mu-law")
        self.wire = EventWire(socket, inbox, self._take, self._over)
        self._client = LiveClient(inbox, self.wire.put, delegate)
        self.wire.begin(lambda message: parse_event(message, inbox), early)

    def speak(self, pcm: Pcm) -> None:
        """Give the agent one tick of the caller."""
        data = b64encode(self._encoder.feed(pcm)).decode("ascii")
        self.wire.put({"type": "session.input_audio.append", "audio": data})
        self._play.tick()
        self._client.tick()

    def stop(self) -> None:
        """The call ends now: what still waits to be heard never will be."""
        self._play.stop()
        self._client.stop()

    def _take(self, event: Mapping[str, Any]) -> None:
        if event.get("type") == "session.output_audio.delta":
            self._sound(text_of(event, "delta"))
            return
        self._client.take(event)
        if self._client.closed:
            self._end()

    def _sound(self, delta: str) -> None:
        if (data := read_base64(delta)) is None:
            self._inbox.warn("the agent sent sound that is no base64")
            return
        if mismatch := self._format.mismatch(data):
            self._inbox.ended("line", f"the agent's sound is not what was agreed: {mismatch}")
            return
        pcm = self._catch_up.shorten(self._decoder.feed(data), self._inbox.now(), self._play.ahead)
        if len(pcm):
            self._play.add(pcm)

    def _end(self) -> None:
        """The server has closed the session. What an agent said before it hung up is heard to its end."""
        why, hung_up = self._client.why_over()
        if hung_up:
            self._play.after(lambda: self._inbox.ended("agent", why))
        else:
            self._play.stop()
            self._inbox.ended("line", f"the session was closed: {why}")

    async def _over(self, closed: SocketClosedError) -> None:
        """The connection is gone, after a closed session or without one."""
        error = self._client.last_error
        if self._client.closed:
            return
        if closed.code in HANG_UP and not closed.why and not error:
            self._play.after(lambda: self._inbox.ended("agent", "the agent closed the connection"))
            return
        self._play.stop()
        last_event = f"; its last event: error: {error}" if error else ""
        self._inbox.ended("line", f"the connection was {closed}{last_event}")


def make_transport(
    target: str, settings: AgentFile | None = None, dispatcher: ToolDispatcher | None = None
) -> LiveWebSocket:
    """The transport for `MODEL` or `MODEL?audio=pcmu`. Raises UsageError for another option."""
    model, audio = model_and_sound("openai-live+ws", target)
    return LiveWebSocket(model, audio=audio, settings=settings, dispatcher=dispatcher)


class LiveServer:
    """The agent's end, in 16-bit PCM. It cannot take sound back, so it sends at the pace at which it is heard."""

    path = f"/v1/{PATH}"

    def greeting(self) -> list[str]:
        return [json.dumps({"type": "session.started", "event_id": "e1", "session": {"id": "live_selftest"}})]

    def decode(self, message: str | bytes) -> Pcm:
        event = json.loads(message)
        sound = b64decode(event["audio"]) if event["type"] == "session.input_audio.append" else b""
        return np.frombuffer(sound, "<i2").astype(np.int16)

    def encode(self, pcm: Pcm) -> Iterator[str]:
        delta = b64encode(pcm.astype("<i2").tobytes()).decode()
        yield json.dumps({"type": "session.output_audio.delta", "delta": delta})

    def clear(self) -> None:
        return None


SPEC = TransportSpec(
    make=lambda destination: make_transport(destination.target, destination.settings, destination.dispatcher()),
    agent_file=LiveAgentFile,
    settings=SETTINGS,
    selftest=SelfTest(
        lambda place: LiveAgentFile(agent="openai-live+ws:selftest", base_url=f"http://{place}/v1"),
        limit=0.005,
        protocol=LiveServer,
        calibrated=True,
    ),
)
