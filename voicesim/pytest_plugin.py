"""The pytest plugin: a marker that says which calls a test makes, and a fixture that makes them.

@pytest.mark.voicesim("cold-01-andi", "python:my_agent:build", repeats=3, clock="virtual")
def test_the_nurse_line(voicesim_calls):
    voicesim_calls.assert_passed()
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from voicesim.api import CallResult
    from voicesim.catalog.threshold_file import Threshold

_MARK = (
    "voicesim(case, agent, *, repeats=1, passes=None, thresholds=(), threshold_sets=(), **options): the calls that the "
    "fixture voicesim_calls makes; options as of voicesim.simulate. `passes` of the valid calls have to pass (all)."
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Where recordings go."""
    group = parser.getgroup("voicesim")
    group.addoption("--voicesim-out", default="recordings", help="Folder for the recordings of tests (recordings).")


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", _MARK)


@dataclass(frozen=True)
class Calls:
    """The calls of a test, in `folder`, and what they are held to."""

    folder: Path
    calls: "tuple[CallResult, ...]"
    passes: int | None = None
    thresholds: "tuple[Threshold, ...]" = field(default=())
    threshold_sets: tuple[str, ...] = ()

    @property
    def valid(self) -> "tuple[CallResult, ...]":
        """Those that voicesim did not spoil itself."""
        return tuple(call for call in self.calls if call.gate != "invalid")

    def assert_passed(self) -> None:
        """Fail the test, with the path of each scorecard, unless enough calls passed and the thresholds are kept.

        A test without a valid call is skipped: an invalid call says nothing of the agent. With thresholds and no
        `passes`, only the thresholds count.
        """
        __tracebackhide__ = True
        if not self.valid:
            pytest.skip(_shown("no valid call:\n" + self._told(self.calls)))
        passed = sum(call.passed for call in self.valid)
        only_thresholds = self.passes is None and bool(self.thresholds or self.threshold_sets)
        wanted = 0 if only_thresholds else len(self.valid) if self.passes is None else min(self.passes, len(self.valid))
        problems = [f"{passed} of {len(self.valid)} valid calls passed, wanted are {wanted}"] * (passed < wanted)
        problems += self._exceeded()
        if problems:
            pytest.fail(_shown("\n".join([*problems, self._told(self.calls)])), pytrace=False)

    def _exceeded(self) -> list[str]:
        from voicesim.results.read import open_suite
        from voicesim.results.thresholds import figure, wanted

        calls, problems = open_suite(self.folder).calls, []
        for each in wanted(self.thresholds, self.threshold_sets):
            estimate = figure(each.threshold.figure, calls)
            if estimate is None:
                problems.append(f"{each.threshold}: there was nothing to measure it on")
            elif not each.threshold.kept(estimate.value):
                problems.append(f"{each.threshold}: it is {estimate.value:g} (n = {estimate.n}) {each.source}".rstrip())
        return problems

    @staticmethod
    def _told(calls: "Iterable[CallResult]") -> str:
        return "\n".join(f"  {call}\n    scorecard: {call.scorecard}" for call in calls)


def _shown(text: str) -> str:
    """What went wrong may be told in an agent's words; on a terminal they are text."""
    from voicesim.report.wording import visible

    return visible(text)


@pytest.fixture
def voicesim_calls(request: pytest.FixtureRequest) -> Calls:
    """The calls of the test's marker, made, recorded and judged; each repeat with the next seed."""
    marker = request.node.get_closest_marker("voicesim")
    if marker is None:
        raise pytest.UsageError(f"{request.node.nodeid} needs @pytest.mark.voicesim(case, agent)")
    return make(_folder(request), *marker.args, **marker.kwargs)


def make(
    folder: Path,
    case: Any,
    agent: Any,
    *,
    repeats: int = 1,
    passes: int | None = None,
    thresholds: Iterable[Mapping[str, Any]] = (),
    threshold_sets: Iterable[str] = (),
    seed: int = 0,
    **options: Any,
) -> Calls:
    """Make the calls of a test. Raises what `voicesim.simulate` raises, ValidationError for what is no threshold."""
    from voicesim.api import simulate
    from voicesim.catalog.threshold_file import Threshold, threshold_set

    limits = tuple(Threshold.model_validate(each) for each in thresholds)
    sets = tuple(threshold_sets)
    for name in sets:
        threshold_set(name)
    calls = tuple(simulate(case, agent, seed=seed + repeat, out=folder, **options) for repeat in range(repeats))
    return Calls(folder, calls, passes, limits, sets)


def _folder(request: pytest.FixtureRequest) -> Path:
    """A folder of its own for each run of a test, under the one for recordings."""
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", request.node.name).strip("-.")[:80]
    out = Path(request.config.getoption("--voicesim-out"))
    return request.config.rootpath / out / f"{datetime.now():%Y%m%d-%H%M%S-%f}-{name}"
