"""Two agents before the same patients: differences, exact tests, and what so many calls could have shown."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from voicesim.statistics.intervals import LEVEL, Estimate, mean, score_limits, standard_error

POWER = 0.8
_ALPHA = 1 - LEVEL
_SAME = 1e-12


@dataclass(frozen=True)
class Discordance:
    """Yes-or-no outcomes of pairs: both yes, only the first, only the second, neither."""

    both: int
    first_only: int
    second_only: int
    neither: int

    @property
    def n(self) -> int:
        """How many pairs there are."""
        return self.both + self.first_only + self.second_only + self.neither


def discordance(first: Sequence[bool], second: Sequence[bool]) -> Discordance:
    """Count the pairs. Raises ValueError when the lengths differ."""
    pairs = list(zip(first, second, strict=True))
    return Discordance(*(pairs.count(kind) for kind in ((True, True), (True, False), (False, True), (False, False))))


def mcnemar(counts: Discordance) -> float | None:
    """Exact two-sided p of McNemar's test; None without a pair that differs.

    Under equal rates each of the b + c pairs that differ is a fair coin: p = 2 P(X <= min(b, c)) for
    X ~ Binomial(b + c, 1/2), at most 1 (McNemar 1947; Liddell 1983).
    """
    from scipy.stats import binomtest

    differing = counts.first_only + counts.second_only
    return float(binomtest(counts.second_only, differing, 0.5).pvalue) if differing else None


def share_difference(counts: Discordance, level: float = LEVEL) -> Estimate | None:
    """Second share minus first of paired outcomes, with Newcombe's interval; None without pairs.

    Wilson's limits l, u of either share, and phi, the correlation of the pairs:
    low = d - sqrt((p2 - l2)^2 - 2 phi (p2 - l2)(u1 - p1) + (u1 - p1)^2), high likewise
    (Newcombe's hybrid score interval, 1998, Stat. Med. 17, 2635-2650, with phi as it is).
    """
    n = counts.n
    if not n:
        return None
    ones = (counts.both + counts.first_only, counts.both + counts.second_only)
    first, second = ((hits / n, *score_limits(hits, n, level)) for hits in ones)
    product = ones[0] * (n - ones[0]) * ones[1] * (n - ones[1])
    covariance = counts.both * counts.neither - counts.first_only * counts.second_only
    phi = covariance / math.sqrt(product) if product else 0.0
    difference = second[0] - first[0]
    low = difference - _joint(second[0] - second[1], first[2] - first[0], phi)
    high = difference + _joint(second[2] - second[0], first[0] - first[1], phi)
    return Estimate(difference, n, n, max(low, -1.0), min(high, 1.0), "Newcombe")


def paired_difference(
    first: Sequence[float], second: Sequence[float], clusters: Sequence[Hashable], *, seed: int = 0
) -> Estimate | None:
    """Mean of second - first over pairs, its interval as of `intervals.mean`; None without pairs."""
    return mean([b - a for a, b in zip(first, second, strict=True)], clusters, seed=seed)


def detectable(
    first: Sequence[float], second: Sequence[float], clusters: Sequence[Hashable], power: float = POWER
) -> float | None:
    """The smallest true mean difference that so many pairs show with probability `power`; None under two clusters.

    (t(1 - alpha / 2, m - 1) + t(power, m - 1)) standard errors, for m clusters: the usual planning formula with the
    spread that was seen (Machin and others, Sample Size Tables for Clinical Studies, 2009, chapter 8).
    It is None, too, where no pair differs from another: then nothing is known of the spread.
    """
    from scipy.stats import t

    differences = [b - a for a, b in zip(first, second, strict=True)]
    error = standard_error(differences, clusters)
    if error is None or error < _SAME:
        return None
    freedom = len(set(clusters)) - 1
    return float((t.ppf(1 - _ALPHA / 2, freedom) + t.ppf(power, freedom)) * error)


def detectable_share(n: int) -> float | None:
    """The smallest difference of shares that exact McNemar could call significant among `n` pairs; None if none could.

    All pairs that differ then differ in one direction: the least k with 2 (1/2)^k < 0.05, which is 6, of n.
    """
    least = math.floor(math.log2(2 / _ALPHA)) + 1
    return least / n if n >= least else None


def adjusted(p_values: Sequence[float | None]) -> list[float | None]:
    """P values adjusted for their number: the false discovery rate at which each would count; None stays None.

    Benjamini and Hochberg 1995, J. R. Stat. Soc. B 57, 289-300.
    """
    from scipy.stats import false_discovery_control

    known = [value for value in p_values if value is not None]
    rates = iter(false_discovery_control(known).tolist() if known else [])
    return [None if value is None else float(next(rates)) for value in p_values]


def _joint(first: float, other: float, phi: float) -> float:
    return math.sqrt(max(first * first - 2 * phi * first * other + other * other, 0.0))
