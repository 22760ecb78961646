"""GPT-Live, whatever its wire: the session that is asked for, and what the server's events mean.

The model listens while it speaks, and decides itself when. No event of ours begins, cancels or cuts what it says, and
none of its own tells of turns, so all that is measured comes from the sound.
Events after https://developers.openai.com/api/docs/guides/voice-websockets and the openai package.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeAlias, get_args

from voicesim.catalog.agent_file import AgentFile, Plain
from voicesim.catalog.model_names import resolve_model
from voicesim.llm.client import ChatModel
from voicesim.recording.events import AgentHeard, AgentSaid, ToolCall, ToolResult, Usage
from voicesim.tools.dispatcher import ToolDispatcher
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.live_delegate import FAILED, NOTHING, PATIENCE, Delegate
from voicesim.transports.openai_events import NAMES, reason, text_of
from voicesim.transports.openai_session import INSTRUCTIONS, AudioType
from voicesim.transports.tool_reports import read_tool_report

PATH = "live/sessions"
SETTINGS = frozenset({"instructions", "voice", "tools", "base_url", "key_env", "headers"})
"""Keys of an agent file that a session uses, on either wire."""
SAID_PAUSE = 1.0
"""Seconds without a fragment that end a stretch of transcript; the protocol ends none."""
REMEMBERED = 60
"""Stretches of the call's transcript that a delegate is shown."""
DELEGATES = " Delegate whatever has to be looked up or booked, and say that it is done only once you are told so."
CLOSINGS: dict[str, str] = {
    "expired": "the session reached its time limit",
    "content": "a safety filter ended the session",
    "connection_lost": "the server lost the connection",
    "close_requested": "somebody else asked for the session's end",
}
"""Why a session is closed, but for an agent that hangs up."""
HUNG_UP = "remote_hangup"
NOBODY = "the agent delegated work that nobody does: name a `delegate` in the agent file, and call a case"
STRETCH = 2_000
"""Characters from which a stretch of transcript is told before it ends; a longer fragment is cut."""
DELEGATIONS_AT_ONCE, DELEGATIONS = 4, 100
"""Tasks that are done side by side, and in a call: each asks a model that somebody pays for."""
TOO_MANY = "Too much was asked for at once. Tell the caller that it has to wait."
Tell: TypeAlias = Callable[[Mapping[str, Any]], None]


class LiveAgentFile(AgentFile):
    """An agent file with the model that does delegated work: `openai:MODEL` or a model file."""

    delegate: Plain = ""

    def variables(self) -> Iterator[str]:
        yield from super().variables()
        if self.delegate:
            server = resolve_model(self.delegate.removeprefix("openai:"))
            yield from (name for name in (server.key_env, *(env for env, _ in server.headers.values())) if name)


def new_session(model: str, settings: AgentFile, audio: AudioType | None, *, tools: bool) -> dict[str, Any]:
    """The configuration of a session. `audio` is the format on a WebSocket; None where WebRTC agrees on its own.

    Unknown fields are refused by the server, so none is sent that need not be.
    """
    session: dict[str, Any] = {
        "model": model,
        "instructions": settings.instructions or INSTRUCTIONS + (DELEGATES if tools else ""),
        "delegation": {"type": "client"},
    }
    sound: dict[str, Any] = {}
    if audio is not None:
        sound["format"] = {"type": audio, "rate": 24_000 if audio == "audio/pcm" else 8_000}
    if settings.voice:
        sound["output"] = {"voice": settings.voice}
    return session | ({"audio": sound} if sound else {})


def delegate_of(settings: AgentFile, dispatcher: ToolDispatcher | None) -> Delegate | None:
    """Who does delegated work: the agent file's model, with the tools of the case.

    None without either. Raises UsageError when the model's key is missing.
    """
    if dispatcher is None or not isinstance(settings, LiveAgentFile) or not settings.delegate:
        return None
    server = resolve_model(settings.delegate.removeprefix("openai:"))
    return Delegate(ChatModel(server, "delegate", PATIENCE, retries=1, temperature=None), dispatcher)


@lru_cache(maxsize=1)
def known_events() -> frozenset[str]:
    """The type of every server event the openai package knows."""
    from openai.types.live import ServerEvent

    union = get_args(ServerEvent)[0]
    return frozenset(get_args(event.model_fields["type"].annotation)[0] for event in get_args(union))


class _Stretch:
    """Fragments of one side's transcript, up to a pause."""

    def __init__(self) -> None:
        self._text, self._latest = "", 0.0

    def add(self, fragment: str, now: float) -> str:
        """Take a fragment; gives the stretch before it, if it is over."""
        over = self.take(now)
        self._text, self._latest = self._text + fragment[:STRETCH], now
        return over

    def take(self, now: float, *, at_once: bool = False) -> str:
        """The stretch, if it is over; "" while it may go on."""
        if not at_once and now - self._latest < SAID_PAUSE and len(self._text) < STRETCH:
            return ""
        text, self._text = " ".join(self._text.split()), ""
        return text


