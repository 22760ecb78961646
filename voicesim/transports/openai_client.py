"""The client's side of a Realtime session, whatever its wire: what the server's events lead to."""

from collections.abc import Callable, Mapping
from typing import Any

from voicesim.audio.samples import TICK_SECONDS
from voicesim.recording.events import Intent
from voicesim.tools.dispatcher import ToolDispatcher
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.function_calls import FunctionCalls
from voicesim.transports.openai_events import ServerEvents
from voicesim.transports.openai_requests import ResponseRequests
from voicesim.transports.openai_session import waits_for_commit
from voicesim.transports.tool_reports import read_tool_report

LEAST_COMMIT = 0.1
"""Seconds of sound without which a server takes no commit."""


class RealtimeClient:
    """Takes the server's events and the caller's utterances; client events go to `tell`.

    A server that does not detect turns itself (`turn_detection: none`) is told when an utterance begins and ends, as
    with push-to-talk: its own speech is interrupted and the buffer cleared, then the utterance committed and answered.
    """

    def __init__(
        self,
        inbox: BoundedInbox,
        tell: Callable[[Mapping[str, Any]], None],
        dispatcher: ToolDispatcher | None,
        *,
        manual: bool,
        interrupt: Callable[[], None],
        lag: float = 0.0,
    ) -> None:
        """`interrupt` cuts off what the agent says. `lag`: seconds the caller's sound needs longer than an event."""
        self._inbox, self._tell, self._interrupt, self._lag = inbox, tell, interrupt, lag
        self.events = ServerEvents(inbox)
        self._calls = FunctionCalls(dispatcher)
        self._requests = ResponseRequests(tell)
        self._manual = manual
        self._buffered = 0.0
        self._commit_at: float | None = None

    def take(self, event: Mapping[str, Any]) -> None:
        """One server event that has just arrived."""
        now = self._inbox.now()
        if (report := read_tool_report(event, now)) is not None:
            self._inbox.event(report)
            return
        self.events.read(event, now)
        if event.get("type") in ("session.created", "session.updated"):
            self._manual = waits_for_commit(event.get("session"), self._manual)
        reaction = self._calls.take(event, now)
        for outcome in reaction.events:
            self._inbox.event(outcome)
        for message in reaction.messages:
            self._tell(message)
        self._requests.take(event)
        if reaction.goes_on:
            self._requests.ask()

    def caller_starts(self, intent: Intent) -> None:
        """An utterance of the caller begins with the next tick."""
        if self._manual and intent != "ignore":
            if self._requests.active:
                self._tell({"type": "response.cancel"})
            self._interrupt()
            self._tell({"type": "input_audio_buffer.clear"})
            self._buffered, self._commit_at = 0.0, None

    def caller_stops(self, intent: Intent) -> None:
        """The last tick of an utterance has been sent."""
        if self._manual and intent != "ignore":
            self._commit_at = max(self._buffered + self._lag, LEAST_COMMIT)
            self._commit_when_due()

    def sent(self) -> None:
        """A tick of the caller has been sent."""
        self._buffered += TICK_SECONDS
        self._commit_when_due()

    def _commit_when_due(self) -> None:
        if self._commit_at is not None and self._buffered >= self._commit_at - TICK_SECONDS / 2:
            self._commit_at = None
            self._tell({"type": "input_audio_buffer.commit"})
            self._requests.ask()
