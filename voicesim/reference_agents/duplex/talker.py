"""One conversation in full duplex: the agent hears all the time, also while it speaks. It knows no wire."""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import numpy as np

from voicesim.audio.samples import RATE, Pcm, to_wave
from voicesim.language.listening import only_listens
from voicesim.reference_agents.brain import Equipped, Reply, ToolBrain, ToolUse
from voicesim.reference_agents.duplex.floor import Floor
from voicesim.reference_agents.duplex.protocol import (
    ContextAppend,
    InputAppend,
    Session,
    SessionClose,
    parse_event,
    parse_session,
)
from voicesim.reference_agents.duplex.speech import Speech
from voicesim.reference_agents.duplex.wire import Sending, sound_format
from voicesim.reference_agents.realtime.dialogue import Parts
from voicesim.reference_agents.realtime.dictation import Dictation
from voicesim.reference_agents.realtime.listening import Listener
from voicesim.reference_agents.realtime.outbox import Outbox
from voicesim.reference_agents.realtime.playout import Playout
from voicesim.reference_agents.realtime.refusal import ProtocolError
from voicesim.reference_agents.realtime.session import ServerVad
from voicesim.reference_agents.realtime.tasks import Tasks
from voicesim.reference_agents.realtime.wire import Incoming
from voicesim.tools.dispatcher import ToolDispatcher

LINGER = 8.0
"""Seconds the call stays open after the agent's goodbye."""
GOODBYE = 0.3
"""Seconds that the last event gets to arrive."""
LONGEST = 3600
"""Seconds after which a session would expire; none lasts so long here."""
USAGE_EVERY = 15.0
"""Seconds between two reports of the session's length."""
SILENCE_MS = 800
"""Silence that ends the caller's turn."""
MURMURS = ("I see.", "Okay.", "Right.")
MURMUR_LEVEL = 0.6
"""Of the agent's own voice."""
_LOOK = 0.04


@dataclass(frozen=True)
class Shared:
    """What all calls of a process share, and a dispatcher for each where the agent has tools."""

    parts: Parts
    make_dispatcher: Callable[[], ToolDispatcher | None]


