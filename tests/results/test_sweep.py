"""What the calls of a sweep come to, and where a figure breaks."""

from pathlib import Path

import pytest
from made_sweep import call, sweep

from voicesim.errors import RecordingError
from voicesim.results.sweep import KINDS, read_sweep

KIND = {kind.id: kind for kind in KINDS}


def test_hearing_pools_the_entities_of_a_point() -> None:
    made = sweep((call("a", 9, 10), call("b", 5, 10)), (call("c"),))
    estimate = made.points[0].figures["hearing"]
    assert estimate is not None
    assert (estimate.value, estimate.n) == (0.7, 20)
    # Wilson for 14 of 20: (0.7 + 0.096 +- 1.96 sqrt(0.21 / 20 + 0.0024)) / 1.192 = 0.481 to 0.855.
    assert estimate.low == pytest.approx(0.481, abs=0.002)
    assert estimate.high == pytest.approx(0.855, abs=0.002)
    assert made.points[1].figures["hearing"] is None


def test_an_agent_that_tells_and_told_nothing_understood_nothing() -> None:
    """Beside calls in which it told, what it has shown is no measure; of one that never tells it is all."""
    told, silent, shown = call("a", 9, 10), call("b", 3, 10, source="shown"), call("c", 4, 10, source="shown")
    values = [point.figures["hearing"] for point in sweep((told,), (silent,)).points]
    assert [estimate.value if estimate else None for estimate in values] == [0.9, 0.0]
    values = [point.figures["hearing"] for point in sweep((silent,), (shown,)).points]
    assert [estimate.value if estimate else None for estimate in values] == [0.3, 0.4]


def test_invalid_calls_count_for_nothing() -> None:
    made = sweep((call("a", 9, 10), call("b", 0, 10, valid=False)), (call("c", 1, 10),))
    estimate = made.points[0].figures["hearing"]
    assert estimate is not None
    assert estimate.value == 0.9


def test_a_figure_breaks_where_it_is_surely_worse_from_there_on() -> None:
    control = (call("plain", 95, 100),)
    points = [(call("a", 93, 100),), (call("b", 60, 100),), (call("c", 20, 100),)]
    assert sweep(*points, control=control).breaks(KIND["hearing"]) == "20"
    # One bad point between good ones is no break, nor is what is not sure.
    assert sweep(*points[:2], (call("c", 94, 100),), control=control).breaks(KIND["hearing"]) is None
    # 8 of 10 has an interval up to 0.94, which holds 0.9.
    assert sweep((call("a", 8, 10),), control=(call("plain", 9, 10),)).breaks(KIND["hearing"]) is None
    assert sweep(*points).breaks(KIND["hearing"]) is None
    assert sweep(*points, control=control, numbers=False).breaks(KIND["hearing"]) is None


def test_a_low_figure_breaks_upward() -> None:
    control = (call("plain", latencies=(0.5, 0.6, 0.7)),)
    made = sweep((call("a", latencies=(0.5, 0.6, 0.7)),), (call("b", latencies=(2.0, 2.1, 2.2)),), control=control)
    assert made.breaks(KIND["latency"]) == "20"
    # One call: its answers are drawn apart. Student's t of 2.0, 2.1 and 2.2 is 2.1 +- 4.303 * 0.1 / sqrt(3).
    estimate = made.points[1].figures["latency"]
    assert estimate is not None
    assert estimate.low == pytest.approx(1.852, abs=0.002)
    assert estimate.high == pytest.approx(2.348, abs=0.002)


def test_score_and_critical_misses_are_means_of_calls() -> None:
    made = sweep((call("a", score=0.5, critical=("x",)), call("b", score=1.0)), (call("c"),))
    score, critical = made.points[0].figures["score"], made.points[0].figures["critical"]
    assert score is not None
    assert critical is not None
    assert (score.value, critical.value) == (0.75, 0.5)
    assert made.points[1].figures["score"] is None


def test_a_folder_without_a_sweep_is_told(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"no sweep here \(sweep.json is not there\)"):
        read_sweep(tmp_path)
