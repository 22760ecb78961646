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
"""Items remembered; the oldest are forgotten."""
TEXT_LIMIT = 20_000
"""Characters of one item's words that are kept."""


@dataclass
class Reply:
    """One item of the agent's speech. `spans` are where its sound lies on the call clock (samples)."""

    item: str
    content: int
    response: str
    decoder: Decoder
    spans: list[tuple[int, int]] = field(default_factory=list)
    text: str = ""
    text_done: bool = False
    sound_done: bool = False
    cut: int | None = None
    told: bool = False

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

    def open(self, now: float) -> bool:
        """Whether a caller who speaks now interrupts it: it has sound, and more of it is to come or waits."""
        return self.cut is None and bool(self.spans) and (not self.sound_done or self.end > samples(now))

    def unheard(self, now: float) -> Unheard | None:
        """What was not heard of it after a cut, told once, when all of it is known."""
        if self.cut is None or self.told or not (self.text_done and self.sound_done):
            return None
        self.told = True
        lost = self.decoder.received - self.cut
        if lost <= 0:
            return None
        rest = words_after(self.text, self.cut / self.decoder.received)
        return Unheard(t=now, text=rest, seconds=round(seconds(lost), 3), response_id=self.response)


class Replies:
    """The latest items of a call."""

    def __init__(self, audio: AudioType) -> None:
        self._audio = audio
        self._items: dict[str, Reply] = {}

    def __iter__(self) -> Iterator[Reply]:
        return iter(list(self._items.values()))

    def of(self, event: Mapping[str, Any]) -> Reply:
        """The reply that an event of its item is about; a new one when it is the first."""
        item, content = text_of(event, "item_id"), event.get("content_index")
        if item not in self._items:
            index = content if isinstance(content, int) else 0
            self._items[item] = Reply(item, index, text_of(event, "response_id"), make_decoder(self._audio))
        if len(self._items) > KEPT:
            del self._items[next(iter(self._items))]
        return self._items[item]

    def of_response(self, response: str) -> list[Reply]:
        return [one for one in self if one.response == response]

    @property
    def end(self) -> int:
        """The sample after the last one of all sound that came so far; 0 without any."""
        return max((one.end for one in self), default=0)


def truncate_at(heard: int) -> int:
    """`audio_end_ms` for a number of heard samples: never more than there are."""
    return heard * 1000 // RATE


def words_after(text: str, share: float) -> str:
    """The words whose middle lies after a share (0 to 1) of a text, each word as long as its letters."""
    words = text.split()
    whole = sum(len(word) + 1 for word in words)
    at = 0
    for count, word in enumerate(words):
        if at + (len(word) + 1) / 2 > share * whole:
            return " ".join(words[count:])
        at += len(word) + 1
    return ""