class Talker:
    """Takes the caller's sound and the client's events; fills a playout with sound and an outbox with events."""

    def __init__(
        self, call: str, shared: Shared, tasks: Tasks, on_over: Callable[[], None], session: Session | None
    ) -> None:
        """`on_over` is told when the session is closed. Without a `session`, the client's first event has to bring it,
        and the sound of both sides travels in events."""
        self.outbox, self.playout = Outbox(), Playout()
        self._call, self._tasks, self._on_over = call, tasks, on_over
        parts = shared.parts
        self._brain, self._dispatcher = parts.make_brain(), shared.make_dispatcher()
        self._speech = Speech(self.playout, parts.say, parts.voices, self._tell_said)
        self._hear, self._ears = parts.hear, parts.ears
        self._listener = Listener(parts.hear, parts.ears, self._caller_starts, self._caller_stops)
        self._listener.configure(ServerVad(silence_duration_ms=SILENCE_MS))
        self._floor = Floor(
            self._listener, self._understand, lambda: self._speech.speaking, self._give_way, self._murmur
        )
        self._murmurs: list[tuple[str, Pcm]] = []
        self._next_murmur = cycle(range(len(MURMURS)))
        self._words: list[str] = []
        self._unread = 0
        self._replying: asyncio.Task[None] | None = None
        self._over = self._closed = False
        self._begun: float | None = None
        self._resource: dict[str, Any] = {}
        self._sending: Sending | None = None
        self._incoming = Incoming()
        if isinstance(self._brain, Equipped):
            tools = self._dispatcher.tools if self._dispatcher else ()
            self._brain.offered([tool.model_dump() for tool in tools])
        if session is not None:
            self._begin(session)

    def hear(self, block: Pcm) -> None:
        """The next samples of the caller: int16 mono at 24,000 Hz."""
        self._listener.feed(block)
        self._floor.heard()

    def greet(self) -> None:
        """Says the greeting, unless something was said already, or there is no session yet."""
        if self._begun is None:
            self._tasks.later(_LOOK, self._greet_later)
        elif not (self._replying or self._words or self._listener.speaking) and (greeting := self._brain.greet()):
            self._replying = self._tasks.spawn(self._speech.say(greeting))

    def message(self, text: object) -> None:
        """A message of the client; what is wrong with it goes back as an `error` event."""
        try:
            self._obey(text)
        except ProtocolError as error:
            body = error.body()
            self.outbox.send("error", error={**body, "client_event_id": body.pop("event_id")})

    def stop(self) -> None:
        self._listener.stop()

    # -- the session

    def _begin(self, session: Session) -> None:
        self._begun = asyncio.get_running_loop().time()
        expires = round(time.time()) + LONGEST
        resource = {"id": f"live_{self._call}", "expires_at": expires, "status": "active"}
        self._resource = {**resource, **session.model_dump(exclude_none=True)}
        self.outbox.send("session.started", session=self._resource)
        if self._dispatcher is not None:
            self.outbox.send("tool_state", state=self._dispatcher.state)
        self._tasks.spawn(self._report_usage())
        self._tasks.spawn(self._prepare_murmurs())

    def _obey(self, text: object) -> None:
        event = parse_event(text)
        if event.type == "session.start":
            if self._begun is not None:
                raise ProtocolError("The session has started already.", "invalid_value", "type", event.event_id)
            session = parse_session(event.session, by_events=True)
            self._sending = Sending(sound_format(session), self.playout, self.outbox)
            self._begin(session)
            self._tasks.spawn(self._sending.run())
        elif self._begun is None:
            raise ProtocolError("The first event has to be session.start.", "session_not_started", "type")
        elif isinstance(event, InputAppend):
            if self._sending is None:
                raise ProtocolError("The caller's sound comes over the audio track.", "invalid_value", "type")
            self.hear(self._incoming.feed(event.audio, self._sending.format))
        elif isinstance(event, ContextAppend):
            now = self._now_ms()
            self.outbox.send(f"{event.type}ed", start_ms=now, end_ms=now, client_event_id=event.event_id)
        elif isinstance(event, SessionClose):
            self._tasks.spawn(self._close("close_requested"))

    async def _report_usage(self) -> None:
        while True:
            await asyncio.sleep(USAGE_EVERY)
            self.outbox.send("session.usage.updated", usage=self._usage())

    def _usage(self) -> dict[str, int]:
        lasted = asyncio.get_running_loop().time() - self._begun if self._begun is not None else 0.0
        return {"seconds": round(lasted)}

    async def _close(self, reason: str) -> None:
        if not self._closed:
            self._closed = True
            self.outbox.send("session.closed", reason=reason, usage=self._usage(), session=self._resource)
            await asyncio.sleep(GOODBYE)
            self._on_over()

    # -- turns of the caller

    def _caller_starts(self, at: int) -> None:
        self._floor.caller_starts(at)
        if self._speech.speaking:
            self._tasks.spawn(self._floor.weigh())

    def _caller_stops(self, _at: int, dictation: Dictation) -> None:
        self._unread += 1
        self._tasks.spawn(self._take_turn(dictation, talked_on=self._speech.speaking))

    async def _take_turn(self, dictation: Dictation, *, talked_on: bool) -> None:
        """Answer what the caller said; the agent talked on through what only shows that the caller listens."""
        try:
            text = (await dictation.finish()).strip()
        finally:
            self._unread -= 1
        if text:
            self.outbox.send("session.input_transcript.delta", delta=f"{text} ", start_ms=0, end_ms=self._now_ms())
        if talked_on and only_listens(text):
            return
        self._words.append(text)
        if self._speech.speaking:
            self._give_way()
        if self._replying is None or self._replying.done():
            self._replying = self._tasks.spawn(self._reply())

    async def _understand(self, pcm: Pcm) -> str:
        return await asyncio.get_running_loop().run_in_executor(self._ears, self._hear, to_wave(pcm))

    # -- turns of the agent

    async def _reply(self) -> None:
        """Answers all that was said since the last reply; begins when the caller is silent."""
        await self._silence()
        while self._words and not self._over:
            heard = " ".join(text for text in self._words if text)
            self._words.clear()
            reply = await self._brain.reply(heard)
            while await self._said(reply) and reply.use is not None:
                reply = await self._use(reply.use)

    async def _said(self, reply: Reply) -> bool:
        """Say a reply; False when the caller said something more before it could begin."""
        await self._silence()
        if self._words:
            self._brain.interrupted("")
            return False
        await self._speech.say(reply.text)
        if reply.done and not self._over:
            self._over = True
            self._tasks.later(LINGER, lambda: self._close("remote_hangup"))
        return True

    async def _silence(self) -> None:
        """Until the caller says nothing, and all that it said is understood."""
        while True:
            if not (self._listener.speaking or self._unread):
                return
            await asyncio.sleep(_LOOK)

    async def _use(self, use: ToolUse) -> Reply:
        """Use a tool of the agent's own, and report it."""
        call = f"{self._call}-{self._now_ms()}"
        self.outbox.send("tool_call", call_id=call, name=use.name, arguments=dict(use.arguments))
        result: Mapping[str, Any] = {"ok": False, "error": "this agent has no tools"}
        if self._dispatcher is not None:
            result = self._dispatcher.call(use.name, dict(use.arguments)).result
        self.outbox.send("tool_result", call_id=call, result=dict(result))
        return await self._brain.took(result) if isinstance(self._brain, ToolBrain) else Reply("")

    def _give_way(self) -> None:
        """Stop speaking: the caller has the floor."""
        if self._replying is not None:
            self._replying.cancel()
        self._replying = None
        self._brain.interrupted(self._speech.cut())

    def _murmur(self) -> None:
        """Show that it listens, without taking the floor."""
        if self._murmurs and not self.playout.waiting and not self._over:
            text, pcm = self._murmurs[next(self._next_murmur) % len(self._murmurs)]
            self.playout.put(pcm)
            self._tell_said(text)

    async def _prepare_murmurs(self) -> None:
        for text in MURMURS:
            pcm = await self._speech.sound(text)
            self._murmurs.append((text, np.rint(pcm * MURMUR_LEVEL).astype(np.int16)))

    async def _greet_later(self) -> None:
        self.greet()

    def _tell_said(self, text: str) -> None:
        now = self._now_ms()
        self.outbox.send("session.output_transcript.delta", delta=f"{text} ", start_ms=now, end_ms=now)

    def _now_ms(self) -> int:
        return round(1000 * self._listener.now / RATE)
