"""Two people's changes to one text brought together, line by line, where they do not touch the same lines."""

from dataclasses import dataclass
from difflib import SequenceMatcher


@dataclass(frozen=True)
class _Change:
    """Lines `start` to `end` of the text that both began with, and what stands there instead."""

    start: int
    end: int
    lines: tuple[str, ...]


def merged(base: str, mine: str, theirs: str) -> str | None:
    """The text with both changes in it; None where they change the same line or neighbouring ones.

    >>> merged("a\\nb\\nc\\nd\\n", "A\\nb\\nc\\nd\\n", "a\\nb\\nc\\nD\\n")
    'A\\nb\\nc\\nD\\n'
    >>> merged("a\\n", "b\\n", "c\\n") is None
    True
    """
    before = base.splitlines(keepends=True)
    own, others = _changes(before, mine), _changes(before, theirs)
    apart = [change for change in own if change not in others]
    if any(change.start <= other.end and other.start <= change.end for change in apart for other in others):
        return None
    lines = list(before)
    for change in sorted((*apart, *others), key=lambda change: change.start, reverse=True):
        lines[change.start : change.end] = change.lines
    return "".join(lines)


def _changes(before: list[str], text: str) -> list[_Change]:
    after = text.splitlines(keepends=True)
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [_Change(start, end, tuple(after[low:high])) for kind, start, end, low, high in steps if kind != "equal"]
