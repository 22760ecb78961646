"""A sweep: which calls belong to which values of its axes, and what they came to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator

from voicesim.errors import RecordingError
from voicesim.frozen import Frozen
from voicesim.metrics.model import Share
from voicesim.recording import files
from voicesim.results.read import SuiteCall, SuiteResult, open_suite
from voicesim.statistics.intervals import Estimate, mean, wilson

SWEEP = "sweep.json"
"""The sweep's file in its folder, beside suite.json."""
MOST_VALUES = 200
"""Of an axis."""
AxisName = Literal["snr", "loss", "accent", "voice", "profile"]


class SweepAxis(Frozen):
    """An axis and its values as they were written; `numbers` tells that they go from one end to the other."""

    name: AxisName
    values: tuple[str, ...] = Field(min_length=1, max_length=MOST_VALUES)
    numbers: bool


class SweepPoint(Frozen):
    """A value of each axis, and the keys of its calls in suite.json."""

    values: tuple[str, ...]
    keys: tuple[str, ...]


class Sweep(Frozen):
    """The whole of sweep.json. `control` are the keys of the calls with a plain voice on a clean line, if any."""

    schema_version: Literal[1] = 1
    title: str = ""
    case: str
    agent: str
    axes: tuple[SweepAxis, ...] = Field(min_length=1, max_length=2)
    points: tuple[SweepPoint, ...]
    control: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _has_a_point_for_each_combination(self) -> Self:
        if [point.values for point in self.points] != list(product(*(axis.values for axis in self.axes))):
            raise ValueError("its points are not the combinations of its axes' values, the last axis moving fastest")
        return self


@dataclass(frozen=True)
class Kind:
    """A figure of a sweep; `good` tells whether more of it is better, `share` whether it is one of 1."""

    id: str
    name: str
    unit: Literal["share", "seconds", "count"]
    good: Literal["high", "low"]
    of: Callable[[Sequence[SuiteCall]], Estimate | None]


@dataclass(frozen=True)
class Point:
    """A place of a sweep with its calls, and each figure by its id; None where there is nothing to tell."""

    values: tuple[str, ...]
    calls: tuple[SuiteCall, ...]
    figures: dict[str, Estimate | None]


@dataclass(frozen=True)
class SweepResult:
    """A sweep as its folder stands."""

    folder: Path
    sweep: Sweep
    points: tuple[Point, ...]
    control: Point | None

    def breaks(self, kind: Kind) -> str | None:
        """The value of a lone axis of numbers from which on a figure is worse than the control; None where none is.

        Worse is an interval that lies wholly on the bad side of the control's value, at this value and at all beyond.
        """
        if len(self.sweep.axes) != 1 or not self.sweep.axes[0].numbers:
            return None
        control = self.control.figures[kind.id] if self.control else None
        known = [point for point in self.points if point.figures[kind.id] is not None]
        broken = None
        for point in reversed(known if control else ()):
            if not _worse(point.figures[kind.id], control, kind):
                break
            broken = point.values[0]
        return broken


def read_sweep(folder: Path) -> SweepResult:
    """A sweep's folder as it stands; calls that are still missing are left out of every figure.

    Raises RecordingError when it holds no sweep, or one that cannot be read.
    """
    if not (folder / SWEEP).is_file():
        raise RecordingError(f"{folder}: no sweep here ({SWEEP} is not there)")
    return result(files.load(folder, SWEEP, Sweep), open_suite(folder))


def result(sweep: Sweep, suite: SuiteResult) -> SweepResult:
    """What the calls of a suite's folder come to, by the points of a sweep."""
    calls = {call.planned.key: call for call in _understood(suite.calls)}

    def point(values: tuple[str, ...], keys: tuple[str, ...]) -> Point:
        there = tuple(calls[key] for key in keys if key in calls)
        valid = [call for call in there if call.valid]
        return Point(values, there, {kind.id: kind.of(valid) for kind in KINDS})

    return SweepResult(
        suite.folder,
        sweep,
        tuple(point(place.values, place.keys) for place in sweep.points),
        point((), sweep.control) if sweep.control else None,
    )


