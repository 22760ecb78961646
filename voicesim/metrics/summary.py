"""A list of values to its quantiles."""

import math
from collections.abc import Iterable, Sequence

from voicesim.metrics.model import Summary


def summarize(values: Iterable[float]) -> Summary:
    """Count, median, 90th and 95th percentile, maximum and the values in their order; None without values."""
    listed = tuple(values)
    if not listed:
        return Summary(n=0)
    return Summary(
        n=len(listed),
        median=quantile(listed, 0.5),
        p90=quantile(listed, 0.9),
        p95=quantile(listed, 0.95),
        max=max(listed),
        values=listed,
    )


def quantile(values: Sequence[float], share: float) -> float:
    """Linear interpolation between the two nearest ranks (Hyndman and Fan's type 7, numpy's default).

    The sorted value at rank (n - 1) * share, counted from 0; rounded to 0.1 ms.
    """
    ranked = sorted(values)
    rank = (len(ranked) - 1) * share
    below = math.floor(rank)
    above = min(below + 1, len(ranked) - 1)
    return round(ranked[below] + (ranked[above] - ranked[below]) * (rank - below), 4)
