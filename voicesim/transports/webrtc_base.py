"""What WebRTC transports have in common: one peer, one data channel, and an offer that is carried to the agent."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

from voicesim.audio.samples import Pcm
from voicesim.catalog.agent_file import AgentFile
from voicesim.errors import TransportError
from voicesim.transports.base import ConnectionStats
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.endpoint import header_values, secrets_of
from voicesim.transports.ice import peer_for
from voicesim.transports.webrtc import RECEIVE_DELAY, Peer

Say = Callable[[str], None]
Take = Callable[[str | bytes], None]


HELLO_AFTER = 0.25
"""Seconds from an open channel to the first word on it: bots attach what reads it a little later."""
HELLO_AGAIN = 1.75
"""Seconds until it is said again to a bot that has neither answered nor spoken; one may load a model for 1.5 s."""
HELLOS = 5
"""How often it is said at most."""


class _Channel:
    """The data channel, with a first word that is repeated until the agent shows that it has heard it."""

    def __init__(self, answered: Callable[[str | bytes], bool]) -> None:
        self._answered = answered
        self._channel: Any = None
        self._known = False
        self._greeting: asyncio.Task[None] | None = None

    def say(self, message: str) -> None:
        if message and self._channel is not None and self._channel.readyState == "open":
            self._channel.send(message)

    def heard(self, message: str | bytes, take: Take) -> None:
        self._known = self._known or self._answered(message)
        take(message)

    def open(self, channel: Any, hello: str, peer: Peer) -> None:
        """Speak on this channel from now on."""
        self.close()
        self._channel = channel
        if hello:
            self._greeting = asyncio.get_running_loop().create_task(self._greet(hello, peer))

    def close(self) -> None:
        if self._greeting is not None:
            self._greeting.cancel()

    async def _greet(self, hello: str, peer: Peer) -> None:
        wait = HELLO_AFTER
        for _ in range(HELLOS):
            await asyncio.sleep(wait)
            if self._known or peer.spoke:
                return
            self.say(hello)
            wait = HELLO_AGAIN


class WebRTCTransport(ABC):
    """A transport but for two things: how the agent gets the offer, and what its messages mean."""

    receive_delay = RECEIVE_DELAY
    channel: ClassVar[str]
    """Name of the data channel."""
    hello: ClassVar[str] = ""
    """What is said on it as soon as it is open."""

    def __init__(self, name: str, settings: AgentFile | None) -> None:
        """Raises UsageError when a header's environment variable is not set."""
        self.name = name
        self._settings = settings or AgentFile.model_construct(agent=name)
        self._headers = header_values(self._settings.headers, name)
        self._secrets: tuple[str, ...] = secrets_of(self._settings)
        self._peer: Peer | None = None
        self._channel: _Channel | None = None

    @abstractmethod
    async def _signal(self, offer: str) -> str:
        """Carry our SDP to the agent, and give back its own. Raises TransportError."""

    @abstractmethod
    def _taker(self, inbox: BoundedInbox, say: Say) -> Take:
        """What is to be called with each message of the data channel; `say` answers."""

    async def open(self, inbox: BoundedInbox) -> None:
        self._peer = peer = await peer_for(self._settings, self.name, inbox)
        inbox.hide(*self._secrets)
        channel = _Channel(self._hello_answered)
        take = self._taker(inbox, channel.say)

        def hear(message: str | bytes) -> None:
            if not inbox.admit(message):
                return
            try:
                with inbox.work.measured():
                    channel.heard(message, take)
            except Exception as error:  # noqa: BLE001 - aiortc would close the connection, and nobody knew why
                inbox.broke(error)

        def adopt(opened: Any) -> None:
            """The channel that was opened last is the one that is spoken on; what comes on any of them is taken."""
            opened.on("message", hear)
            if opened.readyState == "open":
                channel.open(opened, self.hello, peer)
            else:
                opened.on("open", lambda: channel.open(opened, self.hello, peer))

        self._channel = channel
        adopt(peer.connection.createDataChannel(self.channel))
        peer.connection.on("datachannel", adopt)
        try:
            answer = await self._signal(await peer.offer(inbox))
            await peer.answer(answer, inbox)
        except BaseException:
            channel.close()
            await peer.close()
            raise

    def send(self, pcm: Pcm) -> None:
        if self._peer is not None:
            self._peer.send(pcm)

    async def stats(self) -> ConnectionStats:
        """What is known of the wire. Raises TransportError when it is not open."""
        if self._peer is None:
            raise TransportError(f"{self.name} is not connected")
        return await self._peer.stats()

    def _hello_answered(self, message: str | bytes) -> bool:
        """Whether a message shows that what is said at first has been heard."""
        return True

    async def close(self) -> None:
        if self._channel is not None:
            self._channel.close()
        if self._peer is not None:
            await self._peer.close()
