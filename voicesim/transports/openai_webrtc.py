"""OpenAI Realtime over WebRTC: SDP to `/v1/realtime/calls`, events on the `oai-events` data channel."""

import json
from collections.abc import Mapping
from typing import Any

from voicesim.audio.samples import Pcm
from voicesim.catalog.agent_file import AgentFile
from voicesim.recording.events import Intent
from voicesim.tools.dispatcher import ToolDispatcher
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.openai_client import RealtimeClient
from voicesim.transports.openai_peer import OpenAIPeer
from voicesim.transports.openai_session import CLIENT_SECRET, SETTINGS, new_session
from voicesim.transports.spec import SelfTest, TransportSpec
from voicesim.transports.webrtc_base import Say, Take

COMMIT_LAG = 0.2
"""Seconds from an utterance to its commit: sound goes another way than events, through the server's jitter buffer."""
_SOUNDING = {
    "output_audio_buffer.started": True,
    "output_audio_buffer.stopped": False,
    "output_audio_buffer.cleared": False,
}


class OpenAIWebRTC(OpenAIPeer):
    """A realtime model, at OpenAI or at any server that speaks its WebRTC protocol."""

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
        super().__init__("openai", model, settings, base_url, key)
        self._dispatcher = dispatcher
        self._client: RealtimeClient | None = None
        self._sounding = False

    async def _signal(self, offer: str) -> str:
        from aiohttp import FormData

        if self._key.startswith(CLIENT_SECRET):
            answer, _ = await self._post("realtime/calls", {"Content-Type": "application/sdp"}, data=offer)
        else:
            session = new_session(self._model, self._settings, self._dispatcher.tools if self._dispatcher else ())
            body = FormData()
            body.add_field("sdp", offer, content_type="application/sdp")
            body.add_field("session", json.dumps(session), content_type="application/json")
            answer, _ = await self._post("realtime/calls", data=body)
        return answer.body.decode("utf-8", "replace")

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
    settings=SETTINGS | {"ice_servers"},
    selftest=SelfTest(
        lambda place: AgentFile(agent="openai:selftest", base_url=f"http://{place}/v1"), limit=0.010, calibrated=True
    ),
)