def _understood(calls: Sequence[SuiteCall]) -> Sequence[SuiteCall]:
    """The calls of an agent that tells what it understood; where it told nothing of a call, it understood nothing.

    Those of an agent that never tells stay as they are: what it has shown is compared with what it has shown.
    """
    hearings = [call.metrics.agent_hearing if call.metrics else None for call in calls]
    if not any(hearing and hearing.source == "told" for hearing in hearings):
        return calls
    made = []
    for call, hearing in zip(calls, hearings, strict=True):
        if call.metrics and hearing and hearing.source == "shown":
            nothing = hearing.model_copy(update={"entities": Share(n=hearing.entities.n, count=0, share=0.0)})
            call = replace(call, metrics=call.metrics.model_copy(update={"agent_hearing": nothing}))
        made.append(call)
    return made


def _worse(estimate: Estimate | None, control: Estimate | None, kind: Kind) -> bool:
    if estimate is None or control is None or estimate.low is None or estimate.high is None:
        return False
    return estimate.high < control.value if kind.good == "high" else estimate.low > control.value


def _score(calls: Sequence[SuiteCall]) -> Estimate | None:
    scores = [call.score for call in calls if call.score is not None]
    return mean(scores, range(len(scores)))


def _critical(calls: Sequence[SuiteCall]) -> Estimate | None:
    judged = [call.verdicts for call in calls if call.verdicts]
    return mean([float(len(verdicts.score.failed_critical)) for verdicts in judged], range(len(judged)))


def _latency(calls: Sequence[SuiteCall]) -> Estimate | None:
    """The mean over all answers; the answers of a call go together, where there are several calls."""
    several = len(calls) > 1
    pairs = [
        (value, call.planned.key if several else str(number))
        for call in calls
        if call.metrics
        for number, value in enumerate(call.metrics.response_latency.values)
    ]
    return mean([value for value, _ in pairs], [cluster for _, cluster in pairs])


def _cut_ins(calls: Sequence[SuiteCall]) -> Estimate | None:
    known = [call.metrics for call in calls if call.metrics]
    return wilson(sum(metrics.cut_ins for metrics in known), sum(len(metrics.turns) for metrics in known))


def _hearing(calls: Sequence[SuiteCall]) -> Estimate | None:
    heard = [call.metrics.agent_hearing for call in calls if call.metrics and call.metrics.agent_hearing]
    return wilson(sum(hearing.entities.count for hearing in heard), sum(hearing.entities.n for hearing in heard))


def _word_errors(calls: Sequence[SuiteCall]) -> Estimate | None:
    heard = [call.metrics.agent_hearing for call in calls if call.metrics and call.metrics.agent_hearing]
    rates = [hearing.wer for hearing in heard if hearing.wer is not None]
    return mean(rates, range(len(rates)))


def _line_errors(calls: Sequence[SuiteCall]) -> Estimate | None:
    heard = [call.metrics.agent_hearing for call in calls if call.metrics and call.metrics.agent_hearing]
    rates = [hearing.wer_line for hearing in heard if hearing.wer_line is not None]
    return mean(rates, range(len(rates)))


KINDS = (
    Kind("score", "Score", "share", "high", _score),
    Kind("critical", "Critical misses a call", "count", "low", _critical),
    Kind("hearing", "Clinical entities understood", "share", "high", _hearing),
    Kind("wer", "Agent's word error rate", "share", "low", _word_errors),
    Kind("wer_line", "Our transcriber's word error rate", "share", "low", _line_errors),
    Kind("latency", "Response latency", "seconds", "low", _latency),
    Kind("cut_ins", "Turns cut into", "share", "low", _cut_ins),
)
"""The figures of a sweep, in the order in which they are shown."""
