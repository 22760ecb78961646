"""How steady a judge is, and how far judges agree. Neither says that they are right: see `voicesim judge-eval`."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from voicesim.bench.figures import kappa
from voicesim.judge.model import Verdicts


@dataclass(frozen=True)
class Stability:
    """`share` of the pairs of repeats of one judge that came out the same; None without two repeats."""

    judge: str
    repeats: int
    checks: int
    share: float | None


@dataclass(frozen=True)
class Agreement:
    """Cohen's kappa of two judges over the same checks, and the plain share on which they agree.

    kappa is None where it is undefined: no checks, or both always gave one and the same outcome.
    """

    judges: tuple[str, str]
    checks: int
    share: float | None
    kappa: float | None


def stability(verdicts: Iterable[Verdicts]) -> tuple[Stability, ...]:
    """For each judge with repeats, over all its calls: pairs of repeats with the same outcome / all pairs."""
    by_judge: dict[str, list[list[str]]] = {}
    for one in verdicts:
        rounds: list[list[str]] = [[vote.outcome for vote in verdict.votes if vote.repeat] for verdict in one.verdicts]
        by_judge.setdefault(one.judge, []).extend(found for found in rounds if len(found) > 1)
    return tuple(_stability(judge, rounds) for judge, rounds in by_judge.items() if rounds)


def agreement(verdicts: Iterable[Verdicts]) -> tuple[Agreement, ...]:
    """For each two judges, over all calls that both judged. What code decided is left out: it has no opinion."""
    by_judge: dict[str, dict[tuple[str, str], str]] = {}
    for one in verdicts:
        own = by_judge.setdefault(one.judge, {})
        own |= {(one.call_id, verdict.check): verdict.outcome for verdict in one.verdicts if verdict.by == "judge"}
    found = []
    for first, second in combinations(by_judge, 2):
        both = [(by_judge[first][key], by_judge[second][key]) for key in by_judge[first] if key in by_judge[second]]
        share = sum(a == b for a, b in both) / len(both) if both else None
        found.append(Agreement((first, second), len(both), share, kappa(Counter(both))))
    return tuple(found)


def _stability(judge: str, rounds: Sequence[Sequence[str]]) -> Stability:
    pairs = [a == b for found in rounds for a, b in combinations(found, 2)]
    return Stability(judge, max(map(len, rounds)), len(rounds), sum(pairs) / len(pairs))
