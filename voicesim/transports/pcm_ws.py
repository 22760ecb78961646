"""Plain sound over a WebSocket: no protocol but a declared format."""

import base64
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from voicesim.audio.format_check import Coding, FormatCheck
from voicesim.audio.g711 import decode, encode
from voicesim.audio.resampling import StreamResampler
from voicesim.audio.samples import RATE, Pcm, blocks, mix_down, samples, to_pcm, to_wave
from voicesim.catalog.agent_file import AgentFile
from voicesim.transports.base import ConnectionStats
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.messages import read_base64, read_object
from voicesim.transports.pcm_format import SAMPLE_BYTES, PcmFormat
from voicesim.transports.playout import PlayOut
from voicesim.transports.spec import SelfTest, TransportSpec
from voicesim.transports.websocket import Message, WebSocketClient

SHORTEST_SOUND = 200
"""Characters of base64 from which an undeclared text is taken for sound: 20 ms of mu-law at 8,000 Hz are 216."""
_CODINGS: dict[str, Coding] = {"int16": "16-bit PCM", "mulaw": "G.711 mu-law"}
Tell = Callable[[Mapping[str, Any]], None]
DEEPEST = 3
"""Levels inside an object that are searched for it."""


class PcmAgentFile(AgentFile):
    """An agent file with the format of the sound."""

    pcm: PcmFormat = PcmFormat()


