"""The same call made again: does it come out the same? And shares of checks, by number and by weight."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from voicesim.statistics.intervals import Estimate


def flaky(passes: Sequence[bool]) -> bool:
    """Whether repeats of one call both passed and failed: a pass rate strictly between 0 and 1."""
    return any(passes) and not all(passes)


def pass_hat(repeats: Sequence[Sequence[bool]], k: int) -> Estimate | None:
    """pass^k: the probability that k repeats of a call all pass, averaged over the calls that have k repeats.

    C(c, k) / C(n, k) for c passes of n repeats, which is unbiased (Yao and others 2024, tau-bench, section 4).
    None where no call was repeated so often. Raises ValueError for k under 1.
    """
    if k < 1:
        raise ValueError(f"pass^k needs a k of at least 1, not {k}")
    shares = [math.comb(sum(passes), k) / math.comb(len(passes), k) for passes in repeats if len(passes) >= k]
    return Estimate(math.fsum(shares) / len(shares), len(shares), len(shares)) if shares else None


def spread(repeats: Iterable[Sequence[float]]) -> float | None:
    """Standard deviation of a value over repeats of the same call; None where nothing was repeated.

    Pooled within calls: sqrt(sum of squared deviations from each call's mean / sum of (n - 1)), as in a one-way
    analysis of variance.
    """
    squares, freedom = 0.0, 0
    for values in repeats:
        if len(values) > 1:
            middle = math.fsum(values) / len(values)
            squares += math.fsum((value - middle) ** 2 for value in values)
            freedom += len(values) - 1
    return math.sqrt(squares / freedom) if freedom else None


@dataclass(frozen=True)
class HitRate:
    """Hits among the checks that were decided: how many, and how much weight."""

    hits: int
    decided: int
    earned: float
    available: float

    @property
    def by_number(self) -> float | None:
        """Hits over hits and misses."""
        return self.hits / self.decided if self.decided else None

    @property
    def by_weight(self) -> float | None:
        """Weight of hits over weight of hits and misses."""
        return self.earned / self.available if self.available else None


def hit_rate(outcomes: Iterable[tuple[str, float]]) -> HitRate:
    """The rate over (outcome, weight) of checks; whatever is neither `hit` nor `miss` was not decided."""
    decided = [(outcome, weight) for outcome, weight in outcomes if outcome in ("hit", "miss")]
    hits = [weight for outcome, weight in decided if outcome == "hit"]
    available = math.fsum(weight for _, weight in decided)
    return HitRate(len(hits), len(decided), round(math.fsum(hits), 9), round(available, 9))
