"""Two things and their order: the evidence comes from a judge, the order from the clock."""

from collections.abc import Iterable, Sequence

from voicesim.judge.base import Finding
from voicesim.judge.model import Evidence


def in_order(first: Sequence[Evidence], then: Sequence[Evidence]) -> Finding:
    """Hit when something of `first` was said before anything of `then`, also when that never came.

    Both are verified quotes. Without anything of `first` it is missed, with what came instead as evidence.
    """
    a, b = earliest(first)[:1], earliest(then)[:1]
    if not a:
        return Finding("miss", b, "what has to come first never came")
    if not b:
        return Finding("hit", a, "said, and nothing of the other came")
    at = f"at {a[0].start:.1f} s, the other at {b[0].start:.1f} s"
    if a[0].start < b[0].start:
        return Finding("hit", (*a, *b), f"said {at}")
    return Finding("miss", (*b, *a), f"said too late, {at}")


def earliest(quotes: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """In the order of the clock."""
    return tuple(sorted(quotes, key=lambda quote: quote.start))
