"""The WebSocket under the OpenAI transports, and what its faults mean."""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from voicesim.errors import TransportError
from voicesim.redact import redact
from voicesim.transports.endpoint import check_url
from voicesim.transports.frames import connector
from voicesim.transports.openai_events import MESSAGE_LIMIT, reason
from voicesim.transports.websocket import unreached
from voicesim.transports.work import Work

OPENAI = "https://api.openai.com/v1"

PING = 10.0
"""Seconds between pings, and until an unanswered one means that the peer has vanished."""
SHOWN = 300
"""Characters of a server's own words that are shown when it refuses."""
EARLY = 20
"""Events that may come before the session is agreed on; they are taken when the call starts."""
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
    """Where a model is: `base_url` ends in /v1; None means OPENAI_BASE_URL, or OpenAI itself.

    `path` follows the base. `work` counts what reading the connection takes.
    """

    path: str
    base_url: str | None
    key: str
    headers: Mapping[str, str] = field(default_factory=dict)
    work: Work = field(default_factory=Work)


Connect: TypeAlias = Callable[[Address], Awaitable[Socket]]


async def connect(address: Address) -> Socket:
    """Open the WebSocket at an address; TLS certificates are verified, redirects not followed.

    Raises TransportError without the key.
    """
    from websockets.exceptions import InvalidStatus, WebSocketException

    base = (address.base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI).rstrip("/")
    place = check_url(base, "openai+ws", "http")
    try:
        connection = await connector(address.work)(
            f"ws{base.removeprefix('http')}/{address.path}",
            additional_headers={"Authorization": f"Bearer {address.key}", **address.headers},
            user_agent_header="voicesim",
            proxy=None,
            max_size=MESSAGE_LIMIT,
            compression=None,
            open_timeout=None,  # the transport has a limit of its own
            ping_interval=PING,
            ping_timeout=PING,
            close_timeout=CLOSE_LIMIT,
        )
    except InvalidStatus as error:
        words = redact(_refusal(error.response.body), address.key)[:SHOWN]
        status = error.response.status_code
        words = ": it redirects, which is not followed" if 300 <= status < 400 else words
        raise TransportError(f"the agent at {place} refused the call: HTTP {status}{words}") from None
    except (OSError, TimeoutError, WebSocketException) as error:
        raise TransportError(f"no agent answers at {place}: {redact(unreached(error), address.key)}") from error
    return _OpenAISocket(connection)


Early: TypeAlias = list[Mapping[str, Any]]
"""What an agent sent until the session was agreed on."""


async def agreed(
    opening: Awaitable[Socket],
    agree: Callable[[Socket], Awaitable[Early]],
    *,
    limit: float,
    agent: str,
    step: str,
    secrets: Sequence[str],
) -> tuple[Socket, Early]:
    """A socket, and what came until a session was agreed on, within `limit` seconds.

    Raises TransportError that names the agent and the `step` it did not take, and closes the socket.
    """
    socket = None
    try:
        async with asyncio.timeout(limit):
            socket = await opening
            return socket, await agree(socket)
    except BaseException as error:
        if socket is not None:
            await socket.close()
        if isinstance(error, TimeoutError):
            problem = f"did not {step if socket else 'take the call'} within {limit:g} s"
        elif isinstance(error, SocketClosedError):
            problem = f"ended the call before it began: {redact(str(error), *secrets)}"
        else:
            raise
        raise TransportError(f"the agent {agent} {problem}") from error


def _refusal(body: object) -> str:
    """The server's own words in the answer to the upgrade, if it gave any."""
    if not isinstance(body, bytes | bytearray) or not body:
        return ""
    text = bytes(body[:MESSAGE_LIMIT]).decode("utf-8", "replace")
    try:
        content = json.loads(text)
    except ValueError:
        content = text
    words = reason(content.get("error", content) if isinstance(content, dict) else content)
    return f": {words}" if words else ""


class _OpenAISocket:
    def __init__(self, connection: Any) -> None:
        """`connection` is one of `frames.connector`."""
        self._connection = connection

    async def send(self, event: Mapping[str, Any]) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            await self._connection.send(json.dumps(event))
        except ConnectionClosed as error:
            raise self._closed(error) from error

    async def recv(self) -> bytes:
        from websockets.exceptions import ConnectionClosed

        try:
            message: bytes = await self._connection.recv(decode=False)
        except ConnectionClosed as error:
            raise self._closed(error) from error
        return message

    async def ping(self) -> float:
        from websockets.exceptions import ConnectionClosed

        try:
            return float(await (await self._connection.ping()))
        except ConnectionClosed as error:
            raise self._closed(error) from error

    async def close(self) -> None:
        """Say goodbye; a peer that reads nothing more is cut off."""
        try:
            await asyncio.wait_for(self._connection.close(), 2 * CLOSE_LIMIT)
        except TimeoutError:
            self._connection.transport.abort()

    def _closed(self, error: Any) -> SocketClosedError:
        return SocketClosedError(1006, flooded) if (flooded := self._connection.flooded) else _closed(error)


def _closed(error: Any) -> SocketClosedError:
    """A close in the peer's words; ours when we closed because of what it sent (too long a message, say)."""
    if error.rcvd is not None and error.rcvd_then_sent is not False:
        return SocketClosedError(error.rcvd.code, error.rcvd.reason)
    if error.sent is not None:
        return SocketClosedError(error.sent.code, f"{error.sent.reason or 'closed by our side'}")
    return SocketClosedError(1006, "the connection broke without a goodbye")
