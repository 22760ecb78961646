"""GPT-Live over WebRTC: JSON with the SDP offer to `/v1/live/sessions`, events on the `oai-events` data channel."""

import json
from collections.abc import Mapping
from typing import Any

from voicesim.audio.samples import Pcm
from voicesim.catalog.agent_file import AgentFile
from voicesim.errors import TransportError
from voicesim.tools.dispatcher import ToolDispatcher
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.messages import read_object
from voicesim.transports.openai_events import parse_event, text_of
from voicesim.transports.openai_live import PATH, SETTINGS, LiveAgentFile, LiveClient, delegate_of, new_session
from voicesim.transports.openai_peer import OpenAIPeer
from voicesim.transports.spec import SelfTest, TransportSpec
from voicesim.transports.webrtc_base import Say, Take

BILLED_AT_LEAST = 15.0
"""Seconds that making a WebRTC session costs; they count towards its length."""


class LiveWebRTC(OpenAIPeer):
    """A full-duplex model, at OpenAI or at any server that speaks its protocol."""

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        key: str | None = None,
        settings: AgentFile | None = None,
        dispatcher: ToolDispatcher | None = None,
    ) -> None:
        """`base_url` ends in /v1. Key and base URL are those of the agent file or the environment if not given."""
        super().__init__("openai-live", model, settings or LiveAgentFile(agent=f"openai-live:{model}"), base_url, key)
        self._tools = dispatcher is not None
        self._delegate = delegate_of(self._settings, dispatcher)
        self._client: LiveClient | None = None
        self._say: Say | None = None

    async def _signal(self, offer: str) -> str:
        session = new_session(self._model, self._settings, None, tools=self._tools)
        body = {"session": session, "transport": {"type": "webrtc", "sdp": offer}}
        answer, shown = await self._post(PATH, json=body)
        content = read_object(answer.body)
        transport = content.get("transport")
        sdp = text_of(transport, "sdp") if isinstance(transport, dict) else ""
        if not sdp:
            raise TransportError(f"the agent at {shown} answered without an SDP answer in transport.sdp")
        return sdp

    def _taker(self, inbox: BoundedInbox, say: Say) -> Take:
        def tell(event: Mapping[str, Any]) -> None:
            say(json.dumps(event))

        self._say = say
        self._client = client = LiveClient(inbox, tell, self._delegate, BILLED_AT_LEAST)

        def take(message: str | bytes) -> None:
            if (event := parse_event(message, inbox)) is None:
                return
            client.take(event)
            if client.closed:
                why, hung_up = client.why_over()
                inbox.ended("agent" if hung_up else "line", why if hung_up else f"the session was closed: {why}")

        return take

    def send(self, pcm: Pcm) -> None:
        super().send(pcm)
        if self._client is not None:
            self._client.tick()

    def stop(self) -> None:
        """The call ends now; what the agent told so far is kept, and the session is closed."""
        if self._client is not None:
            self._client.stop()

    async def close(self) -> None:
        if self._say is not None:
            self._say(json.dumps({"type": "session.close"}))
            self._say = None
        await super().close()


SPEC = TransportSpec(
    make=lambda destination: LiveWebRTC(
        destination.target, settings=destination.settings, dispatcher=destination.dispatcher()
    ),
    agent_file=LiveAgentFile,
    settings=SETTINGS | {"ice_servers"},
    selftest=SelfTest(
        lambda place: LiveAgentFile(agent="openai-live:selftest", base_url=f"http://{place}/v1"),
        limit=0.010,
        calibrated=True,
    ),
)
