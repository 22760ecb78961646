"""OpenAI Realtime over WebRTC: SDP to `/v1/realtime/calls`, events on the `oai-events` data channel."""

import json
import os
from typing import Any

from voicesim.errors import LineError, UsageError
from voicesim.lines.base import Inbox
from voicesim.lines.webrtc import HELD, Peer
from voicesim.recording.events import AgentSaid, Event, Usage, Warning_
from voicesim.sound import Pcm

MESSAGE_LIMIT = 1_000_000
"""Characters of one message; longer ones are dropped with a warning."""

INSTRUCTIONS = (
    "You are the nurse on a telephone advice line. A patient is calling. Ask the history questions that matter, "
    "one or two at a time, notice danger signs, give only safe advice, and say goodbye at the end. Speak briefly."
)


class OpenAIWebRTC:
    """A realtime model, at OpenAI or at any server that speaks its WebRTC protocol."""

    held = HELD

    def __init__(self, model: str, *, base_url: str | None = None, key: str | None = None) -> None:
        """`base_url` ends in /v1. Key and base URL come from OPENAI_API_KEY and OPENAI_BASE_URL if not given."""
        self.name = f"openai:{model}"
        self._model = model
        self._base_url = base_url
        self._key = key or os.environ.get("OPENAI_API_KEY", "")
        if not self._key:
            raise UsageError(f"the agent {self.name} needs a key in the environment variable OPENAI_API_KEY")
        self._peer: Peer | None = None

    async def open(self, inbox: Inbox) -> None:
        self._peer = peer = Peer()
        channel = peer.connection.createDataChannel("oai-events")
        channel.on("message", lambda message: _receive(message, inbox))
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
        from openai import APIConnectionError, APIStatusError, AsyncOpenAI

        client = AsyncOpenAI(api_key=self._key, base_url=self._base_url, max_retries=0, timeout=20.0)
        session: Any = {
            "type": "realtime",
            "model": self._model,
            "instructions": INSTRUCTIONS,
            "audio": {
                "input": {
                    "turn_detection": {"type": "server_vad"},
                    "transcription": {"model": "whisper-1", "language": "en"},
                }
            },
        }
        try:
            response = await client.realtime.calls.create(sdp=offer, session=session)
            return response.text
        except APIConnectionError as error:
            raise LineError(f"no agent answers at {client.base_url}: {error.__cause__ or error}") from error
        except APIStatusError as error:
            raise LineError(
                f"the agent at {client.base_url} refused the call: HTTP {error.status_code}{_reason(error.body)}"
            ) from error
        finally:
            await client.close()


def _reason(body: object) -> str:
    """The server's own words about a refusal, if it gave any."""
    told = body.get("message") if isinstance(body, dict) else body
    return f": {str(told)[:300]}" if told else ""


def _receive(message: Any, inbox: Inbox) -> None:
    event = translate(message, inbox.now())
    if event is not None:
        inbox.event(event)


def translate(message: Any, now: float) -> Event | None:
    """A server event of the data channel as a recording event; None for those that say nothing new."""
    if not isinstance(message, str) or len(message) > MESSAGE_LIMIT:
        return Warning_(t=now, message="the agent sent an event that is no text or far too long; dropped")
    try:
        event = json.loads(message)
    except ValueError:
        return Warning_(t=now, message=f"the agent sent an event that is no JSON: {message[:80]!r}")
    kind = event.get("type") if isinstance(event, dict) else None
    if kind == "response.output_audio_transcript.done":
        return AgentSaid(t=now, text=str(event.get("transcript", "")), response_id=str(event.get("response_id", "")))
    if kind == "response.done" and isinstance(response := event.get("response"), dict):
        usage = response.get("usage")
        if isinstance(usage, dict):
            return Usage(t=now, response_id=str(response.get("id", "")), usage=usage)
    if kind == "error" and isinstance(problem := event.get("error"), dict):
        return Warning_(t=now, message=f"the agent reports an error: {str(problem.get('message', ''))[:300]}")
    return None
