"""A WebSocket to an agent: messages out without waiting, messages in one by one, and every way it can end."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from voicesim.catalog.addresses import secrets_in
from voicesim.catalog.agent_file import AgentFile
from voicesim.errors import TransportError
from voicesim.redact import redact
from voicesim.transports.base import ConnectionStats
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.endpoint import check_url, header_values, secrets_of
from voicesim.transports.frames import connector

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection
    from websockets.exceptions import ConnectionClosed, InvalidStatus

Message = str | bytes
Take = Callable[[Message], Iterator[None]]
"""Takes a message step by step; between two steps the call may go on."""
Ending = tuple[Literal["agent", "line"], str]

PING_INTERVAL = 5.0
"""Seconds between pings, and how long an answer may take: a peer that vanished is noticed within twice that."""
UNREAD_LIMIT = 5.0
"""Seconds a message may wait because the agent does not read."""
CLOSE_LIMIT = 2.0
"""Seconds that hanging up politely may take."""
MESSAGE_LIMIT = 4_000_000
"""Bytes of one message."""
REFUSAL_LIMIT = 200
"""Bytes of a server's own words that are shown when it refuses."""
SEND_BUFFER = 65_536
"""Bytes the operating system keeps for an agent that reads slowly; more would hide that it does."""
_NORMAL = {1000, 1005}
"""Close codes of a peer that is done: a normal closure, or one without a code."""


