"""A list of values to its quantiles."""

from collections.abc import Iterable, Sequence

import numpy as np

from voicesim.metrics.model import Summary

ENOUGH = 5
"""Values from which a 90th or 95th percentile is told; among fewer it is only another name for the largest."""


def summarize(values: Iterable[float]) -> Summary:
    """Count, median, 90th and 95th percentile, maximum and the values in their order.

    None without values; the percentiles are None under five values.
    """
    listed = tuple(values)
    if not listed:
        return Summary(n=0)
    tail = len(listed) >= ENOUGH
    return Summary(
        n=len(listed),
        median=quantile(listed, 0.5),
        p90=quantile(listed, 0.9) if tail else None,
        p95=quantile(listed, 0.95) if tail else None,
        max=max(listed),
        values=listed,
    )


def quantile(values: Sequence[float], share: float) -> float:
    """numpy's default: linear interpolation between the nearest ranks (Hyndman and Fan 1996, type 7); to 0.1 ms."""
    return round(float(np.quantile(values, share)), 4)
