"""The arithmetic over verdicts, and nothing else."""

import math
from collections.abc import Iterable, Sequence

from voicesim.judge.model import Score, Verdict

_UNDECIDED = ("not_heard", "cannot_assess", "error", "disputed")
LEAST_COVERAGE = 0.5
"""Share of the weight of all checks that apply which has to be decided for a call to be scored."""


def score(verdicts: Sequence[Verdict], unscored: str = "") -> Score:
    """Weight of hits over weight of hits and misses, rounded to six decimals.

    A check that is not applicable, or that nobody could decide, is in neither sum. The call stays
    unscored, with the reason, when it was unfit to be scored (`unscored`), when a critical check is
    undecided, or when less than half of the weight that applies was decided. Missed critical checks are listed
    either way.
    """
    hits = _weight(verdict for verdict in verdicts if verdict.outcome == "hit")
    decided = _weight(verdict for verdict in verdicts if verdict.outcome in ("hit", "miss"))
    total = _weight(verdicts)
    critical = [verdict for verdict in verdicts if verdict.group == "critical"]
    applies = total - _weight(verdict for verdict in verdicts if verdict.outcome == "not_applicable")
    reason = unscored or _undecided(critical) or _uncovered(decided, applies)
    return Score(
        value=None if reason else round(hits / decided, 6),
        unscored=reason,
        failed_critical=tuple(verdict.check for verdict in critical if verdict.outcome == "miss"),
        coverage=round(decided / total, 6) if total else 0.0,
        least_coverage=LEAST_COVERAGE,
    )


def _uncovered(decided: float, applies: float) -> str:
    if not decided:
        return "no check could be decided"
    if round(decided / applies, 6) >= LEAST_COVERAGE:
        return ""
    return f"only {decided / applies:.0%} of the rubric's weight was decided, at least {LEAST_COVERAGE:.0%} is needed"


def _weight(verdicts: Iterable[Verdict]) -> float:
    return math.fsum(verdict.weight for verdict in verdicts)


def _undecided(critical: Iterable[Verdict]) -> str:
    open_ones = [f"{verdict.check} ({verdict.outcome})" for verdict in critical if verdict.outcome in _UNDECIDED]
    return f"critical check undecided: {', '.join(open_ones)}" if open_ones else ""
