"""What the rules show: uses of tools and utterances as evidence; and values compared by what they mean."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import Field

from voicesim.catalog.entry import Entry
from voicesim.catalog.rules import Name, Plain
from voicesim.catalog.tags import Tag
from voicesim.judge.base import Finding
from voicesim.judge.model import Evidence, Seen
from voicesim.language.fold import fold
from voicesim.tools.log import ToolUse
from voicesim.transcript.model import Transcript


class FromState(Entry):
    """Values in the backend's state before the call: `key` of each item of the list `of` that fits `where`."""

    of: Name
    key: Name = "id"
    where: dict[str, Plain] = Field(default_factory=dict)

    def offered(self, state: Mapping[str, Any]) -> list[Any]:
        """The values that a state has."""
        return [item[self.key] for item in items(state, self.of, self.where) if self.key in item]


def items(state: Mapping[str, Any], name: str, where: Mapping[str, Plain]) -> list[Mapping[str, Any]]:
    """The items of a list of the state that have these values."""
    listed = state.get(name)
    known = [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []
    return [item for item in known if all(same(item.get(key), value) for key, value in where.items())]


def same(value: Any, other: Any) -> bool:
    """Whether two values mean the same; text is compared by its words, case and punctuation aside."""
    if isinstance(value, bool) or isinstance(other, bool):
        return value is other
    if isinstance(value, str) and isinstance(other, str):
        return value == other or (fold(value) == fold(other) and bool(fold(value)))
    return bool(value == other)


def seen_of(use: ToolUse) -> Seen:
    """A tool use as evidence, over the seconds from its call to its result."""
    return Seen(what=use.summary, start=use.t, end=use.t if use.answered is None else use.answered)


def seen_once(uses: Iterable[ToolUse]) -> tuple[Seen, ...]:
    """Uses of tools as evidence, each once."""
    return tuple(dict.fromkeys(seen_of(use) for use in uses))


def missed(reason: str, uses: Iterable[ToolUse], tag: Tag) -> Finding:
    """A miss that these uses of tools show."""
    return Finding("miss", reason=reason, happened=True, seen=seen_once(uses), tag=tag)


def whole_utterance(transcript: Transcript, name: str | None) -> tuple[Evidence, ...]:
    """An utterance in full as evidence; nothing when no words were understood in it."""
    return tuple(
        Evidence(utterance=spoken.id, quote=spoken.text.strip(), start=spoken.start, end=spoken.end)
        for spoken in transcript.utterances
        if spoken.id == name and spoken.text.strip()
    )
