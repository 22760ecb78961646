"""Load: more and more calls at once to one agent; how it answers, and where the tester itself became the limit."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from voicesim.catalog.find import Catalogue
from voicesim.catalog.suite_file import CallLimits, SuiteFile
from voicesim.frozen import Frozen
from voicesim.judge.judges import Panel
from voicesim.recording.files import save
from voicesim.results.read import SuiteCall, SuiteResult, open_suite
from voicesim.results.thresholds import figure
from voicesim.suite.asked import plan_of
from voicesim.suite.pace import LATE, TIGHT
from voicesim.suite.run import run
from voicesim.suite.watcher import Watcher

LOAD = "load.json"
_NEVER_CAME = ("line_lost", "agent_silent")


class Level(Frozen):
    """So many calls at once. Latencies in seconds over the calls that voicesim did not spoil.

    `failed` counts calls that the agent did not take, lost, or left in silence. `tester_late` is the worst of the
    calls' 99th percentiles of lateness (seconds); `tester_limit` says that beyond it these figures are the tester's.
    """

    at_once: int
    calls: int
    failed: int
    spoiled: int
    latency_median: float | None
    latency_p95: float | None
    n: int
    tester_late: float | None
    tester_limit: bool


class Load(Frozen):
    """The whole of load.json."""

    agent: str
    case: str
    levels: tuple[Level, ...]

    @property
    def limit(self) -> int | None:
        """The number of calls at once from which the tester is the limit; None where it never was."""
        return next((level.at_once for level in self.levels if level.tester_limit), None)


def levels_up_to(most: int) -> tuple[int, ...]:
    """1, 2, 4 and so on, and `most` itself.

    >>> levels_up_to(6)
    (1, 2, 4, 6)
    """
    doubled = [2**power for power in range(most.bit_length()) if 2**power < most]
    return (*doubled, most)


def under_load(
    agent: str,
    case: str,
    folder: Path,
    levels: Sequence[int],
    watcher: Callable[[int], Watcher],
    *,
    profile: str = "clean",
    max_duration: float = 60.0,
    beyond: bool = False,
) -> Iterator[Level]:
    """Make each level's calls, all at once, and give what they came to; load.json in `folder` holds those so far.

    It ends behind the level at which the tester becomes the limit, unless it is to go `beyond`. Raises as `plan_of`
    and `run`.
    """
    done: list[Level] = []
    for number, at_once in enumerate(levels):
        suite = SuiteFile.model_construct(
            cases=(case,),
            agents=(agent,),
            profiles=(profile,),
            seeds=tuple(range(1000 * number, 1000 * number + at_once)),
            limits=CallLimits(max_duration=max_duration),
            at_once=at_once,
        )
        plan = plan_of(suite, Catalogue.here(), folder / f"{at_once:03d}-at-once", Panel())
        run(replace(plan, held=True), watcher(at_once))
        done.append(level_of(open_suite(plan.folder), at_once))
        save(folder, LOAD, Load(agent=agent, case=case, levels=tuple(done)))
        yield done[-1]
        if done[-1].tester_limit and not beyond:
            return


def level_of(suite: SuiteResult, at_once: int) -> Level:
    """What the calls of one level came to; a pure function of its folder."""
    lateness = [call.manifest.lateness.p99 for call in suite.calls if call.manifest and call.manifest.lateness]
    spoiled = [call for call in suite.calls if call.state == "invalid"]
    median, p95 = (figure(f"response_latency_{name}", suite.calls) for name in ("median", "p95"))
    late = max(lateness, default=None)
    return Level(
        at_once=at_once,
        calls=len(suite.calls),
        failed=sum(_failed(call) for call in suite.calls),
        spoiled=len(spoiled),
        latency_median=median.value if median else None,
        latency_p95=p95.value if p95 else None,
        n=median.n if median else 0,
        tester_late=late,
        tester_limit=any(_was_late(call) for call in spoiled) or (late is not None and late > TIGHT),
    )


def _failed(call: SuiteCall) -> bool:
    if call.manifest is None:
        return True
    return call.valid and call.manifest.end_reason in _NEVER_CAME


def _was_late(call: SuiteCall) -> bool:
    validity = call.manifest.validity if call.manifest else None
    return validity is not None and validity.reason == LATE
