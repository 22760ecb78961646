"""The WebSocket under the OpenAI Realtime line: the openai package's realtime client, and what its faults mean."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from voicesim.errors import TransportError
from voicesim.redact import redact
from voicesim.transports.openai_events import MESSAGE_LIMIT, reason
from voicesim.transports.websocket import unreached

PING = 10.0
"""Seconds between pings, and until an unanswered one means that the peer has vanished."""
SHOWN = 300
"""Characters of a server's own words that are shown when it refuses."""
CLOSE_LIMIT = 1.0
"""Seconds the peer may take to say goodbye before it is dropped."""


class SocketClosedError(Exception):
    """The peer closed the connection, or it broke (code 1006)."""

    def __init__(self, code: int, why: str) -> None:
        self.code, self.why = code, why
        super().__init__(f"closed with code {code}{f': {why}' if why else ''}")


class Socket(Protocol):
    """One open Realtime connection."""

    async def send(self, event: Mapping[str, Any]) -> None:
        """Raises SocketClosedError."""
        ...

    async def recv(self) -> bytes:
        """The next message. Raises SocketClosedError."""
        ...

    async def ping(self) -> float:
        """Seconds to the peer and back. Raises SocketClosedError."""
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True)
class Address:
    """Where a model is: `base_url` ends in /v1; None means OPENAI_BASE_URL, or OpenAI itself."""

    model: str
    base_url: str | None
    key: str
    headers: Mapping[str, str] = field(default_factory=dict)


Connect: TypeAlias = Callable[[Address], Awaitable[Socket]]


async def connect(address: Address) -> Socket:
    """Open `wss://.../v1/realtime?model=...`; TLS certificates are verified. Raises TransportError without the key."""
    from openai import AsyncOpenAI
    from websockets.exceptions import InvalidStatus, WebSocketException

    # Limits the openai package passes on to websockets; a message over max_size closes the connection.
    options: Any = {
        "max_size": MESSAGE_LIMIT,
        "compression": None,
        "open_timeout": None,  # the line has a limit of its own
        "ping_interval": PING,
        "ping_timeout": PING,
        "close_timeout": CLOSE_LIMIT,
    }
    client = AsyncOpenAI(api_key=address.key, base_url=address.base_url)
    place = str(client.base_url)
    try:
        manager = client.realtime.connect(
            model=address.model, extra_headers=dict(address.headers), websocket_connection_options=options
        )
        return _OpenAISocket(await manager.enter())
    except InvalidStatus as error:
        told = redact(_refusal(error.response.body), address.key)[:SHOWN]
        status = error.response.status_code
        raise TransportError(f"the agent at {place} refused the call: HTTP {status}{told}") from None
    except (OSError, TimeoutError, WebSocketException) as error:
        told = redact(unreached(error), address.key)
        raise TransportError(f"no agent answers at {place}: {told}") from error
    finally:
        await client.close()


def _refusal(body: object) -> str:
    """The server's own words in the answer to the upgrade, if it gave any."""
    if not isinstance(body, bytes | bytearray) or not body:
        return ""
    text = bytes(body[:MESSAGE_LIMIT]).decode("utf-8", "replace")
    try:
        content = json.loads(text)
    except ValueError:
        content = text
    told = reason(content.get("error", content) if isinstance(content, dict) else content)
    return f": {told}" if told else ""


class _OpenAISocket:
    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def send(self, event: Mapping[str, Any]) -> None:
        from openai.types.realtime import InputAudioBufferAppendEvent
        from websockets.exceptions import ConnectionClosed

        # The package takes half a millisecond to go over a mapping, too much for what leaves fifty times a second.
        sound = event["type"] == "input_audio_buffer.append"
        try:
            await self._connection.send(InputAudioBufferAppendEvent.construct(**event) if sound else event)
        except ConnectionClosed as error:
            raise _closed(error) from error

    async def recv(self) -> bytes:
        from websockets.exceptions import ConnectionClosed

        try:
            message: bytes = await self._connection.recv_bytes()
        except ConnectionClosed as error:
            raise _closed(error) from error
        return message

    async def ping(self) -> float:
        from websockets.exceptions import ConnectionClosed

        try:
            return float(await (await self._connection._connection.ping()))
        except ConnectionClosed as error:
            raise _closed(error) from error

    async def close(self) -> None:
        """Say goodbye; a peer that reads nothing more is cut off."""
        try:
            await asyncio.wait_for(self._connection.close(), 2 * CLOSE_LIMIT)
        except TimeoutError:
            self._connection._connection.transport.abort()


def _closed(error: Any) -> SocketClosedError:
    """A close in the peer's words; ours when we closed because of what it sent (too long a message, say)."""
    if error.rcvd is not None and error.rcvd_then_sent is not False:
        return SocketClosedError(error.rcvd.code, error.rcvd.reason)
    if error.sent is not None:
        return SocketClosedError(error.sent.code, f"{error.sent.reason or 'closed by our side'}")
    return SocketClosedError(1006, "the connection broke without a goodbye")
