"""A suite in plain values: the JSON that other programs read. Its schema is `SuiteSummary.model_json_schema()`."""

from typing import Literal

from voicesim.catalog.model import Group
from voicesim.frozen import Frozen
from voicesim.judge.model import Verdict
from voicesim.recording.manifest import EndReason
from voicesim.registry import FIGURES
from voicesim.results.baseline import Change, regressions
from voicesim.results.model import Called
from voicesim.results.read import CallState, SuiteCall, SuiteResult
from voicesim.results.thresholds import Checked, Outcome, Wanted, checked, figure
from voicesim.statistics.intervals import Estimate

MOST_QUOTES = 3


class CallRow(Called):
    """One planned call; seconds, shares of 1, paths relative to the suite's folder. None is what is not known."""

    state: CallState
    reason: str
    score: float | None
    coverage: float | None
    failed_critical: tuple[str, ...]
    missed: tuple[str, ...]
    tags: tuple[str, ...]
    end_reason: EndReason | None
    duration: float | None
    response_latency_median: float | None
    response_latency_p95: float | None
    cut_ins: int | None
    draft: bool
    recording: str | None
    scorecard: str | None


class MissRow(Frozen):
    """A check that was missed in `missed` of the `decided` valid calls with it, and what was quoted: three at most."""

    case: str
    check: str
    group: Group
    missed: int
    decided: int
    quotes: tuple[str, ...]


class FigureRow(Frozen):
    """A figure of one agent over its valid calls: `n` observations, and a 95 % interval where there is one."""

    agent: str
    figure: str
    value: float
    low: float | None
    high: float | None
    n: int


class ThresholdRow(Frozen):
    """A threshold for one agent. `value` is None, and the outcome `unknown`, where there was nothing to measure."""

    agent: str
    figure: str
    at_most: float | None
    at_least: float | None
    of_set: str
    source: str
    value: float | None
    n: int
    outcome: Outcome


class ChangeRow(Frozen):
    """A figure before and now over `n` pairs of calls; `worse` where that cannot be chance."""

    agent: str
    what: str
    n: int
    before: float
    now: float
    difference: float
    low: float | None
    high: float | None
    p: float | None
    worse: bool


class SuiteSummary(Frozen):
    """The whole of results.json. `exit_code` is what a command that was asked for this suite ends with."""

    schema_version: Literal[1] = 1
    suite: str
    title: str
    voicesim: str
    judge: str
    calls: tuple[CallRow, ...]
    missed: tuple[MissRow, ...] = ()
    figures: tuple[FigureRow, ...]
    thresholds: tuple[ThresholdRow, ...] = ()
    baseline: str | None = None
    changes: tuple[ChangeRow, ...] = ()
    exit_code: int = 0


def summarized(
    suite: SuiteResult, thresholds: tuple[Wanted, ...] = (), baseline: SuiteResult | None = None
) -> SuiteSummary:
    """What a suite came to, by its own calls, by thresholds, and against a baseline."""
    outcomes = checked(suite, thresholds)
    changes = regressions(baseline, suite) if baseline else ()
    return SuiteSummary(
        suite=suite.run.suite,
        title=suite.run.title,
        voicesim=suite.run.voicesim,
        judge=suite.run.judge,
        calls=tuple(_row(suite, call) for call in suite.calls),
        missed=_misses(suite),
        figures=tuple(_figures(suite)),
        thresholds=tuple(_threshold(each) for each in outcomes),
        baseline=baseline.run.suite if baseline else None,
        changes=tuple(_change(each) for each in changes),
        exit_code=exit_code(suite, outcomes, changes if baseline else None),
    )


