"""Means and shares with the interval that belongs to them.

Calls of one case are alike, so whole cases are drawn again, never single calls: the cluster bootstrap (Davison and
Hinkley, Bootstrap Methods and their Application, 1997, section 3.8).
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.95
RESAMPLES = 4000
ENOUGH = 10
"""Clusters from which a bootstrap is made; fewer give too few different samples, and Student's t serves."""
_FEWEST = 6
"""Clusters of one sign that a two-sided sign test calls significant: 2 (1/2)^6 < 0.05."""
_SAME = 1e-12

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A value of `n` observations in `clusters` clusters; low and high are None where no interval can be told."""

    value: float
    n: int
    clusters: int
    low: float | None = None
    high: float | None = None
    method: str = ""

    @property
    def certain(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


def wilson(hits: int, n: int, level: float = LEVEL) -> Estimate | None:
    """A share of independent yes-or-no observations with Wilson's score interval; None without observations.

    Wilson 1927, J. Am. Stat. Assoc. 22, 209-212.
    """
    if n == 0:
        return None
    low, high = score_limits(hits, n, level)
    return Estimate(hits / n, n, n, low, high, "Wilson")


def score_limits(hits: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """The two ends of Wilson's interval for `hits` of `n` (at least 1)."""
    from scipy.stats import binomtest

    interval = binomtest(hits, n).proportion_ci(level, method="wilson")
    return float(interval.low), float(interval.high)


def mean(
    values: Sequence[float],
    clusters: Sequence[Hashable],
    weights: Sequence[float] | None = None,
    *,
    level: float = LEVEL,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Estimate | None:
    """The (weighted) mean of values with an interval clustered as told; None without values, or without weight.

    From ten clusters on it is the bias-corrected and accelerated percentile interval (Efron 1987, J. Am. Stat.
    Assoc. 82, 171-185) over resampled clusters, at the level that makes up for few clusters: alpha / 2 becomes
    Phi(-sqrt(m / (m - 1)) t(1 - alpha / 2, m - 1)) for m clusters (Hesterberg 2015, Am. Stat. 69, 371-386).
    With two to nine it is Student's t over the clusters' residuals. There is no interval with one cluster, nor with
    fewer than six that are all alike: even a sign test could not call those anything but chance.
    Raises ValueError when the lengths differ.
    """
    sums, sizes = _by_cluster(values, clusters, weights)
    if not len(values) or sizes.sum() <= 0:
        return None
    value, count = float(sums.sum() / sizes.sum()), len(sums)
    if count < 2:
        return Estimate(value, len(values), count)
    if count < _FEWEST and _ratio_error(sums, sizes) < _SAME:
        return Estimate(value, len(values), count)
    if count < ENOUGH:
        low, high = _student(sums, sizes, level)
        return Estimate(value, len(values), count, low, high, "Student's t over clusters")
    low, high = _bootstrap(sums, sizes, level, seed, resamples)
    return Estimate(value, len(values), count, low, high, "BCa bootstrap over clusters")


def standard_error(
    values: Sequence[float], clusters: Sequence[Hashable], weights: Sequence[float] | None = None
) -> float | None:
    """Standard error of the (weighted) mean of clustered values; None with fewer than two clusters.

    The linearised variance of a ratio: m / (m - 1) * sum((s_i - r n_i)^2) / (sum n_i)^2 for cluster sums s, sizes n
    and their ratio r (Cochran, Sampling Techniques, 1977, section 9.5).
    """
    sums, sizes = _by_cluster(values, clusters, weights)
    return _ratio_error(sums, sizes) if len(sums) > 1 else None


def _by_cluster(
    values: Sequence[float], clusters: Sequence[Hashable], weights: Sequence[float] | None
) -> tuple[Numbers, Numbers]:
    """Weighted sum of the values and sum of the weights of each cluster that has weight."""
    given = [1.0] * len(values) if weights is None else weights
    sums: dict[Hashable, list[float]] = {}
    for value, cluster, weight in zip(values, clusters, given, strict=True):
        entry = sums.setdefault(cluster, [0.0, 0.0])
        entry[0] += value * weight
        entry[1] += weight
    weighted = [entry for entry in sums.values() if entry[1] > 0]
    return np.array([entry[0] for entry in weighted]), np.array([entry[1] for entry in weighted])


def _ratio_error(sums: Numbers, sizes: Numbers) -> float:
    count = len(sums)
    residuals = sums - sums.sum() / sizes.sum() * sizes
    return math.sqrt(count / (count - 1) * float((residuals**2).sum())) / float(sizes.sum())


def _student(sums: Numbers, sizes: Numbers, level: float) -> tuple[float, float]:
    from scipy.stats import t

    value, half = sums.sum() / sizes.sum(), t.ppf(0.5 + level / 2, len(sums) - 1) * _ratio_error(sums, sizes)
    return float(value - half), float(value + half)


def _bootstrap(sums: Numbers, sizes: Numbers, level: float, seed: int, resamples: int) -> tuple[float, float]:
    from scipy.stats import t

    count, normal = len(sums), _normal()
    value = sums.sum() / sizes.sum()
    drawn = np.random.default_rng(seed).integers(0, count, (resamples, count))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    if np.ptp(means) < _SAME:
        return float(value), float(value)
    below = (np.count_nonzero(means < value - _SAME) + np.count_nonzero(np.abs(means - value) <= _SAME) / 2) / resamples
    bias = normal.ppf(min(max(below, 1 / resamples), 1 - 1 / resamples))
    left_out = (sums.sum() - sums) / (sizes.sum() - sizes)
    spread = left_out.mean() - left_out
    acceleration = float((spread**3).sum() / (6 * (spread**2).sum() ** 1.5)) if (spread**2).sum() > _SAME else 0.0
    wide = math.sqrt(count / (count - 1)) * t.ppf(0.5 + level / 2, count - 1)
    shares = [normal.cdf(bias + (bias + z) / max(1 - acceleration * (bias + z), _SAME)) for z in (-wide, wide)]
    low, high = np.quantile(means, shares)
    return float(low), float(high)


def _normal() -> Any:
    from scipy.stats import norm

    return norm
