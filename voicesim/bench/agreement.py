"""How steady a judge is, and how far judges agree. Neither says that they are right: see `voicesim judge-eval`."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from voicesim.bench import figures
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
    for judged in verdicts:
        rounds = ([vote.outcome for vote in verdict.votes if vote.repeat] for verdict in judged.verdicts)
        by_judge.setdefault(judged.judge, []).extend(list(repeats) for repeats in rounds if len(repeats) > 1)
    return tuple(_stability(judge, rounds) for judge, rounds in by_judge.items() if rounds)


def agreement(verdicts: Iterable[Verdicts]) -> tuple[Agreement, ...]:
    """For each two judges, over all calls that both judged. What code decided is left out: it has no opinion."""
    by_judge: dict[str, dict[tuple[str, str], str]] = {}
    for judged in verdicts:
        own = by_judge.setdefault(judged.judge, {})
        own |= {
            (judged.call_id, verdict.check): verdict.outcome for verdict in judged.verdicts if verdict.by == "judge"
        }
    agreements = []
    for first, second in combinations(by_judge, 2):
        both = [(by_judge[first][key], by_judge[second][key]) for key in by_judge[first] if key in by_judge[second]]
        pairs = Counter(both)
        agreements.append(Agreement((first, second), len(both), figures.agreement(pairs), figures.kappa(pairs)))
    return tuple(agreements)


def _stability(judge: str, rounds: Sequence[Sequence[str]]) -> Stability:
    same, all_pairs = figures.same_pairs(rounds)
    return Stability(judge, max(map(len, rounds)), len(rounds), figures.share(same, all_pairs))
