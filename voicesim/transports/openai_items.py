"""What of the agent's speech was heard so far, item by item: WebSocket audio comes faster than it is heard."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from voicesim.audio.samples import RATE, Pcm, samples, seconds
from voicesim.recording.events import Unheard
from voicesim.transports.openai_audio import Decoder, make_decoder
from voicesim.transports.openai_events import text_of
from voicesim.transports.openai_session import AudioType

KEPT = 64
"""Items and responses remembered; the oldest are forgotten."""
TEXT_LIMIT = 20_000
"""Characters of one item's words that are kept."""


@dataclass
class SpeechItem:
    """One item of the agent's speech. `spans` are where its sound lies on the call clock (samples).

    `heard_to` is how many samples of it were heard when it was cut off; None while it is not.
    """

    item: str
    content: int
    response: str
    decoder: Decoder
    spans: list[tuple[int, int]] = field(default_factory=list)
    text: str = ""
    text_done: bool = False
    sound_done: bool = False
    heard_to: int | None = None
    told: int = 0
    """Samples that were already told to be unheard."""
    told_words: int = 0
    """Words of the text up to which all is known to be heard, or was told to be unheard."""

    @property
    def end(self) -> int:
        """The sample after its last one; 0 without sound."""
        return self.spans[-1][1] if self.spans else 0

    def add(self, start: float, pcm: Pcm) -> None:
        """Sound that is heard from a call second on."""
        first = samples(start)
        last = first + len(pcm)
        if self.spans and self.spans[-1][1] == first:
            first = self.spans.pop()[0]
        self.spans.append((first, last))

    def heard(self, now: float) -> int:
        """Samples of it that were heard until a call second: never more than have come."""
        position = samples(now)
        played = sum(max(0, min(end, position) - start) for start, end in self.spans)
        return min(played, self.decoder.received)

    def sounding(self, now: float) -> bool:
        """Whether a caller who speaks now interrupts it: it has sound, and more of it is to come or waits."""
        return self.heard_to is None and bool(self.spans) and (not self.sound_done or self.end > samples(now))

    def cut(self, now: float) -> None:
        """Nothing of it is heard from a call second on; a second cut changes nothing."""
        self.heard_to = self.heard(now) if self.heard_to is None else self.heard_to

    def unheard(self, now: float) -> Unheard | None:
        """What was not heard of it after a cut and was not told yet, when it is known for now."""
        if self.heard_to is None or not (self.text_done and self.sound_done):
            return None
        lost = self.decoder.received - self.heard_to - self.told
        if lost <= 0:
            return None
        words = self.text.split()[self.told_words :] if self.told else words_after(self.text, self._heard_share)
        self.told, self.told_words = self.told + lost, len(self.text.split())
        return Unheard(t=now, text=" ".join(words), seconds=round(seconds(lost), 3), response_id=self.response)

    @property
    def _heard_share(self) -> float:
        return (self.heard_to or 0) / self.decoder.received


class SpeechItems:
    """The latest items of a call. An item is known by its response too, as servers use ids again."""

    def __init__(self, audio: AudioType) -> None:
        self._audio = audio
        self._items: dict[tuple[str, str], SpeechItem] = {}
        self._response_of: dict[str, str] = {}
        self._cut: dict[str, None] = {}

    def __iter__(self) -> Iterator[SpeechItem]:
        return iter(list(self._items.values()))

    def announce(self, event: Mapping[str, Any]) -> None:
        """An item begins: later events may name it without its response."""
        item = event.get("item")
        if isinstance(item, dict) and (response := text_of(event, "response_id")):
            _remember(self._response_of, text_of(item, "id"), response)

    def of(self, event: Mapping[str, Any]) -> SpeechItem:
        """The item that an event is about; the first makes it, cut off from the start if its response is."""
        name = text_of(event, "item_id")
        response = text_of(event, "response_id") or self._response_of.get(name, "")
        if (response, name) not in self._items:
            # An event that did not name the response may have come first.
            item = self._items.pop(("", name), None) or self._new(name, event.get("content_index"))
            item.response = response
            if response in self._cut:
                item.heard_to, item.text_done, item.sound_done = 0, True, True
            _remember(self._items, (response, name), item)
            _remember(self._response_of, name, response)
        return self._items[response, name]

    def _new(self, name: str, content: object) -> SpeechItem:
        return SpeechItem(name, content if isinstance(content, int) else 0, "", make_decoder(self._audio))

    def of_response(self, response: str) -> list[SpeechItem]:
        return [item for item in self if item.response == response]

    def cut_response(self, response: str) -> None:
        """Nothing that a response has still to say is heard, in whatever items it comes."""
        if response:
            _remember(self._cut, response, None)

    @property
    def end(self) -> int:
        """The sample after the last one of all sound that came so far; 0 without any."""
        return max((item.end for item in self), default=0)


def _remember(table: dict[Any, Any], key: Any, value: Any) -> None:
    table[key] = value
    if len(table) > KEPT:
        del table[next(iter(table))]


def truncate_at(heard: int) -> int:
    """`audio_end_ms` for a number of heard samples: never more than there are."""
    return heard * 1000 // RATE


def words_after(text: str, share: float) -> list[str]:
    """The words whose middle lies after a share (0 to 1) of a text, each word as long as its letters."""
    words = text.split()
    whole = sum(len(word) + 1 for word in words)
    at = 0
    for count, word in enumerate(words):
        if at + (len(word) + 1) / 2 > share * whole:
            return words[count:]
        at += len(word) + 1
    return []
