"""The agent's sound of a Realtime call over WebSocket: to the play-out, and interruptions back to the agent."""

from collections.abc import Callable, Mapping
from typing import Any

from voicesim.audio.format_check import FormatCheck
from voicesim.audio.samples import Pcm, samples, seconds
from voicesim.recording.events import FIRST_BYTE, AgentMetric
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.messages import read_base64
from voicesim.transports.openai_events import text_of
from voicesim.transports.openai_items import TEXT_LIMIT, SpeechItem, SpeechItems, truncate_at
from voicesim.transports.openai_session import AudioType, interrupts


class Playback:
    """Takes the server's events one by one; what they ask for in return goes to `tell`."""

    def __init__(self, inbox: BoundedInbox, audio: AudioType, tell: Callable[[Mapping[str, Any]], None]) -> None:
        self._inbox, self._tell = inbox, tell
        self._items = SpeechItems(audio)
        self._format = FormatCheck("16-bit PCM" if audio == "audio/pcm" else "G.711 mu-law")
        self._active: dict[str, None] = {}
        self._interrupts = True

    @property
    def left(self) -> float:
        """Seconds of the agent's sound that are not heard yet."""
        return max(0.0, seconds(self._items.end) - self._inbox.now())

    def take(self, event: Mapping[str, Any]) -> None:
        """One server event that has just arrived."""
        match event.get("type"):
            case "session.updated":
                self._interrupts = interrupts(event.get("session"))
            case "response.created":
                self._begins(event.get("response"))
            case "response.output_item.added":
                self._items.announce(event)
            case "response.output_audio.delta":
                self._sound(event)
            case "response.output_audio.done":
                self._sound_done(self._items.of(event))
            case "response.output_audio_transcript.delta":
                item = self._items.of(event)
                item.text = (item.text + text_of(event, "delta"))[:TEXT_LIMIT]
            case "response.output_audio_transcript.done":
                item = self._items.of(event)
                item.text, item.text_done = text_of(event, "transcript")[:TEXT_LIMIT], True
                self._tell_unheard(item)
            case "input_audio_buffer.speech_started" if self._interrupts:
                self.interrupt()
            case "response.done":
                self._response_done(event.get("response"))

    def interrupt(self) -> None:
        """The caller interrupts: what sounds or is being said is cut off, and so is what is still to come of it."""
        now = self._inbox.now()
        sounding = {item.response for item in self._items if item.sounding(now)}
        self._cut([item for item in self._items if item.sounding(now)])
        for response in (*self._active, *sounding):
            self._items.cut_response(response)

    def lose(self) -> None:
        """The line is lost: what waits to be heard never will be, and is told as far as it is known."""
        now = self._inbox.now()
        if self.left:
            self._inbox.flush()
        for item in self._items:
            item.cut(now)
            item.text_done = item.sound_done = True
            self._tell_unheard(item)

    def _begins(self, response: object) -> None:
        for item in self._items:
            self._tell_unheard(item)
        if isinstance(response, dict) and (name := text_of(response, "id")):
            self._active[name] = None

    def _sound(self, event: Mapping[str, Any]) -> None:
        item = self._items.of(event)
        if (data := read_base64(text_of(event, "delta"))) is None:
            self._inbox.warn("the agent sent sound that is no base64")
            return
        if mismatch := self._format.mismatch(data):
            self._inbox.ended("line", f"the agent's sound is not what was agreed: {mismatch}")
            return
        self._play(item, item.decoder.feed(data))

    def _play(self, item: SpeechItem, pcm: Pcm) -> None:
        """What still comes of an item that was cut off is not heard."""
        if item.heard_to is None and len(pcm) and (start := self._inbox.audio(pcm)) is not None:
            if not item.spans:
                now = self._inbox.now()
                self._inbox.event(AgentMetric(t=now, name=FIRST_BYTE, value=now, detail=item.response))
            item.add(start, pcm)

    def _sound_done(self, item: SpeechItem) -> None:
        item.sound_done = True
        self._tell_unheard(item)

    def _response_done(self, response: object) -> None:
        if not isinstance(response, dict):
            return
        name = text_of(response, "id")
        self._active.pop(name, None)
        items = self._items.of_response(name)
        if response.get("status") == "cancelled":
            now = self._inbox.now()
            self._cut([item for item in items if item.heard_to is None and item.end > samples(now)])
            self._items.cut_response(name)
            for item in items:
                item.cut(now)
        for item in items:
            item.text_done = True
            self._sound_done(item)

    def _cut(self, items: list[SpeechItem]) -> None:
        """Nothing more is heard of what was sent ahead; the agent is told how much of each item was."""
        now = self._inbox.now()
        if any(item.end > samples(now) for item in items):
            self._inbox.flush()
        for item in items:
            item.cut(now)
            if audio_end_ms := truncate_at(item.heard_to or 0):
                self._tell(
                    {
                        "type": "conversation.item.truncate",
                        "item_id": item.item,
                        "content_index": item.content,
                        "audio_end_ms": audio_end_ms,
                    }
                )
            self._tell_unheard(item)

    def _tell_unheard(self, item: SpeechItem) -> None:
        if (event := item.unheard(self._inbox.now())) is not None:
            self._inbox.event(event)
