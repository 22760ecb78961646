"""Whether each agent of a suite keeps the thresholds that are set for it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from voicesim.catalog.threshold_file import Threshold, threshold_set
from voicesim.registry import FIGURES
from voicesim.results.figures import Calls
from voicesim.results.read import SuiteResult
from voicesim.statistics.intervals import Estimate

Outcome = Literal["kept", "passed_by", "unknown"]


@dataclass(frozen=True)
class Wanted:
    """A threshold and the set that it is of; "" for one of the suite's own."""

    threshold: Threshold
    of: str = ""

    @property
    def source(self) -> str:
        """Where the number comes from."""
        return self.threshold.source or (threshold_set(self.of).source if self.of else "")


@dataclass(frozen=True)
class Checked:
    """What a figure of an agent came to. `unknown`: there was nothing to compute it from, which is no pass."""

    agent: str
    wanted: Wanted
    estimate: Estimate | None

    @property
    def outcome(self) -> Outcome:
        """Whether the threshold is kept."""
        if self.estimate is None:
            return "unknown"
        return "kept" if self.wanted.threshold.kept(self.estimate.value) else "passed_by"


def wanted(thresholds: Iterable[Threshold] = (), sets: Iterable[str] = ()) -> tuple[Wanted, ...]:
    """Thresholds of one's own, then those of named sets or files. Raises as `threshold_set` does."""
    named = (Wanted(threshold, name) for name in sets for threshold in threshold_set(name).thresholds)
    return (*(Wanted(threshold) for threshold in thresholds), *named)


def figure(name: str, calls: Calls) -> Estimate | None:
    """A figure of the table over the valid ones of some calls."""
    computed: Estimate | None = FIGURES.load(name)([call for call in calls if call.valid])
    return computed


def checked(suite: SuiteResult, every: Sequence[Wanted]) -> tuple[Checked, ...]:
    """Every threshold for every agent, by agent. Calls that are invalid or missing count for nothing."""
    return tuple(
        Checked(agent, wanted, figure(wanted.threshold.figure, suite.of(agent=agent)))
        for agent in suite.ids("agent")
        for wanted in every
    )
