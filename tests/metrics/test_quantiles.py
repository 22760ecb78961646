import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicesim.metrics.summary import quantile, summarize


def test_quantiles_interpolate_between_ranks() -> None:
    summary = summarize([0.8, 0.8, 5.0, 0.8])
    # ranks 0..3: p90 at 2.7 -> 0.8 + 0.7 * 4.2; p95 at 2.85 -> 0.8 + 0.85 * 4.2
    assert (summary.n, summary.median, summary.p90, summary.p95, summary.max) == (4, 0.8, 3.74, 4.37, 5.0)
    assert summary.values == (0.8, 0.8, 5.0, 0.8)


def test_one_value_is_every_quantile() -> None:
    summary = summarize([0.4])
    assert (summary.median, summary.p90, summary.p95, summary.max) == (0.4, 0.4, 0.4, 0.4)


@given(st.lists(st.floats(0, 100), min_size=1, max_size=50), st.floats(0, 1))
def test_the_method_is_numpys_default(values: list[float], share: float) -> None:
    assert quantile(values, share) == pytest.approx(float(np.quantile(values, share)), abs=1e-4)
