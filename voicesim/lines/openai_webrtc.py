"""OpenAI Realtime over WebRTC: SDP to `/v1/realtime/calls`, events on the `oai-events` data channel."""

import json
from typing import Any

from voicesim.backend.desk import Desk
from voicesim.catalog.agent_file import AgentFile
from voicesim.errors import LineError
from voicesim.lines.base import Facts, Inbox
from voicesim.lines.function_calls import FunctionCalls
from voicesim.lines.headers import headers_of
from voicesim.lines.ice import peer_for
from voicesim.lines.openai_events import ServerEvents, reason
from voicesim.lines.openai_session import CLIENT_SECRET, key_for, new_session
from voicesim.lines.reports import report
from voicesim.lines.telling import Telling, redact
from voicesim.lines.webrtc import HELD, Peer
from voicesim.sound import Pcm


class OpenAIWebRTC:
    """A realtime model, at OpenAI or at any server that speaks its WebRTC protocol."""

    held = HELD

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        key: str | None = None,
        settings: AgentFile | None = None,
        desk: Desk | None = None,
    ) -> None:
        """`base_url` ends in /v1. Key and base URL are those of the agent file or the environment if not given.

        The tools of `desk` are offered, and their calls answered by it. The key may be a client secret; its
        session is used as it was configured.
        """
        self.name = f"openai:{model}"
        self._model = model
        self._settings = settings or AgentFile(agent=self.name)
        self._base_url = base_url or self._settings.base_url or None
        self._key = key_for(self.name, key, self._settings.key_env)
        self._headers = headers_of(self._settings.headers, self.name)
        self._desk = desk
        self._peer: Peer | None = None

    async def open(self, inbox: Inbox) -> None:
        self._peer = peer = await peer_for(self._settings, self.name, inbox)
        channel = peer.connection.createDataChannel("oai-events")
        take = _taker(inbox, Telling(inbox, self._key), FunctionCalls(self._desk), channel)
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

    async def facts(self) -> Facts:
        """What is known of the wire; only while the line is open."""
        if self._peer is None:
            raise LineError(f"{self.name} is not connected")
        return await self._peer.facts()

    async def close(self) -> None:
        if self._peer is not None:
            await self._peer.close()

    async def _call(self, offer: str) -> str:
        from openai import APIConnectionError, APIStatusError, AsyncOpenAI, omit

        client = AsyncOpenAI(
            api_key=self._key,
            base_url=self._base_url,
            max_retries=0,
            timeout=self._settings.limits.connect,
            default_headers=self._headers,
        )
        tools = self._desk.tools if self._desk else ()
        configured = self._key.startswith(CLIENT_SECRET)
        session: Any = omit if configured else new_session(self._model, self._settings, tools)
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


def _taker(inbox: Inbox, telling: Telling, calls: FunctionCalls, channel: Any) -> Any:
    """What is to be called with each message of the data channel."""
    events = ServerEvents(telling)

    def take(message: object) -> None:
        if not telling.admit() or (event := events.parse(message)) is None:
            return
        if (told := report(event, inbox.now())) is not None:
            telling.event(told)
            return
        events.read(event, inbox.now())
        reaction = calls.take(event, inbox.now())
        for one in reaction.events:
            telling.event(one)
        for answer in reaction.messages:
            if channel.readyState == "open":
                channel.send(json.dumps(answer))

    return take
