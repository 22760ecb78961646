"""What WebRTC lines have in common: one peer, one data channel, and an offer that is carried to the agent."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar

from voicesim.audio.samples import Pcm
from voicesim.catalog.agent_file import AgentFile
from voicesim.errors import TransportError
from voicesim.transports.base import Facts
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.headers import secrets_of, values_of
from voicesim.transports.ice import peer_for
from voicesim.transports.webrtc import HELD, Peer

Say = Callable[[str], None]
Take = Callable[[str | bytes], None]


class WebRTCTransport(ABC):
    """A line but for two things: how the agent gets the offer, and what its messages mean."""

    held = HELD
    channel: ClassVar[str]
    """Name of the data channel."""
    hello: ClassVar[str] = ""
    """What is said on it as soon as it is open."""

    def __init__(self, name: str, settings: AgentFile | None) -> None:
        """Raises UsageError when a header's environment variable is not set."""
        self.name = name
        self._settings = settings or AgentFile.model_construct(agent=name)
        self._headers = values_of(self._settings.headers, name)
        self._secrets: tuple[str, ...] = secrets_of(self._settings)
        self._peer: Peer | None = None

    @abstractmethod
    async def _signal(self, offer: str) -> str:
        """Carry our SDP to the agent, and give back its own. Raises TransportError."""

    @abstractmethod
    def _taker(self, inbox: BoundedInbox, say: Say) -> Take:
        """What is to be called with each message of the data channel; `say` answers."""

    async def open(self, inbox: BoundedInbox) -> None:
        self._peer = peer = await peer_for(self._settings, self.name, inbox)
        channel = peer.connection.createDataChannel(self.channel)

        def say(message: str) -> None:
            if message and channel.readyState == "open":
                channel.send(message)

        inbox.hide(*self._secrets)
        take = self._taker(inbox, say)
        channel.on("open", lambda: say(self.hello))
        channel.on("message", lambda message: take(message) if inbox.admit(message) else None)
        try:
            answer = await self._signal(await peer.offer(inbox))
            await peer.answer(answer, inbox)
        except BaseException:
            await peer.close()
            raise

    def send(self, pcm: Pcm) -> None:
        if self._peer is not None:
            self._peer.send(pcm)

    async def facts(self) -> Facts:
        """What is known of the wire. Raises TransportError when it is not open."""
        if self._peer is None:
            raise TransportError(f"{self.name} is not connected")
        return await self._peer.facts()

    async def close(self) -> None:
        if self._peer is not None:
            await self._peer.close()
