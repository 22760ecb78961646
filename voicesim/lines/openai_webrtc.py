"""OpenAI Realtime over WebRTC: SDP to `/v1/realtime/calls`, events on the `oai-events` data channel."""

from typing import Any

from voicesim.errors import LineError
from voicesim.lines.base import Inbox
from voicesim.lines.openai_events import ServerEvents, reason
from voicesim.lines.openai_session import CLIENT_SECRET, key_for, new_session
from voicesim.lines.telling import Telling, redact
from voicesim.lines.webrtc import HELD, Peer
from voicesim.sound import Pcm


class OpenAIWebRTC:
    """A realtime model, at OpenAI or at any server that speaks its WebRTC protocol."""

    held = HELD

    def __init__(self, model: str, *, base_url: str | None = None, key: str | None = None) -> None:
        """`base_url` ends in /v1. Key and base URL come from OPENAI_API_KEY and OPENAI_BASE_URL if not given.

        The key may be a client secret; its session is used as it was configured.
        """
        self.name = f"openai:{model}"
        self._model = model
        self._base_url = base_url
        self._key = key_for(self.name, key)
        self._peer: Peer | None = None

    async def open(self, inbox: Inbox) -> None:
        self._peer = peer = Peer()
        channel = peer.connection.createDataChannel("oai-events")
        take = _taker(inbox, Telling(inbox, self._key))
        channel.on("message", take)
        try:
            answer = await self._call(await peer.offer(inbox))
            await peer.answer(answer, inbox)
        except BaseException:
            await peer.close()
            raise

    def send(self, pcm: Pcm) -> None:
        if self._peer is not None:
            self._peer.send(pcm)

    async def close(self) -> None:
        if self._peer is not None:
            await self._peer.close()

    async def _call(self, offer: str) -> str:
        from openai import APIConnectionError, APIStatusError, AsyncOpenAI, omit

        client = AsyncOpenAI(api_key=self._key, base_url=self._base_url, max_retries=0, timeout=20.0)
        session: Any = omit if self._key.startswith(CLIENT_SECRET) else new_session(self._model)
        try:
            response = await client.realtime.calls.create(sdp=offer, session=session)
            return response.text
        except APIConnectionError as error:
            told = redact(str(error.__cause__ or error), self._key)
            raise LineError(f"no agent answers at {client.base_url}: {told}") from error
        except APIStatusError as error:
            told = redact(reason(error.body), self._key)
            status = f"HTTP {error.status_code}{f': {told}' if told else ''}"
            raise LineError(f"the agent at {client.base_url} refused the call: {status}") from None
        finally:
            await client.close()


def _taker(inbox: Inbox, telling: Telling) -> Any:
    """What is to be called with each message of the data channel."""
    events = ServerEvents(telling)

    def take(message: object) -> None:
        if telling.admit() and (event := events.parse(message)) is not None:
            events.read(event, inbox.now())

    return take
