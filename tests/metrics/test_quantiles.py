import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicesim.metrics.summary import quantile, summarize


def test_quantiles_interpolate_between_ranks() -> None:
    summary = summarize([0.8, 0.8, 5.0, 0.8, 0.8])
    # ranks 0..4: p90 at 3.6 -> 0.8 + 0.6 * 4.2; p95 at 3.8 -> 0.8 + 0.8 * 4.2
    assert (summary.n, summary.median, summary.p90, summary.p95, summary.max) == (5, 0.8, 3.32, 4.16, 5.0)
    assert summary.values == (0.8, 0.8, 5.0, 0.8, 0.8)


@pytest.mark.parametrize("values", [[0.4], [0.4, 0.6], [0.8, 0.8, 5.0, 0.8]])
def test_a_few_values_have_no_percentiles_of_their_tail(values: list[float]) -> None:
    summary = summarize(values)
    assert (summary.p90, summary.p95, summary.max) == (None, None, max(values))
    assert summary.median == pytest.approx(float(np.median(values)))


@given(st.lists(st.floats(0, 100), min_size=1, max_size=50), st.floats(0, 1))
def test_the_method_is_numpys_default(values: list[float], share: float) -> None:
    assert quantile(values, share) == pytest.approx(float(np.quantile(values, share)), abs=1e-4)
