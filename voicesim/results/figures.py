"""Figures over many calls of one agent: a value, the observations it rests on and, where there is one, an interval.

Only valid calls count. A figure is None where there is nothing to compute it from, never 0. Quantiles pool the values
of all calls; means are of calls, and their intervals are clustered by case.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from voicesim.metrics.model import Metrics
from voicesim.metrics.summary import ENOUGH, quantile
from voicesim.results.read import SuiteCall
from voicesim.statistics.intervals import Estimate, mean, wilson
from voicesim.statistics.repeats import pass_hat

Calls: TypeAlias = Sequence[SuiteCall]


def score_mean(calls: Calls) -> Estimate | None:
    """Mean score of the scored calls."""
    return _mean((call, call.score) for call in calls)


def score_lowest(calls: Calls) -> Estimate | None:
    """The lowest score."""
    scores = [call.score for call in calls if call.score is not None]
    return _plain(min(scores), len(scores)) if scores else None


def pass_rate(calls: Calls) -> Estimate | None:
    """Share of the calls that passed: scored, and no critical check missed; a call without a score did not."""
    return wilson(sum(call.state == "passed" for call in calls), len(calls))


def pass_every_time(calls: Calls) -> Estimate | None:
    """pass^k: the probability that all repeats of a call pass, for the k that every call was repeated."""
    groups: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    for call in calls:
        planned = call.planned
        groups[planned.case, planned.persona, planned.profile].append(call.state == "passed")
    k = min((len(passes) for passes in groups.values()), default=0)
    return pass_hat(list(groups.values()), k) if k else None


def failed_critical(calls: Calls) -> Estimate | None:
    """Share of the calls in which a critical check was missed."""
    return wilson(sum(call.state == "failed" for call in calls), len(calls))


def coverage_mean(calls: Calls) -> Estimate | None:
    """Mean share of a rubric's weight that was decided."""
    return _mean((call, call.verdicts.score.coverage if call.verdicts else None) for call in calls)


def response_latency_median(calls: Calls) -> Estimate | None:
    """Median seconds from the patient's last sound to the agent's first."""
    return _quantile(_latencies(calls), 0.5)


def response_latency_p90(calls: Calls) -> Estimate | None:
    """90th percentile of the same; None under five answers."""
    return _quantile(_latencies(calls), 0.9, ENOUGH)


def response_latency_p95(calls: Calls) -> Estimate | None:
    """95th percentile of the same; None under five answers."""
    return _quantile(_latencies(calls), 0.95, ENOUGH)


def response_latency_longest(calls: Calls) -> Estimate | None:
    """The longest of them."""
    return _quantile(_latencies(calls), 1.0)


def first_word_median(calls: Calls) -> Estimate | None:
    """Median seconds from connection to the agent's voice."""
    return _quantile([seconds for measured in _measured(calls) if (seconds := measured.first_word) is not None], 0.5)


def cut_in_rate(calls: Calls) -> Estimate | None:
    """Share of the patient's turns into which the agent spoke."""
    return _share(calls, lambda measured: (measured.cut_ins, len(measured.turns)))


def unanswered_rate(calls: Calls) -> Estimate | None:
    """Share of the patient's turns that the agent left without an answer."""
    return _share(
        calls, lambda measured: (sum(turn.outcome == "unanswered" for turn in measured.turns), len(measured.turns))
    )


def yield_rate(calls: Calls) -> Estimate | None:
    """Share of the interruptions after which the agent stopped."""
    return _share(
        calls,
        lambda measured: (
            sum(interruption.yielded for interruption in measured.interruptions),
            len(measured.interruptions),
        ),
    )


def yield_median(calls: Calls) -> Estimate | None:
    """Median seconds from an interruption to the agent's silence, where it stopped."""
    times = (interruption.yield_time for measured in _measured(calls) for interruption in measured.interruptions)
    return _quantile([seconds for seconds in times if seconds is not None], 0.5)


def false_yields_per_call(calls: Calls) -> Estimate | None:
    """How often a call the agent stopped for a backchannel, side talk or a cough."""
    return _mean((call, None if call.metrics is None else float(call.metrics.false_yields)) for call in calls)


def dead_air_longest(calls: Calls) -> Estimate | None:
    """The longest silence in which it was the agent's turn, of those that count as dead air; 0 without one."""
    measured = _measured(calls)
    silences = [
        silence.end - silence.start for each in measured for silence in each.dead_air if silence.waiting_for == "agent"
    ]
    return _plain(round(max(silences, default=0.0), 4), len(measured)) if measured else None


def glitches_per_call(calls: Calls) -> Estimate | None:
    """Holes in the agent's speech a call."""
    return _mean(
        (call, None if call.metrics is None or call.metrics.glitches is None else float(len(call.metrics.glitches)))
        for call in calls
    )


def cost_per_call(calls: Calls) -> Estimate | None:
    """Mean cost of the agent's tokens, in the currency of its prices; calls whose cost is not known are left out."""
    return _mean((call, call.metrics.cost.amount if call.metrics and call.metrics.cost else None) for call in calls)


def _measured(calls: Calls) -> list[Metrics]:
    return [call.metrics for call in calls if call.metrics is not None]


def _latencies(calls: Calls) -> list[float]:
    return [seconds for measured in _measured(calls) for seconds in measured.response_latency.values]


def _quantile(values: Sequence[float], share: float, least: int = 1) -> Estimate | None:
    return _plain(quantile(values, share), len(values)) if len(values) >= least else None


def _mean(values: Iterable[tuple[SuiteCall, float | None]]) -> Estimate | None:
    known = [(call.planned.case, value) for call, value in values if value is not None]
    return mean([value for _, value in known], [case for case, _ in known])


def _share(calls: Calls, counts: Callable[[Metrics], tuple[int, int]]) -> Estimate | None:
    pairs = [counts(measured) for measured in _measured(calls)]
    return wilson(sum(count for count, _ in pairs), sum(of for _, of in pairs))


def _plain(value: float, n: int) -> Estimate:
    return Estimate(value, n, n)
