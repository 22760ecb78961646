"""Any Pipecat bot on its SmallWebRTC transport: SDP to `/api/offer`, RTVI messages when the bot sends them.

A bot behind a Pipecat runner can also be asked for a session first, by `/start`, as Pipecat's own clients do.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

from voicesim.catalog.addresses import secrets_in
from voicesim.catalog.agent_file import AgentFile
from voicesim.errors import TransportError
from voicesim.recording.events import AgentHeard, AgentMetric, AgentSaid, Event
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.endpoint import check_url
from voicesim.transports.http_post import post
from voicesim.transports.messages import read_object
from voicesim.transports.spec import SelfTest, TransportSpec
from voicesim.transports.tool_reports import read_rtvi_report, read_tool_report
from voicesim.transports.webrtc_base import Say, Take, WebRTCTransport

MESSAGE_LIMIT = 1_000_000
"""Characters of one message; longer ones are not read."""
OFFER, START = "/api/offer", "/start"
MOST = 1e6
"""A figure as large as this, or one that is no number, is none."""
CLIENT_READY = {
    "label": "rtvi-ai",
    "type": "client-ready",
    "id": "voicesim",
    "data": {"version": "1.0.0", "about": {"library": "voicesim"}},
}
"""What a bot that greets on RTVI's client-ready waits for."""


class SmallWebRTC(WebRTCTransport):
    """A bot at an URL such as http://localhost:7860; without a path, `/api/offer` is added.

    With a path that ends in `/start`, a session is started there, and the offer goes to that session.
    """

    channel = "chat"
    hello = json.dumps(CLIENT_READY)

    def __init__(self, url: str, settings: AgentFile | None = None) -> None:
        """Raises UsageError for what is no http or https URL."""
        super().__init__(f"smallwebrtc:{check_url(url, 'smallwebrtc', 'http')}", settings)
        self._url = url if urlsplit(url).path.strip("/") else _with_path(url, OFFER)
        self._secrets = (*self._secrets, *secrets_in(url))
        self._shown = check_url(self._url, "smallwebrtc", "http")

    async def _signal(self, offer: str) -> str:
        answer = await self._post(await self._place(), {"sdp": offer, "type": "offer"})
        if not isinstance(answer.get("sdp"), str):
            raise TransportError(f"the agent at {self._shown} answered without an SDP")
        return str(answer["sdp"])

    async def _place(self) -> str:
        """Where the offer goes: a session of its own where one has to be started."""
        path = urlsplit(self._url).path.rstrip("/")
        if not path.endswith(START):
            return self._url
        started = await self._post(self._url, {"transport": "webrtc", "body": {}})
        if not isinstance(started.get("sessionId"), str):
            raise TransportError(f"the agent at {self._shown} started no session: its answer has no sessionId")
        place = f"{path.removesuffix(START)}/sessions/{quote(started['sessionId'], safe='')}{OFFER}"
        return _with_path(self._url, place)

    async def _post(self, url: str, content: Mapping[str, Any]) -> dict[str, Any]:
        """Send an object, and give back the one that comes; an empty one if it is none."""
        answer = await post(url, self._shown, self._settings.limits.connect, self._headers, json=content)
        if answer.status >= 400:
            hint = f"; a Pipecat bot takes calls at {OFFER} or {START}" if answer.status == 404 else ""
            raise TransportError(f"the agent at {self._shown} refused the call: HTTP {answer.status}{hint}")
        return read_object(answer.body)

    def _hello_answered(self, message: str | bytes) -> bool:
        return read_object(message).get("label") == "rtvi-ai"

    def _taker(self, inbox: BoundedInbox, say: Say) -> Take:
        def take(message: str | bytes) -> None:
            for event in translate(message, inbox.now()):
                inbox.event(event)

        return take


def translate(message: str | bytes, now: float) -> list[Event]:
    """An RTVI message as recording events; none for those that say nothing new, or are no RTVI."""
    content = read_object(message) if len(message) <= MESSAGE_LIMIT else {}
    if (report := read_tool_report(content, now)) is not None:
        return [report]
    if not isinstance(data := content.get("data"), dict):
        return []
    if content.get("type") == "bot-transcription":
        return [AgentSaid(t=now, text=str(data.get("text", "")))]
    if content.get("type") == "user-transcription":
        return [AgentHeard(t=now, text=str(data.get("text", "")))] if data.get("final") else []
    if content.get("type") == "metrics":
        return list(_metrics(data, now))
    report = read_rtvi_report(content.get("type"), data, now)
    return [report] if report else []


def _metrics(data: Mapping[str, Any], now: float) -> Iterator[AgentMetric]:
    for name in ("ttfb", "processing"):
        figures = data.get(name)
        for figure in figures if isinstance(figures, list) else ():
            value = figure.get("value") if isinstance(figure, dict) else None
            if isinstance(value, int | float) and abs(value) < MOST:
                yield AgentMetric(t=now, name=name, value=value, detail=str(figure.get("processor", "")))


def _with_path(url: str, path: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=path))


SPEC = TransportSpec(
    make=lambda destination: SmallWebRTC(destination.target, destination.settings),
    settings=frozenset({"headers", "ice_servers"}),
    selftest=SelfTest(
        lambda place: AgentFile(agent=f"smallwebrtc:http://{place}/api/offer"), limit=0.010, calibrated=True
    ),
)
