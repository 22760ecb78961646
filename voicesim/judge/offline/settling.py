"""How readings of the agent's sentences become a finding: plain ones decide, doubtful ones hold it back."""

from collections.abc import Iterable

from voicesim.judge.base import Finding
from voicesim.judge.model import Evidence
from voicesim.judge.moments import Moment, evidence
from voicesim.judge.offline.acts import Reading
from voicesim.judge.ordering import earliest, in_order


def settle(found: Iterable[tuple[Moment, Reading]], yes: str, unclear: str) -> Finding:
    """Hit with the clear moments; else undecided with the unclear ones; else missed."""
    kept = list(found)
    proof = evidence(moment for moment, reading in kept if reading == "yes")
    if proof:
        return Finding("hit", proof, yes)
    proof = evidence(moment for moment, reading in kept if reading == "unclear")
    if proof:
        return Finding("cannot_assess", proof, unclear)
    reason = "cue words were said, but not that" if kept else "no cue word in anything the agent said"
    return Finding("miss", reason=reason)


def settle_order(first: Iterable[tuple[Moment, Reading]], then: Iterable[tuple[Moment, Reading]]) -> Finding:
    """By the plain moments of each; undecided where a doubtful moment could turn the order round."""
    a, b = _proof(first), _proof(then)
    sure = in_order(a["yes"], b["yes"])
    could = in_order((*a["yes"], *a["unclear"]), b["yes"])
    worst = in_order(a["yes"], (*b["yes"], *b["unclear"]))
    if sure.outcome == could.outcome == worst.outcome:
        return sure
    doubtful = (*a["unclear"], *b["unclear"])
    return Finding("cannot_assess", earliest(doubtful)[:3], "the order hangs on words that are not plain enough")


def _proof(found: Iterable[tuple[Moment, Reading]]) -> dict[str, tuple[Evidence, ...]]:
    """The quotes of all moments that were read so, each in a verdict of its own: none is left out."""
    kept = list(found)
    return {
        wanted: tuple(quote for moment, reading in kept if reading == wanted for quote in evidence([moment]))
        for wanted in ("yes", "unclear")
    }
