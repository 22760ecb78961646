"""Two things and their order: the evidence comes from a judge, the order from the clock."""

from collections.abc import Iterable, Sequence

from voicesim.judge.acts import Reading
from voicesim.judge.base import Finding
from voicesim.judge.model import Evidence
from voicesim.judge.moments import Moment, evidence


def settle_order(first: Iterable[tuple[Moment, Reading]], then: Iterable[tuple[Moment, Reading]]) -> Finding:
    """By the plain moments of each; undecided where a doubtful moment could turn the order round."""
    a, b = _proof(first), _proof(then)
    sure = in_order(a["yes"], b["yes"])
    could = in_order((*a["yes"], *a["unclear"]), b["yes"])
    worst = in_order(a["yes"], (*b["yes"], *b["unclear"]))
    if sure.outcome == could.outcome == worst.outcome:
        return sure
    doubtful = (*a["unclear"], *b["unclear"])
    return Finding("cannot_assess", _earliest(doubtful)[:3], "the order hangs on words that are not plain enough")


def in_order(first: Sequence[Evidence], then: Sequence[Evidence]) -> Finding:
    """Hit when something of `first` was said before anything of `then`, also when that never came.

    Both are verified quotes. Without anything of `first` it is missed, with what came instead as evidence.
    """
    a, b = _earliest(first)[:1], _earliest(then)[:1]
    if not a:
        return Finding("miss", b, "what has to come first never came")
    if not b:
        return Finding("hit", a, "said, and nothing of the other came")
    at = f"at {a[0].start:.1f} s, the other at {b[0].start:.1f} s"
    if a[0].start < b[0].start:
        return Finding("hit", (*a, *b), f"said {at}")
    return Finding("miss", (*b, *a), f"said too late, {at}")


def _earliest(found: Iterable[Evidence]) -> tuple[Evidence, ...]:
    return tuple(sorted(found, key=lambda one: one.start))


def _proof(found: Iterable[tuple[Moment, Reading]]) -> dict[str, tuple[Evidence, ...]]:
    """The quotes of all moments that were read so, each in a verdict of its own: none is left out."""
    kept = list(found)
    return {
        wanted: tuple(quote for moment, reading in kept if reading == wanted for quote in evidence([moment]))
        for wanted in ("yes", "unclear")
    }
