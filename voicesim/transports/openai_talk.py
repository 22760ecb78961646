"""A Realtime call over WebSocket once it is open: sound to the play-out, interruptions back to the agent."""

import binascii
from base64 import b64decode
from collections.abc import Callable, Mapping
from typing import Any

from voicesim.audio.samples import Pcm, samples, seconds
from voicesim.recording.events import FIRST_BYTE, AgentMetric
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.function_calls import FunctionCalls
from voicesim.transports.openai_events import ServerEvents, text_of
from voicesim.transports.openai_replies import TEXT_LIMIT, Replies, Reply, truncate_at
from voicesim.transports.openai_session import AudioType, interrupts


class Talk:
    """Takes the server's events one by one; what they ask for in return goes to `tell`."""

    def __init__(
        self,
        inbox: BoundedInbox,
        audio: AudioType,
        tell: Callable[[Mapping[str, Any]], None],
        calls: FunctionCalls | None = None,
    ) -> None:
        self._inbox, self._tell = inbox, tell
        self.events = ServerEvents(inbox)
        self._replies = Replies(audio)
        self._interrupts = True
        self._calls = calls or FunctionCalls(None)

    @property
    def left(self) -> float:
        """Seconds of the agent's sound that are not heard yet."""
        return max(0.0, seconds(self._replies.end) - self._inbox.now())

    def take(self, event: Mapping[str, Any]) -> None:
        """One server event that has just arrived."""
        now = self._inbox.now()
        self.events.read(event, now)
        self._tools(event, now)
        match event.get("type"):
            case "session.updated":
                self._interrupts = interrupts(event.get("session"))
            case "response.output_audio.delta":
                self._sound(event)
            case "response.output_audio.done":
                self._sound_done(self._replies.of(event))
            case "response.output_audio_transcript.delta":
                reply = self._replies.of(event)
                reply.text = (reply.text + text_of(event, "delta"))[:TEXT_LIMIT]
            case "response.output_audio_transcript.done":
                reply = self._replies.of(event)
                reply.text, reply.text_done = text_of(event, "transcript")[:TEXT_LIMIT], True
                self._tell_unheard(reply)
            case "input_audio_buffer.speech_started" if self._interrupts:
                self._interrupt()
            case "response.done":
                self._response_done(event.get("response"))

    def _tools(self, event: Mapping[str, Any], now: float) -> None:
        reaction = self._calls.take(event, now)
        for told in reaction.events:
            self._inbox.event(told)
        for message in reaction.messages:
            self._tell(message)

    def lose(self) -> None:
        """The line is lost: what waits to be heard never will be, and is told as far as it is known."""
        now = self._inbox.now()
        if self.left:
            self._inbox.flush()
        for reply in self._replies:
            reply.cut = reply.heard(now) if reply.cut is None else reply.cut
            reply.text_done = reply.sound_done = True
            self._tell_unheard(reply)

    def _sound(self, event: Mapping[str, Any]) -> None:
        reply = self._replies.of(event)
        try:
            pcm = reply.decoder.feed(b64decode(text_of(event, "delta"), validate=True))
        except binascii.Error as error:
            self._inbox.warn("the agent sent sound that is no base64", str(error))
        except ValueError as error:
            self._inbox.ended("line", f"the agent's sound is not what was agreed: {error}")
        else:
            self._play(reply, pcm)

    def _play(self, reply: Reply, pcm: Pcm) -> None:
        """What still comes of a reply that was cut off is not heard."""
        if reply.cut is None and len(pcm) and (start := self._inbox.audio(pcm)) is not None:
            if not reply.spans:
                now = self._inbox.now()
                self._inbox.event(AgentMetric(t=now, name=FIRST_BYTE, value=now, detail=reply.response))
            reply.add(start, pcm)

    def _sound_done(self, reply: Reply) -> None:
        if not reply.sound_done:
            reply.sound_done = True
            self._tell_unheard(reply)

    def _response_done(self, response: object) -> None:
        if not isinstance(response, dict):
            return
        replies = self._replies.of_response(text_of(response, "id"))
        waiting = any(one.cut is None and one.end > samples(self._inbox.now()) for one in replies)
        if response.get("status") == "cancelled" and waiting:
            self._interrupt()
        for reply in replies:
            reply.text_done = True
            self._sound_done(reply)
            self._tell_unheard(reply)

    def _interrupt(self) -> None:
        """Nothing more is heard of what was sent ahead; the agent is told how much of each item was."""
        now = self._inbox.now()
        cut = [reply for reply in self._replies if reply.open(now)]
        if any(reply.end > samples(now) for reply in cut):
            self._inbox.flush()
        for reply in cut:
            reply.cut = reply.heard(now)
            if audio_end_ms := truncate_at(reply.cut):
                self._tell(
                    {
                        "type": "conversation.item.truncate",
                        "item_id": reply.item,
                        "content_index": reply.content,
                        "audio_end_ms": audio_end_ms,
                    }
                )
            self._tell_unheard(reply)

    def _tell_unheard(self, reply: Reply) -> None:
        if (event := reply.unheard(self._inbox.now())) is not None:
            self._inbox.event(event)
