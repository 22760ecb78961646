"""The protocols that the scripted agent speaks on a WebSocket: OpenAI's, Twilio's, and plain sound."""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from typing import Any

import numpy as np

from voicesim.audio.g711 import decode, encode
from voicesim.audio.samples import RATE, Pcm, blocks, samples
from voicesim.selftest.socket_peer import Message
from voicesim.transports.rate import Converter
from voicesim.transports.twilio import WIRE_RATE

CHUNK = samples(0.1)
"""Samples in one message."""
NOTHING: Pcm = np.zeros(0, np.int16)
CLEAR = {"type": "clear"}
"""What takes sound back where a protocol has no word for it."""


class OpenAI:
    """OpenAI's Realtime protocol, in 16-bit PCM."""

    path = "/v1/realtime"

    def __init__(self) -> None:
        self._reply = 0

    def hello(self) -> list[Message]:
        return [json.dumps({"type": kind, "session": {}}) for kind in ("session.created", "session.updated")]

    def hear(self, message: Message) -> Pcm:
        event = json.loads(message)
        return _pcm(b64decode(event["audio"])) if event["type"] == "input_audio_buffer.append" else NOTHING

    def say(self, pcm: Pcm) -> Iterator[Message]:
        self._reply += 1
        for block in blocks(pcm, CHUNK):
            yield self._named("response.output_audio.delta", delta=b64encode(_bytes(block)).decode())
        yield self._named("response.output_audio.done")

    def stop(self) -> Message:
        return json.dumps({"type": "input_audio_buffer.speech_started", "item_id": "caller", "audio_start_ms": 0})

    def _named(self, kind: str, **content: Any) -> str:
        reply = {"response_id": f"r{self._reply}", "item_id": f"i{self._reply}", "output_index": 0, "content_index": 0}
        return json.dumps({"type": kind, **reply, **content})


class TwilioStream:
    """Twilio's Media Streams: mu-law at 8,000 Hz, converted as the line does it, with a known delay."""

    path = "/twilio"

    def __init__(self) -> None:
        self._up = Converter(WIRE_RATE, RATE)

    def hello(self) -> list[Message]:
        return []

    def hear(self, message: Message) -> Pcm:
        event = json.loads(message)
        if event["event"] != "media":
            return NOTHING
        return self._up.feed(decode(np.frombuffer(b64decode(event["media"]["payload"]), np.uint8)))

    def say(self, pcm: Pcm) -> Iterator[Message]:
        down = Converter(RATE, WIRE_RATE)
        for block in blocks(pcm, CHUNK):
            payload = b64encode(encode(down.feed(block)).tobytes()).decode()
            yield json.dumps({"event": "media", "media": {"payload": payload}})

    def stop(self) -> Message:
        return json.dumps({"event": "clear"})


class Plain:
    """16-bit PCM at 24,000 Hz and nothing else; `CLEAR` takes it back."""

    path = "/pcm"

    def hello(self) -> list[Message]:
        return []

    def hear(self, message: Message) -> Pcm:
        return _pcm(message) if isinstance(message, bytes) else NOTHING

    def say(self, pcm: Pcm) -> Iterator[Message]:
        yield from (_bytes(block) for block in blocks(pcm, CHUNK))

    def stop(self) -> Message:
        return json.dumps(CLEAR)


def _pcm(data: bytes) -> Pcm:
    return np.frombuffer(data, "<i2").astype(np.int16)


def _bytes(pcm: Pcm) -> bytes:
    return pcm.astype("<i2").tobytes()
