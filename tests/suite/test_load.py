"""Load: what a level's calls came to, and where the tester itself was the limit."""

from dataclasses import replace
from pathlib import Path

import pytest
from suite_on_disk import LATE, Made, make_suite

from voicesim.recording.manifest import Lateness
from voicesim.results.read import SuiteResult
from voicesim.suite.load import Level, Load, level_of
from voicesim.suite.pace import Pace


def with_lateness(suite: SuiteResult, p99: float) -> SuiteResult:
    late = Lateness(ticks=100, p50=0.001, p99=p99, max=p99, late_share=0.0)
    calls = tuple(
        replace(call, manifest=call.manifest.model_copy(update={"lateness": late})) if call.manifest else call
        for call in suite.calls
    )
    return replace(suite, calls=calls)


def level(folder: Path, *calls: Made, p99: float = 0.002) -> Level:
    return level_of(with_lateness(make_suite(folder, *calls), p99), len(calls))


def test_an_agent_that_takes_fewer_calls_fails_and_the_tester_does_not(tmp_path: Path) -> None:
    found = level(
        tmp_path / "a", Made(latencies=[0.5, 0.7]), Made(seed=1, lost="refused"), Made(seed=2, latencies=[0.9])
    )
    assert (found.calls, found.failed, found.spoiled, found.tester_limit) == (3, 1, 0, False)
    assert (found.latency_median, found.n) == (0.7, 3)
    assert found.latency_p95 is None  # of three answers


def test_calls_that_the_tester_spoiled_say_nothing_of_the_agent(tmp_path: Path) -> None:
    found = level(tmp_path / "a", Made(latencies=[0.5]), Made(seed=1, latencies=[9.0], validity=LATE))
    assert (found.failed, found.spoiled, found.tester_limit) == (0, 1, True)
    assert found.latency_median == 0.5


@pytest.mark.parametrize(("p99", "limit"), [(0.009, False), (0.011, True)])
def test_the_tester_is_the_limit_before_its_calls_are_invalid(tmp_path: Path, p99: float, limit: bool) -> None:
    found = level(tmp_path / "a", Made(latencies=[0.5]), p99=p99)
    assert found.tester_limit is limit
    assert Load(agent="x", case="c", levels=(found,)).limit == (1 if limit else None)


def test_the_number_falls_once_for_calls_that_were_late_together(tmp_path: Path) -> None:
    (late,) = make_suite(tmp_path / "s", Made(validity=LATE)).calls
    assert late.manifest is not None
    pace = Pace(4)
    assert pace.ended(late.manifest, 4)
    assert pace.ended(late.manifest, 4)  # made again, too, but it began beside the same four
    assert pace.allowed == 3
    alone = Pace(1)
    assert not alone.ended(late.manifest, 1)
    assert alone.allowed == 1
    held = Pace(4, held=True)
    assert not held.ended(late.manifest, 4)
    assert held.allowed == 4
