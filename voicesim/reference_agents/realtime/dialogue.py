"""The turns of a call: ear to brain to voice, and the client's events. It knows no wire."""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any

from voicesim.audio.samples import RATE, Pcm
from voicesim.reference_agents.brain import BrainMaker, Equipped, Reply
from voicesim.reference_agents.realtime.ahead import SentAhead
from voicesim.reference_agents.realtime.conversation import Conversation
from voicesim.reference_agents.realtime.dictation import Dictation, Hear
from voicesim.reference_agents.realtime.listening import Listener
from voicesim.reference_agents.realtime.outbox import Outbox
from voicesim.reference_agents.realtime.playout import Mouth, Playout
from voicesim.reference_agents.realtime.protocol import (
    ClientEvent,
    FunctionOutput,
    InputAppend,
    InputClear,
    InputCommit,
    ItemCreate,
    ItemTruncate,
    OutputClear,
    ResponseCancel,
    ResponseCreate,
    SessionUpdate,
    parse_event,
)
from voicesim.reference_agents.realtime.refusal import ProtocolError
from voicesim.reference_agents.realtime.responding import Reason, Responder, Spawn
from voicesim.reference_agents.realtime.session import Session, updated
from voicesim.reference_agents.realtime.unanswered import Unanswered
from voicesim.reference_agents.realtime.wire import Incoming


@dataclass(frozen=True)
class Parts:
    """What all calls of a process share: one brain maker, one ear, one voice, and their threads."""

    make_brain: BrainMaker
    hear: Hear
    say: Callable[[str], Pcm]
    ears: Executor
    voices: Executor


