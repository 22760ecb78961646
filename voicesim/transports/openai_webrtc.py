"""OpenAI Realtime over WebRTC: SDP to `/v1/realtime/calls`, events on the `oai-events` data channel."""

import json
from collections.abc import Mapping
from typing import Any

from voicesim.audio.samples import Pcm
from voicesim.catalog.agent_file import AgentFile
from voicesim.errors import TransportError
from voicesim.recording.events import Intent
from voicesim.redact import redact
from voicesim.tools.dispatcher import ToolDispatcher
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.openai_client import RealtimeClient
from voicesim.transports.openai_events import reason
from voicesim.transports.openai_session import CLIENT_SECRET, key_for, new_session
from voicesim.transports.openai_socket import SHOWN
from voicesim.transports.spec import SelfTest, TransportSpec
from voicesim.transports.webrtc_base import Say, Take, WebRTCTransport

COMMIT_LAG = 0.2
"""Seconds from a line to its commit: sound goes another way than events, and waits in the server's jitter buffer."""
_SOUNDING = {
    "output_audio_buffer.started": True,
    "output_audio_buffer.stopped": False,
    "output_audio_buffer.cleared": False,
}


class OpenAIWebRTC(WebRTCTransport):
    """A realtime model, at OpenAI or at any server that speaks its WebRTC protocol."""

    channel = "oai-events"

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        key: str | None = None,
        settings: AgentFile | None = None,
        dispatcher: ToolDispatcher | None = None,
    ) -> None:
        """`base_url` ends in /v1. Key and base URL are those of the agent file or the environment if not given.

        The tools of `dispatcher` are offered, and their calls answered by it. The key may be a client secret; its
        session is used as it was configured.
        """
        super().__init__(f"openai:{model}", settings)
        self._model = model
        self._base_url = base_url or self._settings.base_url or None
        self._key = key_for(self.name, key, self._settings)
        self._secrets = (self._key, *self._secrets)
        self._dispatcher = dispatcher
        self._client: RealtimeClient | None = None
        self._sounding = False

    async def _signal(self, offer: str) -> str:
        from openai import APIConnectionError, APIStatusError, AsyncOpenAI, omit

        client = AsyncOpenAI(
            api_key=self._key,
            base_url=self._base_url,
            max_retries=0,
            timeout=self._settings.limits.connect,
            default_headers=self._headers,
        )
        tools = self._dispatcher.tools if self._dispatcher else ()
        configured = self._key.startswith(CLIENT_SECRET)
        session: Any = omit if configured else new_session(self._model, self._settings, tools)
        try:
            response = await client.realtime.calls.create(sdp=offer, session=session)
            return response.text
        except APIConnectionError as error:
            told = redact(str(error.__cause__ or error), *self._secrets)
            raise TransportError(f"no agent answers at {client.base_url}: {told}") from error
        except APIStatusError as error:
            told = redact(reason(error.body), *self._secrets)[:SHOWN]
            status = f"HTTP {error.status_code}{f': {told}' if told else ''}"
            raise TransportError(f"the agent at {client.base_url} refused the call: {status}") from None
        finally:
            await client.close()

    def _taker(self, inbox: BoundedInbox, say: Say) -> Take:
        def tell(event: Mapping[str, Any]) -> None:
            say(json.dumps(event))

        def interrupt() -> None:
            if self._sounding:
                tell({"type": "output_audio_buffer.clear"})

        detection = self._settings.turn_detection
        self._client = client = RealtimeClient(
            inbox,
            tell,
            self._dispatcher,
            manual=detection is not None and detection.type == "none",
            interrupt=interrupt,
            lag=COMMIT_LAG,
        )

        def take(message: str | bytes) -> None:
            if (event := client.events.parse(message)) is not None:
                client.take(event)
                self._sounding = _SOUNDING.get(str(event.get("type")), self._sounding)

        return take

    def send(self, pcm: Pcm) -> None:
        super().send(pcm)
        if self._client is not None:
            self._client.sent()

    def caller_starts(self, intent: Intent) -> None:
        if self._client is not None:
            self._client.caller_starts(intent)

    def caller_stops(self, intent: Intent) -> None:
        if self._client is not None:
            self._client.caller_stops(intent)


SPEC = TransportSpec(
    make=lambda destination: OpenAIWebRTC(
        destination.target, settings=destination.settings, dispatcher=destination.dispatcher()
    ),
    selftest=SelfTest(
        lambda place: AgentFile(agent="openai:selftest", base_url=f"http://{place}/v1"), limit=0.010, calibrated=True
    ),
)
