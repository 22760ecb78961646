"""Any Pipecat bot on its SmallWebRTC transport: SDP to `/api/offer`, RTVI messages when the bot sends them."""

import json
from typing import Any
from urllib.parse import urlsplit

from voicesim.catalog.agent_file import AgentFile
from voicesim.errors import LineError, UsageError
from voicesim.lines.base import Facts, Inbox
from voicesim.lines.headers import headers_of
from voicesim.lines.ice import peer_for
from voicesim.lines.reports import report, rtvi_report
from voicesim.lines.webrtc import HELD, Peer
from voicesim.recording.events import AgentMetric, AgentSaid, Event
from voicesim.sound import Pcm

MESSAGE_LIMIT = 1_000_000
"""Characters of one message; longer ones are dropped."""
CLIENT_READY = {
    "label": "rtvi-ai",
    "type": "client-ready",
    "id": "voicesim",
    "data": {"version": "1.0.0", "about": {"library": "voicesim"}},
}
"""What a bot that greets on RTVI's client-ready waits for."""


class SmallWebRTC:
    """A bot at an URL such as http://localhost:7860; without a path, `/api/offer` is added."""

    held = HELD

    def __init__(self, url: str, settings: AgentFile | None = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.netloc:
            raise UsageError(f"{url!r} is no http or https URL of a SmallWebRTC bot, such as http://localhost:7860")
        self.name = f"smallwebrtc:{url}"
        self._url = url if parts.path.strip("/") else url.rstrip("/") + "/api/offer"
        self._settings = settings or AgentFile.model_construct(agent=self.name)
        self._headers = headers_of(self._settings.headers, self.name)
        self._peer: Peer | None = None

    async def open(self, inbox: Inbox) -> None:
        self._peer = peer = await peer_for(self._settings, self.name, inbox)
        channel = peer.connection.createDataChannel("chat")
        channel.on("open", lambda: channel.send(json.dumps(CLIENT_READY)))
        channel.on("message", lambda message: _receive(message, inbox))
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
        """What is known of the wire; only while the line is open."""
        if self._peer is None:
            raise LineError(f"{self.name} is not connected")
        return await self._peer.facts()

    async def close(self) -> None:
        if self._peer is not None:
            await self._peer.close()

    async def _signal(self, offer: str) -> str:
        import aiohttp

        limit = aiohttp.ClientTimeout(total=self._settings.limits.connect)
        try:
            async with (
                aiohttp.ClientSession(timeout=limit, headers=self._headers) as session,
                session.post(self._url, json={"sdp": offer, "type": "offer"}) as response,
            ):
                if response.status >= 400:
                    raise LineError(f"the agent at {self._url} refused the call: HTTP {response.status}")
                answer = await response.json()
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            raise LineError(f"no agent answers at {self._url}: {error or type(error).__name__}") from error
        if not isinstance(answer, dict) or not isinstance(answer.get("sdp"), str):
            raise LineError(f"the agent at {self._url} answered without an SDP")
        return str(answer["sdp"])


def _receive(message: Any, inbox: Inbox) -> None:
    for event in translate(message, inbox.now()):
        inbox.event(event)


def translate(message: Any, now: float) -> list[Event]:
    """An RTVI message as recording events; none for those that say nothing new, or are no RTVI."""
    if not isinstance(message, str) or len(message) > MESSAGE_LIMIT:
        return []
    try:
        content = json.loads(message)
    except (ValueError, RecursionError):
        return []
    if (told := report(content, now)) is not None:
        return [told]
    if not isinstance(content, dict) or not isinstance(data := content.get("data"), dict):
        return []
    if content.get("type") == "bot-transcription":
        return [AgentSaid(t=now, text=str(data.get("text", "")))]
    if content.get("type") == "metrics":
        return [
            AgentMetric(t=now, name=str(name), value=float(one["value"]), detail=str(one.get("processor", "")))
            for name in ("ttfb", "processing")
            for one in data.get(name) or ()
            if isinstance(one, dict) and isinstance(one.get("value"), int | float)
        ]
    told = rtvi_report(content.get("type"), data, now)
    return [told] if told else []