class WebSocketClient:
    """One WebSocket. What it carries is the business of the transport that owns it."""

    def __init__(
        self, url: str, kind: str, settings: AgentFile, headers: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Headers and the limit of connecting are those of the settings; TLS certificates of wss are verified.

        `headers` are the protocol's own, with secret values.
        Raises UsageError for what is no ws or wss URL, and when a header's environment variable is not set.
        """
        self.shown = check_url(url, kind, "ws")
        self._url, self._headers = url, {**headers, **header_values(settings.headers, f"{kind}:{self.shown}")}
        self._patience = settings.limits.connect
        self._secrets = (*secrets_of(settings), *secrets_in(url), *headers.values())
        self._socket: ClientConnection | None = None
        self._inbox: BoundedInbox | None = None
        self._out: deque[tuple[float, Message]] = deque()
        self._fresh = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._messages = 0

    async def open(
        self,
        inbox: BoundedInbox,
        take: Take,
        over: Callable[[str], None],
        first: tuple[Message, ...] = (),
    ) -> None:
        """Connect, say what comes `first`, and from then on give every message to `take`.

        `over` is called, with the reason, when the agent closes normally. Raises TransportError.
        """
        self._inbox = inbox
        inbox.hide(*self._secrets)
        self._socket = socket = await self._connect(inbox)
        for message in first:
            self.send(message)
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._read(socket, take, over)), loop.create_task(self._write(socket))]
        for task in self._tasks:
            task.add_done_callback(self._report)

    def send(self, message: Message) -> None:
        """Queue a message. An agent that reads nothing for UNREAD_LIMIT seconds ends the call."""
        if self._inbox is None or self._socket is None or self._socket.close_code is not None:
            return
        now = asyncio.get_running_loop().time()
        if self._out and now - self._out[0][0] > UNREAD_LIMIT:
            self._inbox.ended("line", f"the agent has read nothing for {UNREAD_LIMIT:g} s")
            return
        self._out.append((now, message))
        self._fresh.set()

    async def stats(self, codec: str, rate: int) -> ConnectionStats:
        """What can be told of a wire with this codec and rate (Hz); all but the round trip when the agent has ended it.

        Raises TransportError when it is not open.
        """
        from websockets.exceptions import ConnectionClosed

        if self._socket is None:
            raise TransportError(f"the agent at {self.shown} is not connected")
        trip = None
        with contextlib.suppress(ConnectionClosed):  # the inbox is told why
            trip = await (await self._socket.ping())
        return ConnectionStats(codec, rate, trip, self._messages, lost=0)  # TCP loses none

    async def close(self, last: Message | None = None) -> None:
        """Say a last word and close; whatever the agent does, nothing is left after about CLOSE_LIMIT seconds."""
        socket, self._socket = self._socket, None
        if socket is None:
            return
        for task in self._tasks:
            task.cancel()
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_LIMIT):
                    await self._leave(socket, last)
        finally:
            socket.transport.abort()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await socket.wait_closed()

    async def _leave(self, socket: "ClientConnection", last: Message | None) -> None:
        from websockets.exceptions import ConnectionClosed

        with contextlib.suppress(ConnectionClosed):
            if last is not None:
                await socket.send(last)
            await socket.close()

    async def _connect(self, inbox: BoundedInbox) -> "ClientConnection":
        from websockets.exceptions import InvalidHandshake, InvalidStatus

        try:
            socket = await connector(inbox.work)(
                self._url,
                additional_headers=self._headers,
                user_agent_header="voicesim",
                compression=None,
                proxy=None,
                open_timeout=self._patience,
                ping_interval=PING_INTERVAL,
                ping_timeout=PING_INTERVAL,
                close_timeout=CLOSE_LIMIT / 2,
                max_size=MESSAGE_LIMIT,
            )
        except InvalidStatus as error:
            detail = redact(_refusal(error), *self._secrets)  # a server may repeat the address, with the token in it
            raise TransportError(f"the agent at {self.shown} refused the call: {detail}") from error
        except (OSError, InvalidHandshake, EOFError) as error:
            raise TransportError(
                f"no agent answers at {self.shown}: {redact(unreached(error), *self._secrets)}"
            ) from error
        _limit_buffer(socket)
        return socket

    async def _read(self, socket: "ClientConnection", take: Take, over: Callable[[str], None]) -> None:
        from websockets.exceptions import ConnectionClosed

        assert self._inbox is not None
        try:
            while self._inbox.admit(message := await socket.recv(), json=isinstance(message, str)):
                self._messages += 1
                steps, going = take(message), True
                while going:
                    going = self._inbox.work.step(steps)
                    await asyncio.sleep(0)  # however much has come, the call goes on meanwhile
        except ConnectionClosed as closed:
            by, detail = ending(closed)
            if flooded := getattr(socket, "flooded", ""):
                self._inbox.ended("line", flooded)
            elif by == "agent":
                over(detail)
            else:
                self._inbox.ended(by, detail)

    async def _write(self, socket: "ClientConnection") -> None:
        from websockets.exceptions import ConnectionClosed

        with contextlib.suppress(ConnectionClosed):  # the reader tells why
            while await self._fresh.wait():
                while self._out:
                    await socket.send(self._out[0][1])
                    self._out.popleft()
                self._fresh.clear()

    def _report(self, task: "asyncio.Task[None]") -> None:
        if not task.cancelled() and (error := task.exception()) is not None and self._inbox is not None:
            self._inbox.broke(error)


def ending(closed: "ConnectionClosed") -> Ending:
    """Who ended a WebSocket, and how: a normal closure is the agent hanging up, all else is a lost line."""
    got, sent = closed.rcvd, closed.sent
    if got is not None and closed.rcvd_then_sent is not False:
        if got.code in _NORMAL:
            return "agent", f"the agent closed the WebSocket{_reason(got.reason)}"
        return "line", f"the agent closed the WebSocket with code {got.code}{_reason(got.reason)}"
    if sent is not None:
        return "line", f"the WebSocket failed with code {sent.code}{_reason(sent.reason)}"
    return "line", "the WebSocket broke off without a closing message"


def _refusal(error: "InvalidStatus") -> str:
    """The status and the beginning of the server's own words, if they are no web page."""
    response = error.response
    words = " ".join(bytes(response.body or b"")[:REFUSAL_LIMIT].decode("utf-8", "replace").split())
    shown = f": {words}" if words and not words.startswith("<") else ""
    what = "; what is there is no WebSocket" if response.status_code < 300 else ""
    if 300 <= response.status_code < 400:
        return f"HTTP {response.status_code}: it redirects, which is not followed"
    return f"HTTP {response.status_code}{what or shown}"


def unreached(error: Exception) -> str:
    """Why nobody was reached. A server that closes during the handshake of TLS leaves an error without a word."""
    from websockets.exceptions import InvalidMessage

    if isinstance(error, InvalidMessage):
        return f"what is there is no WebSocket server: {error.__cause__ or error}"[:REFUSAL_LIMIT]
    return str(error) or f"the connection broke off ({type(error).__name__})"


def _reason(text: str) -> str:
    return f": {text}" if text else ""


def _limit_buffer(socket: "ClientConnection") -> None:
    from socket import SO_SNDBUF, SOL_SOCKET

    raw = socket.transport.get_extra_info("socket")
    with contextlib.suppress(OSError):  # it is gone already: the reader tells why
        if raw is not None:
            raw.setsockopt(SOL_SOCKET, SO_SNDBUF, SEND_BUFFER)