class LiveClient:
    """Takes the server's events; what they tell goes into the recording, and what they ask for back to `tell`."""

    def __init__(self, inbox: BoundedInbox, tell: Tell, delegate: Delegate | None, least: float = 0.0) -> None:
        """`least`: seconds that are billed in any case."""
        known_events()  # takes a while to load: now, before there is a call
        self._inbox, self._tell, self._delegate, self._least = inbox, tell, delegate, least
        if delegate is not None:
            delegate.model.warm()
        self._said, self._heard = _Stretch(), _Stretch()
        self._transcript: deque[str] = deque(maxlen=REMEMBERED)
        self._names: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._delegations = 0
        self._begun: float | None = None
        self.last_error = ""
        """What the latest event reported, when it was an error."""
        self.closed = ""
        """Why the server closed the session, in its word; "" while it has not."""

    def take(self, event: Mapping[str, Any]) -> None:
        """One server event that has just arrived, but for sound."""
        now = self._inbox.now()
        if (report := read_tool_report(event, now)) is not None:
            self._inbox.event(report)
            return
        self.last_error = ""
        match event.get("type"):
            case "session.started":
                self._begun = asyncio.get_running_loop().time()
            case "session.output_transcript.delta":
                self._tell_said(self._said.add(text_of(event, "delta"), now))
            case "session.input_transcript.delta":
                self._tell_heard(self._heard.add(text_of(event, "delta"), now))
            case "session.delegation.created":
                self._delegated(event.get("delegation"))
            case "session.usage.updated":
                self._use(event.get("usage"))
            case "session.closed":
                self._use(event.get("usage"))
                self.closed = text_of(event, "reason") or "no reason was given"
            case "error":
                self.last_error = reason(event.get("error"))
                self._inbox.failed(f"the agent reports an error: {self.last_error}")
                self._once(f"the agent reports an error: {self.last_error}")
            case str(name) if name not in known_events():
                self._once(f"the agent sends an event that voicesim does not know: {name[:80]}")

    def tick(self) -> None:
        """To be called every 20 ms: tells a stretch of transcript that is over."""
        now = self._inbox.now()
        self._tell_said(self._said.take(now))
        self._tell_heard(self._heard.take(now))

    def stop(self) -> None:
        """The call ends now: tells what is left, and how long the session was, which is what is billed."""
        now = self._inbox.now()
        self._tell_said(self._said.take(now, at_once=True))
        self._tell_heard(self._heard.take(now, at_once=True))
        if not self.closed and self._begun is not None:
            lasted = asyncio.get_running_loop().time() - self._begun
            self._inbox.event(
                Usage(t=now, response_id="session", usage={"seconds": round(max(lasted, self._least), 2)})
            )
        for task in self._tasks:
            task.cancel()

    def why_over(self) -> tuple[str, bool]:
        """Why the server closed the session, and whether that is an agent hanging up."""
        hung_up = self.closed == HUNG_UP
        why = "the agent hung up" if hung_up else CLOSINGS.get(self.closed, self.closed)
        return f"{why}; its last event: error: {self.last_error}" if self.last_error else why, hung_up

    def _tell_said(self, text: str) -> None:
        if text:
            self._transcript.append(f"agent: {text}")
            self._inbox.event(AgentSaid(t=self._inbox.now(), text=text))

    def _tell_heard(self, text: str) -> None:
        if text:
            self._transcript.append(f"caller: {text}")
            self._inbox.event(AgentHeard(t=self._inbox.now(), text=text))

    def _use(self, usage: object) -> None:
        """Seconds so far; the latest report of a session is the one that counts."""
        if isinstance(usage, dict):
            self._inbox.event(Usage(t=self._inbox.now(), response_id="session", usage=usage))

    def _delegated(self, delegation: object) -> None:
        if not isinstance(delegation, dict) or delegation.get("target") != "client":
            return
        call, now = text_of(delegation, "id"), self._inbox.now()
        self._tell_heard(self._heard.take(now, at_once=True))
        self._inbox.event(ToolCall(t=now, call_id=call, name="delegation", arguments={}))
        if self._delegate is None:
            self._once(NOBODY)
            self._answer(call, NOTHING)
            return
        if len(self._tasks) >= DELEGATIONS_AT_ONCE or self._delegations >= DELEGATIONS:
            self._once(f"the agent delegates more than {DELEGATIONS_AT_ONCE} tasks at once, or {DELEGATIONS} in all")
            self._answer(call, TOO_MANY)
            return
        self._delegations += 1
        task = asyncio.get_running_loop().create_task(self._work(self._delegate, call))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _work(self, delegate: Delegate, call: str) -> None:
        try:
            answer = await delegate.work(tuple(self._transcript), self._inbox.now, self._inbox.event)
        except Exception as error:  # noqa: BLE001 - a task nobody awaits would hide it
            self._inbox.broke(error)
            return
        self._answer(call, answer)

    def _answer(self, call: str, content: str) -> None:
        # Work that nobody did is no failure of the agent's, and no success.
        done = {} if content in (NOTHING, FAILED, TOO_MANY) else {"ok": True}
        self._inbox.event(ToolResult(t=self._inbox.now(), call_id=call, result={**done, "told": content}))
        self._tell({"type": "session.commentary.append", "content": content, "delegation_id": call})

    def _once(self, message: str) -> None:
        if message not in self._names and len(self._names) < NAMES:
            self._names.add(message)
            self._inbox.warn(message)