class PcmSocket:
    """An agent that takes and gives sound over a WebSocket, in messages of any size."""

    receive_delay = 0.0

    kind = "pcm"

    def __init__(
        self,
        url: str,
        settings: AgentFile | None = None,
        *,
        form: PcmFormat | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """`form` and secret `headers` are for protocols that fix them. Raises UsageError as `WebSocketClient` does."""
        settings = settings or AgentFile.model_construct(agent=f"{self.kind}:{url}")
        self._socket = WebSocketClient(url, self.kind, settings, headers or {})
        self.name = f"{self.kind}:{self._socket.shown}"
        self._form = form or (settings.pcm if isinstance(settings, PcmAgentFile) else PcmFormat())
        self._convert = StreamResampler(RATE, self._form.rate)
        self._pending = np.zeros(0, np.int16)
        self._play: PlayOut | None = None

    async def open(self, inbox: BoundedInbox) -> None:
        self._play = play = PlayOut(inbox)
        receiver = _Receiver(self._form, inbox, play, self._teller(inbox))
        await self._socket.open(inbox, receiver.take, lambda detail: play.after(lambda: inbox.ended("agent", detail)))

    def send(self, pcm: Pcm) -> None:
        if self._play is None:
            return
        self._play.tick()
        self._pending = np.concatenate([self._pending, self._convert.feed(pcm)])
        while len(self._pending) >= self._form.frame:
            frame, self._pending = self._pending[: self._form.frame], self._pending[self._form.frame :]
            self._socket.send(pack(frame, self._form))

    def stop(self) -> None:
        if self._play is not None:
            self._play.stop()

    async def stats(self) -> ConnectionStats:
        form = self._form
        return await self._socket.stats(f"{form.sample}/{form.rate}/{form.channels}", form.rate)

    async def close(self) -> None:
        self._play = None
        await self._socket.close()

    def _teller(self, inbox: BoundedInbox) -> Tell | None:
        """What takes the agent's text messages, where a protocol says what they mean."""
        return None


class _Receiver:
    """What the agent sends: sound and, if the format has it, the order to be silent."""

    def __init__(self, form: PcmFormat, inbox: BoundedInbox, play: PlayOut, tell: Tell | None) -> None:
        self._form, self._inbox, self._play, self._tell = form, inbox, play, tell
        self._convert = StreamResampler(form.rate, RATE)
        self._path = form.heard_path or form.json_path
        self._rest = b""
        self._heard = False
        coding = _CODINGS.get(form.sample) if form.channels == 1 else None
        self._format = FormatCheck(coding) if coding else None

    def take(self, message: Message) -> Iterator[None]:
        """One message; text beside the sound is left alone, whatever it is."""
        if isinstance(message, bytes):
            if self._form.encoding == "base64":
                self._inbox.warn("the agent sent a binary message where its format has JSON")
            else:
                yield from self._receive(message)
            return
        content = read_object(message)
        if self._tell is not None:
            self._tell(content)
        elif self._form.clear_when and self._form.clear_when.items() <= content.items():
            self._play.clear()
        elif self._form.encoding == "base64" and (sound := _at(content, self._path)) is not None:
            if (data := read_base64(sound)) is None:
                self._inbox.warn(f"the agent sent no base64 at {self._path!r}")
            else:
                yield from self._receive(data)
        elif not self._heard and (path := _sound_in(content)):
            self._inbox.warn(
                f"the agent seems to send sound as base64 at {path!r} of a JSON object, which is not declared"
            )

    def _receive(self, data: bytes) -> Iterator[None]:
        """Messages may end in the middle of a sample; a second is converted at a time."""
        self._heard = True
        if self._format is not None and (mismatch := self._format.mismatch(data)):
            self._inbox.ended("line", f"the agent's sound is not what was declared: {mismatch}")
            return
        whole = SAMPLE_BYTES[self._form.sample] * self._form.channels
        joined = self._rest + data
        usable = len(joined) - len(joined) % whole
        self._rest = joined[usable:]
        for at in range(0, usable, whole * self._form.rate):
            pcm = unpack(joined[at : min(at + whole * self._form.rate, usable)], self._form)
            self._play.add(self._convert.feed(pcm))
            yield


def pack(pcm: Pcm, form: PcmFormat) -> Message:
    """Mono int16 at the format's rate as one message, the same in every channel."""
    spread = np.repeat(pcm, form.channels)
    if form.sample == "mulaw":
        data = encode(spread).tobytes()
    elif form.sample == "float32":
        data = to_wave(spread).astype("<f4").tobytes()
    else:
        data = spread.astype("<i2").tobytes()
    if form.encoding == "binary":
        return data
    return json.dumps(_with(form.send_with, form.json_path, base64.b64encode(data).decode()))


def unpack(data: bytes, form: PcmFormat) -> Pcm:
    """Whole samples of the format as mono int16 at its rate; what is no finite number is silence."""
    if form.sample == "mulaw":
        values = decode(np.frombuffer(data, np.uint8))
    elif form.sample == "float32":
        values = to_pcm(np.nan_to_num(np.frombuffer(data, "<f4"), nan=0.0, posinf=0.0, neginf=0.0))
    else:
        values = np.frombuffer(data, "<i2").astype(np.int16)
    return mix_down(values.reshape(-1, form.channels)) if form.channels > 1 else values


def _at(content: dict[str, Any], path: str) -> Any:
    """What lies at a path of keys with dots between them; None when there is nothing."""
    value: Any = content
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _sound_in(content: dict[str, Any], inside: str = "") -> str:
    """The path of the first text that could be sound in base64, however it is declared; empty when there is none."""
    for key, value in content.items():
        if isinstance(value, dict) and inside.count(".") < DEEPEST and (path := _sound_in(value, f"{inside}{key}.")):
            return path
        if isinstance(value, str) and len(value) >= SHORTEST_SOUND and read_base64(value) is not None:
            return f"{inside}{key}"
    return ""


def _with(content: dict[str, Any], path: str, value: str) -> dict[str, Any]:
    """A copy of an object with a value at a path of keys."""
    key, _, deeper = path.partition(".")
    if not deeper:
        return content | {key: value}
    inside = content.get(key)
    return content | {key: _with(inside if isinstance(inside, dict) else {}, deeper, value)}


class PcmServer:
    """The agent's end: 16-bit PCM at 24,000 Hz and nothing else; a JSON object of type `clear` takes it back."""

    path = "/pcm"
    form = PcmFormat(clear_when={"type": "clear"})

    def greeting(self) -> list[Message]:
        return []

    def decode(self, message: Message) -> Pcm:
        return unpack(message, self.form) if isinstance(message, bytes) else np.zeros(0, np.int16)

    def encode(self, pcm: Pcm) -> Iterator[Message]:
        yield from (pack(block, self.form) for block in blocks(pcm, samples(0.1)))

    def clear(self) -> Message:
        return json.dumps(self.form.clear_when)


SPEC = TransportSpec(
    make=lambda destination: PcmSocket(destination.target, destination.settings),
    agent_file=PcmAgentFile,
    settings=frozenset({"headers"}),
    selftest=SelfTest(
        lambda place: PcmAgentFile(agent=f"pcm:ws://{place}{PcmServer.path}", pcm=PcmServer.form),
        limit=0.005,
        protocol=PcmServer,
    ),
)
