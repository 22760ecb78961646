"""Server events of the OpenAI Realtime protocol, by their GA names, as both OpenAI transports read them."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, get_args

from voicesim.recording.events import AgentHeard, AgentSaid, Usage
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.messages import MOST_PARTS, parts_of

MESSAGE_LIMIT = 1_000_000
"""Characters of one message; longer ones are dropped with a warning."""
NAMES = 20
"""Unknown events and failures that are told, and turns of the caller that are remembered."""

RETIRED = {
    "response.audio.delta": "response.output_audio.delta",
    "response.audio.done": "response.output_audio.done",
    "response.audio_transcript.delta": "response.output_audio_transcript.delta",
    "response.audio_transcript.done": "response.output_audio_transcript.done",
    "response.text.delta": "response.output_text.delta",
    "response.text.done": "response.output_text.done",
}
"""Events of the retired beta, and what they are called now."""


@lru_cache(maxsize=1)
def known_events() -> frozenset[str]:
    """The type of every server event the openai package knows."""
    from openai.types.realtime import RealtimeServerEvent

    union = get_args(RealtimeServerEvent)[0]
    return frozenset(get_args(arg.model_fields["type"].annotation)[0] for arg in get_args(union))


def parse_event(message: object, inbox: BoundedInbox) -> Mapping[str, Any] | None:
    """A message as an event; None, with a warning, when it is none."""
    if not isinstance(message, str | bytes) or len(message) > MESSAGE_LIMIT or parts_of(message) > MOST_PARTS:
        inbox.warn("the agent sent an event that is no text or far too long; dropped")
        return None
    try:
        event = json.loads(message)
    except (ValueError, RecursionError):
        words = message if isinstance(message, str) else message.decode("utf-8", "replace")
        inbox.warn("the agent sent an event that is no JSON", words[:80])
        return None
    return event if isinstance(event, dict) else None


class ServerEvents:
    """Reads the events of one call: what they tell of the agent goes into the recording."""

    def __init__(self, inbox: BoundedInbox) -> None:
        known_events()  # takes a second to load: now, before there is a call
        self._inbox = inbox
        self._unknown: list[str] = []
        self._turns: dict[str, list[float | None]] = {}
        self._failures: set[str] = set()
        self.last_error = ""
        """What the latest event reported, when it was an error: why the agent hangs up, if it does so now."""

    def parse(self, message: object) -> Mapping[str, Any] | None:
        """As `parse_event`."""
        return parse_event(message, self._inbox)

    def read(self, event: Mapping[str, Any], now: float) -> None:
        """Take in one event that arrived at `now` (call seconds); what says nothing new is passed over."""
        self.last_error = ""
        match event.get("type"):
            case "response.output_audio_transcript.done":
                text, response = text_of(event, "transcript"), text_of(event, "response_id")
                self._inbox.event(AgentSaid(t=now, text=text, response_id=response))
            case "response.done":
                self._done(event, now)
            case "input_audio_buffer.speech_started" | "input_audio_buffer.speech_stopped":
                self._turn(event).append(now)
            case "conversation.item.input_audio_transcription.completed":
                start, end, *_ = [*self._turn(event), None, None]
                self._inbox.event(AgentHeard(t=now, text=text_of(event, "transcript"), start=start, end=end))
            case "error" if not is_busy(event.get("error")):  # what was refused is asked for again later
                self.last_error = reason(event.get("error"))
                self._fail("the agent reports an error", self.last_error)
            case str(name) if name not in known_events():
                self._meet(name)

    def _done(self, event: Mapping[str, Any], now: float) -> None:
        response = event.get("response")
        if isinstance(response, dict):
            usage = response.get("usage")
            # A response that does not say what it used is told, too: the cost of the call is unknown then.
            used = usage if isinstance(usage, dict) else {}
            self._inbox.event(Usage(t=now, response_id=text_of(response, "id"), usage=used))
            self._end_of(response)
        if any(name in RETIRED for name in self._unknown):
            self._speaks_beta()

    def _end_of(self, response: Mapping[str, Any]) -> None:
        """Tell why a response failed or breaks off; one that the caller interrupted is as it should be."""
        details = response.get("status_details")
        details = details if isinstance(details, dict) else {}
        match response.get("status"):
            case "failed":
                words = reason(details.get("error")) or text_of(details, "reason")
                self._fail("a response of the agent failed", words or "its server gave no reason")
            case "incomplete":
                words = text_of(details, "reason") or reason(details.get("error"))
                self._fail("a response of the agent broke off", words or "its server gave no reason")
            case "completed":
                self._inbox.failed("")

    def _fail(self, what: str, words: str) -> None:
        """A failure in the server's words, told once, however often and in whatever events they come."""
        self._inbox.failed(f"{what}: {words}")
        if words not in self._failures and len(self._failures) < NAMES:
            self._failures.add(words)
            self._inbox.warn(f"{what}: {words}")

    def _meet(self, name: str) -> None:
        """An unknown event. Sound in one of the retired beta can only be lost, so the line ends with it."""
        name = name[:80]
        if name not in self._unknown and len(self._unknown) < NAMES:
            self._unknown.append(name)
            self._inbox.warn(f"the agent sends an event that voicesim does not know: {name}")
        if name == "response.audio.delta":
            self._speaks_beta()

    def _speaks_beta(self) -> None:
        unknown = ", ".join(f"{name} (now {RETIRED[name]})" if name in RETIRED else name for name in self._unknown)
        self._inbox.ended("line", f"the agent speaks the retired beta of the protocol; unknown events: {unknown}")

    def _turn(self, event: Mapping[str, Any]) -> list[float | None]:
        """When the caller's turn with this item began and ended, as far as the agent told."""
        turn = self._turns.setdefault(text_of(event, "item_id"), [])
        if len(self._turns) > NAMES:
            del self._turns[next(iter(self._turns))]
        return turn


def text_of(event: Mapping[str, Any], field: str) -> str:
    """A field that should be text; "" when it is none."""
    value = event.get(field)
    return value if isinstance(value, str) else ""


def is_busy(problem: object) -> bool:
    """Whether an error says that a response is active, so that none can be asked for."""
    if not isinstance(problem, dict):
        return False
    busy = text_of(problem, "code") == "conversation_already_has_active_response"
    return busy or "already has an active response" in text_of(problem, "message")


def reason(problem: object) -> str:
    """The server's own words about a problem (an error object, or whatever it sent); a web page has none.

    Not cut: a key that a cut goes through would no longer be known as one.
    """
    if not isinstance(problem, dict):
        words = " ".join(str(problem or "").split())
        return "" if words.startswith("<") else words
    message, codes = text_of(problem, "message"), [text_of(problem, name) for name in ("code", "param")]
    named = ", ".join(code for code in codes if code)
    return f"{message} ({named})" if message and named else message or named