def exit_code(suite: SuiteResult, thresholds: tuple[Checked, ...], changes: tuple[Change, ...] | None) -> int:
    """0, 1 or 3: with thresholds or a baseline these decide alone, otherwise every call does.

    1: a threshold is passed by, or something became worse; without either, a call did not pass. 3: a call is missing,
    a threshold could not be told, or no call can be compared; without either, a call is invalid, too. An invalid
    call is voicesim's own fault, never a failure of the agent.
    """
    states = [call.state for call in suite.calls]
    if thresholds or changes is not None:
        outcomes = [each.outcome for each in thresholds]
        if "passed_by" in outcomes or any(change.worse for change in changes or ()):
            return 1
        return 3 if "unknown" in outcomes or "missing" in states or changes == () else 0
    if "missing" in states or "invalid" in states or not states:
        return 3
    return 0 if set(states) == {"passed"} else 1


def _row(suite: SuiteResult, call: SuiteCall) -> CallRow:
    planned, manifest, metrics, verdicts = call.planned, call.manifest, call.metrics, call.verdicts
    latency = metrics.response_latency if metrics else None
    return CallRow(
        **planned.model_dump(include=set(Called.model_fields)),
        state=call.state,
        reason=call.reason,
        score=call.score,
        coverage=verdicts.score.coverage if verdicts else None,
        failed_critical=verdicts.score.failed_critical if verdicts else (),
        missed=tuple(each.check for each in verdicts.verdicts if each.outcome == "miss") if verdicts else (),
        tags=tuple(dict.fromkeys(each.tag for each in verdicts.tags)) if verdicts else (),
        end_reason=manifest.end_reason if manifest else None,
        duration=manifest.duration if manifest else None,
        response_latency_median=latency.median if latency else None,
        response_latency_p95=latency.p95 if latency else None,
        cut_ins=metrics.cut_ins if metrics else None,
        draft=call.draft,
        recording=call.folder.relative_to(suite.folder).as_posix() if call.folder else None,
        scorecard=call.scorecard.relative_to(suite.folder).as_posix() if call.scorecard else None,
    )


def _misses(suite: SuiteResult) -> tuple[MissRow, ...]:
    """Critical checks first, then by how often they were missed."""
    decided: dict[tuple[str, str], list[Verdict]] = {}
    for call in suite.valid:
        for verdict in call.verdicts.verdicts if call.verdicts else ():
            if verdict.outcome in ("hit", "miss"):
                decided.setdefault((call.planned.case, verdict.check), []).append(verdict)
    rows = []
    for (case, check), verdicts in decided.items():
        if misses := [verdict for verdict in verdicts if verdict.outcome == "miss"]:
            quotes = tuple(dict.fromkeys(evidence.quote for verdict in misses for evidence in verdict.evidence))
            counts = {"missed": len(misses), "decided": len(verdicts)}
            rows.append(MissRow(case=case, check=check, group=misses[0].group, quotes=quotes[:MOST_QUOTES], **counts))
    return tuple(sorted(rows, key=lambda row: (row.group != "critical", -row.missed)))


def _figures(suite: SuiteResult) -> list[FigureRow]:
    rows = []
    for agent in suite.ids("agent"):
        for name in FIGURES:
            if (known := figure(name, suite.of(agent=agent))) is not None:
                values = {"value": _rounded(known.value), "low": _rounded(known.low), "high": _rounded(known.high)}
                rows.append(FigureRow(agent=agent, figure=name, n=known.n, **values))
    return rows


def _threshold(each: Checked) -> ThresholdRow:
    threshold, known = each.wanted.threshold, each.estimate
    return ThresholdRow(
        agent=each.agent,
        figure=threshold.figure,
        at_most=threshold.at_most,
        at_least=threshold.at_least,
        of_set=each.wanted.of,
        source=each.wanted.source,
        value=_rounded(known.value) if known else None,
        n=known.n if known else 0,
        outcome=each.outcome,
    )


def _change(each: Change) -> ChangeRow:
    difference: Estimate = each.difference
    return ChangeRow(
        agent=each.agent,
        what=each.what,
        n=each.n,
        before=_rounded(each.before),
        now=_rounded(each.now),
        difference=_rounded(difference.value),
        low=_rounded(difference.low),
        high=_rounded(difference.high),
        p=_rounded(each.p),
        worse=each.worse,
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
