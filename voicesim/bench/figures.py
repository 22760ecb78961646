"""Figures on how well one who decides agrees with another: pure functions, each with the source of its formula.

A figure that is not defined for its input (nothing to divide by) is None, never 0 and never 1. Kappa and F1 are
made from counts, as a bootstrap makes them a thousand times; a test holds them to scikit-learn's.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from voicesim.statistics.intervals import score_limits

Pairs = Counter[tuple[str, str]]
"""How often (what is right or one says, what the other says) came up."""

DRAWS = 1000
"""How often a bootstrap draws."""


@dataclass(frozen=True)
class Interval:
    """From low to high, both shares between 0 and 1 unless said otherwise."""

    low: float
    high: float


def share(part: int, whole: int) -> float | None:
    """part / whole; None of nothing."""
    return part / whole if whole else None


def wilson(part: int, whole: int) -> Interval | None:
    """The 95 % score interval of a share; None of nothing.

    Source: E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209-212.
    """
    if not whole:
        return None
    return Interval(*score_limits(part, whole))


def kappa(pairs: Pairs) -> float | None:
    """Agreement beyond chance of two who put the same things into classes.

    Source: J. Cohen, Educ. Psychol. Meas. 20 (1960) 37-46: (po - pe) / (1 - pe), with po the share of pairs that
    agree and pe the sum over classes of the product of both shares. None when both only ever used one class.
    """
    n = pairs.total()
    if not n:
        return None
    agreed = sum(pairs[name, name] for name in _classes(pairs))
    chance = sum(_first(pairs, name) * _second(pairs, name) for name in _classes(pairs))
    return (n * agreed - chance) / (n * n - chance) if chance < n * n else None


def agreement(pairs: Pairs) -> float | None:
    """The share of pairs that agree."""
    return share(sum(pairs[name, name] for name in _classes(pairs)), pairs.total())


def macro_f1(pairs: Pairs) -> float | None:
    """The mean over classes of F1 = 2 TP / (2 TP + FP + FN), pairs being (right, said).

    A class that is neither right nor said anywhere has no F1 and is left out, not counted as 0. None without pairs.
    """
    scores = [f1(pairs[name, name], _second(pairs, name), _first(pairs, name)) for name in _classes(pairs)]
    return sum(scores) / len(scores) if scores else None


def f1(both: int, said: int, right: int) -> float:
    """2 TP / (2 TP + FP + FN) of a class that is right or said somewhere, with TP = both, FP = said - both,
    FN = right - both."""
    return 2 * both / (said + right)


def same_pairs(rounds: Iterable[Sequence[str]]) -> tuple[int, int]:
    """Of all pairs of repeats of the same question, how many have the same outcome, and how many there are."""
    pairs = [first == second for repeats in rounds for first, second in combinations(repeats, 2)]
    return sum(pairs), len(pairs)


def _classes(pairs: Pairs) -> list[str]:
    return sorted({name for pair, count in pairs.items() if count for name in pair})


def _first(pairs: Pairs, name: str) -> int:
    return sum(count for (first, _), count in pairs.items() if first == name)


def _second(pairs: Pairs, name: str) -> int:
    return sum(count for (_, second), count in pairs.items() if second == name)


def corrected_share(observed: float, sensitivity: float, specificity: float) -> float | None:
    """The true share of hits behind an observed one, for a judge with known error rates; it may leave 0 to 1.

    Source: W. J. Rogan, B. Gladen, Am. J. Epidemiol. 107 (1978) 71-76: with se and sp as sensitivity and specificity,
    (p + sp - 1) / (se + sp - 1), unbiased for large samples as it is; whoever needs a share clips it to 0..1. Its
    large-sample variance there, [p(1-p)/n + t^2 se(1-se)/n_se + (1-t)^2 sp(1-sp)/n_sp] / (se + sp - 1)^2 with t as the
    result, takes all items for independent, which checks of one case are not: see `clustered` for intervals.
    None for a judge no better than chance (se + sp <= 1), whose verdicts tell nothing.
    """
    gain = sensitivity + specificity - 1
    return (observed + specificity - 1) / gain if gain > 0 else None


def clustered(clusters: Mapping[str, Pairs], figure: Callable[[Pairs], float | None], *, seed: int) -> Interval | None:
    """The 95 % percentile interval of a figure when whole clusters are drawn with replacement.

    Items of one cluster (a case) are alike, so their number overstates what is known; the clusters are drawn.
    Source: C. A. Field, A. H. Welsh, J. R. Stat. Soc. B 69 (2007) 369-390 (the cluster bootstrap). None with
    fewer than two clusters, or when the figure is undefined in more than a tenth of the draws.
    """
    import numpy as np

    names = sorted(clusters)
    if len(names) < 2:
        return None
    kinds = sorted({pair for pairs in clusters.values() for pair in pairs})
    counts = np.array([[clusters[name][pair] for pair in kinds] for name in names], dtype=np.int64)
    drawn = np.random.default_rng(seed).integers(len(names), size=(DRAWS, len(names)))
    sums = counts[drawn].sum(axis=1)  # (DRAWS, kinds)
    return percentiles([figure(Counter(dict(zip(kinds, map(int, row), strict=True)))) for row in sums])


def percentiles(drawn: Sequence[float | None]) -> Interval | None:
    """The middle 95 % of the values of a figure over draws; None when it is undefined in more than a tenth of them."""
    import numpy as np

    values = [value for value in drawn if value is not None]
    if len(values) < 0.9 * len(drawn):
        return None
    low, high = np.percentile(values, (2.5, 97.5))
    return Interval(float(low), float(high))
