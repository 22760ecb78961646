"""The critical gate: what a call comes to, whatever its number."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from voicesim.judge.model import Score
from voicesim.recording.manifest import Validity

State = Literal["passed", "failed", "unscored", "invalid"]


@dataclass(frozen=True)
class Gate:
    """The state and, unless passed, its reason in words."""

    state: State
    reason: str = ""


def exit_code(states: Iterable[State], planned: int = 0) -> int:
    """3 when a call is invalid, or when there are fewer than planned; else 1 when one did not pass, else 0."""
    every = list(states)
    if "invalid" in every or len(every) < planned:
        return 3
    return 1 if set(every) - {"passed"} else 0


def gate(validity: Validity | None, score: Score | None) -> Gate:
    """An invalid call is invalid before all else; then a missed critical check fails it; then it is
    unscored when the judge gave no number; otherwise it passed."""
    if validity is None:
        return Gate("invalid", "the call was never finished")
    if not validity.valid:
        why = _spaced(validity.reason) or "no reason given"
        return Gate("invalid", f"{why}: {validity.detail}" if validity.detail else why)
    if score is None:
        return Gate("unscored", "not judged yet")
    if score.failed_critical:
        return Gate("failed", "critical check missed: " + ", ".join(map(_spaced, score.failed_critical)))
    if score.value is None:
        return Gate("unscored", score.unscored or "no reason given")
    return Gate("passed")


def _spaced(name: str) -> str:
    return name.replace("_", " ")
