"""What OpenAI's protocols over WebRTC have in common: where the model is, its key, and how a refusal is told."""

import os
from collections.abc import Mapping
from typing import Any

from voicesim.catalog.agent_file import AgentFile
from voicesim.errors import TransportError
from voicesim.redact import redact
from voicesim.transports.endpoint import check_url
from voicesim.transports.http_post import Answer, post
from voicesim.transports.messages import read_object
from voicesim.transports.openai_events import reason
from voicesim.transports.openai_session import key_for
from voicesim.transports.openai_socket import OPENAI, SHOWN
from voicesim.transports.webrtc_base import WebRTCTransport


class OpenAIPeer(WebRTCTransport):
    """A model, at OpenAI or at any server that speaks its protocol, but for the session and its events."""

    channel = "oai-events"

    def __init__(
        self, transport: str, model: str, settings: AgentFile | None, base_url: str | None, key: str | None
    ) -> None:
        """`base_url` ends in /v1. Key and base URL are those of the agent file or the environment if not given."""
        super().__init__(f"{transport}:{model}", settings)
        self._transport, self._model = transport, model
        self._base_url = base_url or self._settings.base_url or None
        self._key = key_for(self.name, key, self._settings)
        self._secrets = (self._key, *self._secrets)

    async def _post(self, path: str, headers: Mapping[str, str] | None = None, **body: Any) -> tuple[Answer, str]:
        """Ask for a session; gives the answer and the address as shown. Raises TransportError when it is refused."""
        place = (self._base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI).rstrip("/")
        shown = check_url(place, self._transport, "http")
        sent = {"Authorization": f"Bearer {self._key}", **self._headers, **(headers or {})}
        answer = await post(f"{place}/{path}", shown, self._settings.limits.connect, sent, **body)
        if answer.status >= 400:
            content = read_object(answer.body)
            words = reason(content.get("error", content) or answer.body.decode("utf-8", "replace"))
            detail = redact(words, *self._secrets)[:SHOWN]
            status = f"HTTP {answer.status}{f': {detail}' if detail else ''}"
            raise TransportError(f"the agent at {shown} refused the call: {status}")
        return answer, shown