class Dialogue:
    """Takes the caller's sound and the client's events; fills a playout with sound and an outbox with events."""

    def __init__(
        self,
        call: str,
        parts: Parts,
        session: Session,
        spawn: Spawn,
        on_over: Callable[[], None],
        *,
        by_events: bool = False,
    ) -> None:
        """`call` goes into every id; `on_over` is told when the agent's goodbye has been played.

        `by_events`: the sound of both sides travels in events, and the playout stays empty.
        """
        self.outbox = Outbox()
        self.playout = Playout()
        self._incoming = Incoming() if by_events else None
        self._call = call
        self._session = session
        self._on_over = on_over
        self._brain = parts.make_brain()
        self._conversation = Conversation(call, self.outbox)
        mouth: Mouth = SentAhead(lambda: self._session.audio.output.format) if by_events else self.playout
        self._responder = Responder(
            self.outbox, mouth, self._conversation, parts.say, parts.voices, spawn, self._goodbye
        )
        self._listener = Listener(parts.hear, parts.ears, self._caller_starts, self._caller_stops)
        self._configured()
        self._unanswered = Unanswered(self._brain, spawn)
        self._item = ""
        self._start = 0
        self._over = False
        self.outbox.send("session.created", session=self._resource())

    def hear(self, block: Pcm) -> None:
        """The next samples of the caller: int16 mono at 24,000 Hz."""
        self._listener.feed(block)

    def greet(self) -> None:
        """Says the greeting, unless something was said already."""
        busy = self._responder.thinking or self._listener.speaking or self._conversation.last
        if not busy and self._brain.greet():
            self._responder.start(self._think_greeting)

    def message(self, text: object) -> None:
        """A message of the client; what is wrong with it goes back as an `error` event."""
        try:
            self._obey(parse_event(text))
        except ProtocolError as error:
            self.outbox.send("error", error=error.body())

    def stop(self) -> None:
        self._listener.stop()

    # -- turns of the caller

    def _caller_starts(self, at: int) -> None:
        self._item = self._conversation.new_id("item")
        self._start = at
        self.outbox.send("input_audio_buffer.speech_started", audio_start_ms=_ms(at), item_id=self._item)
        detection = self._session.audio.input.turn_detection
        if detection is not None and detection.interrupt_response:
            self._interrupt("turn_detected")

    def _caller_stops(self, at: int, dictation: Dictation) -> None:
        self.outbox.send("input_audio_buffer.speech_stopped", audio_end_ms=_ms(at), item_id=self._item)
        self._commit(dictation, at - self._start)
        detection = self._session.audio.input.turn_detection
        if detection is not None and detection.create_response:
            self._respond()

    def _commit(self, dictation: Dictation, length: int) -> None:
        item, self._item = self._item or self._conversation.new_id("item"), ""
        before = self._conversation.last
        self.outbox.send("input_audio_buffer.committed", item_id=item, previous_item_id=before)
        self._conversation.user(item, [{"type": "input_audio", "transcript": None}])
        self._conversation.count_heard(length / RATE)
        self._unanswered.spoken(dictation, partial(self._understood, item, length / RATE))

    def _understood(self, item: str, length: float, text: str) -> None:
        if self._session.audio.input.transcription is not None:
            self.outbox.send(
                "conversation.item.input_audio_transcription.completed",
                item_id=item,
                content_index=0,
                transcript=text,
                usage={"type": "duration", "seconds": round(length, 3)},
            )

    # -- turns of the agent

    def _respond(self, metadata: dict[str, str] | None = None) -> None:
        """Answers all that was said since the last reply, once every word of it is known."""
        if not self._over and not self._responder.thinking:
            self._responder.start(self._unanswered.reply(), metadata)

    async def _think_greeting(self) -> Reply:
        return Reply(self._brain.greet() or "")

    def _interrupt(self, reason: Reason) -> None:
        spoken = self._responder.interrupt(reason)
        if spoken is not None:
            self._brain.interrupted(spoken)

    def _goodbye(self) -> None:
        self._over = True
        self._on_over()

    # -- events of the client

    def _obey(self, event: ClientEvent) -> None:
        if isinstance(event, SessionUpdate):
            self._update(event)
        elif isinstance(event, InputAppend):
            if self._incoming is None:
                raise _refused("The caller's sound comes over the audio track of this call.", "invalid_value", event)
            self.hear(self._incoming.feed(event.audio, self._session.audio.input.format))
        elif isinstance(event, InputCommit):
            committed = self._listener.commit()
            if committed is None:
                raise _refused("The input audio buffer is empty.", "input_audio_buffer_commit_empty", event)
            self._commit(*committed)
        elif isinstance(event, InputClear):
            self._listener.clear()
            self.outbox.send("input_audio_buffer.cleared")
        elif isinstance(event, ItemCreate):
            self._type(event)
        elif isinstance(event, ItemTruncate):
            self._truncate(event)
        elif isinstance(event, ResponseCreate):
            self._create(event)
        elif isinstance(event, ResponseCancel):
            if not self._responder.thinking:
                raise _refused("There is no response to cancel.", "response_cancel_not_active", event)
            self._interrupt("client_cancelled")
        elif isinstance(event, OutputClear):
            self._interrupt("client_cancelled")

    def _update(self, event: SessionUpdate) -> None:
        if event.session.get("model") not in (None, self._session.model):
            raise ProtocolError(
                "The model of a session can't be changed.", "invalid_value", "session.model", event.event_id
            )
        self._session = updated(self._session, event.session, event.event_id)
        self._configured()
        self.outbox.send("session.updated", session=self._resource())

    def _configured(self) -> None:
        self._listener.configure(self._session.audio.input.turn_detection)
        if isinstance(self._brain, Equipped):
            tools = self._session.tools if self._session.tool_choice == "auto" else ()
            self._brain.offered([tool.model_dump(exclude={"type"}) for tool in tools])

    def _type(self, event: ItemCreate) -> None:
        if isinstance(event.item, FunctionOutput):
            self._take_result(event.item, event)
            return
        text = " ".join(part.text for part in event.item.content)
        item = event.item.id or self._conversation.new_id("item")
        self._conversation.user(item, [part.model_dump() for part in event.item.content])
        self._conversation.count_heard(0.0, text)
        self._unanswered.typed(text)

    def _take_result(self, item: FunctionOutput, event: ItemCreate) -> None:
        if item.call_id not in self._responder.calls:
            raise _refused(f"There is no function call {item.call_id!r}.", "invalid_call_id", event)
        fields = {"id": item.id or self._conversation.new_id("item"), "object": "realtime.item", "status": "completed"}
        shown = {**item.model_dump(exclude={"id", "object", "status"}), **fields}
        self._conversation.added(shown)
        self._conversation.done(shown)
        self._conversation.count_heard(0.0, item.output)
        self._unanswered.result(item.output)

    def _truncate(self, event: ItemTruncate) -> None:
        try:
            spoken = self._responder.truncate(event.item_id, event.audio_end_ms)
        except ValueError as error:
            raise _refused(str(error), "invalid_value", event) from error
        if spoken is not None:
            self._brain.interrupted(spoken)

    def _create(self, event: ResponseCreate) -> None:
        if self._responder.thinking:
            code = "conversation_already_has_active_response"
            raise _refused("There is a response in progress already.", code, event)
        if self._conversation.last is None and self._brain.greet():
            self._responder.start(self._think_greeting, event.response.metadata)
        else:
            self._respond(event.response.metadata)

    def _resource(self) -> dict[str, Any]:
        return {"object": "realtime.session", "id": f"sess_{self._call}", **self._session.model_dump()}


def _refused(message: str, code: str, event: ClientEvent) -> ProtocolError:
    return ProtocolError(message, code, None, event.event_id)


def _ms(at: int) -> int:
    return round(1000 * at / RATE)
