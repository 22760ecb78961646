"""A suite against an earlier one: what became worse, and can't be chance."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from voicesim.results.pairing import same_patients
from voicesim.results.read import SuiteCall, SuiteResult
from voicesim.statistics.intervals import LEVEL, Estimate
from voicesim.statistics.paired import adjusted, discordance, mcnemar, paired_difference, share_difference

Pair = tuple[SuiteCall, SuiteCall]
_TOO_FEW = 2


@dataclass(frozen=True)
class Change:
    """A figure of an agent before and now, over `n` pairs of calls with the same patient, line and seed.

    `difference` is now less before. `worse` only where it cannot be chance: its interval leaves 0 out on the wrong
    side and, for yes-or-no outcomes, the exact test agrees (adjusted for their number among the checks).
    """

    agent: str
    what: str
    n: int
    before: float
    now: float
    difference: Estimate
    p: float | None
    worse: bool


def regressions(before: SuiteResult, now: SuiteResult) -> tuple[Change, ...]:
    """All changes of every agent that is in both; where either has only one, these two are compared."""
    return tuple(change for agent, pairs in _paired(before, now).items() for change in _changes(agent, pairs))


def _paired(before: SuiteResult, now: SuiteResult) -> Mapping[str, list[Pair]]:
    """Valid calls of both by agent, each with its counterpart."""
    agents = {agent: agent for agent in now.ids("agent") if agent in before.ids("agent")}
    if not agents and len(before.ids("agent")) == len(now.ids("agent")) == 1:
        agents = {now.ids("agent")[0]: before.ids("agent")[0]}
    return {
        agent: same_patients(_valid(before, earlier), _valid(now, agent), _patient, lambda call: call.planned.seed)
        for agent, earlier in agents.items()
    }


def _valid(suite: SuiteResult, agent: str) -> list[SuiteCall]:
    return [call for call in suite.of(agent=agent) if call.valid]


def _patient(call: SuiteCall) -> tuple[str, str, str]:
    planned = call.planned
    return planned.case, planned.persona, planned.profile


def _changes(agent: str, pairs: Sequence[Pair]) -> Iterator[Change]:
    yield from _numbers(agent, "score", pairs, lambda call: call.score, worse_up=False)
    yield from _numbers(agent, "response_latency_median", pairs, _latency, worse_up=True)
    yield from _shares(agent, [("passed", [(a.state == "passed", b.state == "passed") for a, b in pairs])])
    yield from _shares(agent, list(_by_check(pairs).items()))


def _latency(call: SuiteCall) -> float | None:
    return call.metrics.response_latency.median if call.metrics else None


def _numbers(
    agent: str, what: str, pairs: Sequence[Pair], value: Callable[[SuiteCall], float | None], *, worse_up: bool
) -> Iterator[Change]:
    first: list[float] = []
    second: list[float] = []
    cases: list[str] = []
    for earlier, later in pairs:
        before, now = value(earlier), value(later)
        if before is not None and now is not None:
            first.append(before)
            second.append(now)
            cases.append(later.planned.case)
    difference = paired_difference(first, second, cases)
    if difference is None or len(cases) < _TOO_FEW:
        return
    wrong_way = difference.value > 0 if worse_up else difference.value < 0
    means = sum(first) / len(first), sum(second) / len(second)
    yield Change(agent, what, len(cases), *means, difference, None, difference.certain and wrong_way)


def _by_check(pairs: Sequence[Pair]) -> dict[str, list[tuple[bool, bool]]]:
    """Hit or not, before and now, of each check that was decided both times; checks of two cases are two."""
    outcomes: dict[str, list[tuple[bool, bool]]] = {}
    for earlier, later in pairs:
        if earlier.verdicts is None or later.verdicts is None:
            continue
        known = {verdict.check: verdict.outcome for verdict in earlier.verdicts.verdicts}
        for verdict in later.verdicts.verdicts:
            both = (known.get(verdict.check), verdict.outcome)
            if set(both) <= {"hit", "miss"}:
                name = f"{later.planned.case}: {verdict.check}"
                outcomes.setdefault(name, []).append((both[0] == "hit", both[1] == "hit"))
    return outcomes


def _shares(agent: str, every: Sequence[tuple[str, Sequence[tuple[bool, bool]]]]) -> Iterator[Change]:
    counted = [(what, discordance([a for a, _ in each], [b for _, b in each])) for what, each in every if each]
    rates = adjusted([mcnemar(counts) for _, counts in counted])
    for (what, counts), rate in zip(counted, rates, strict=True):
        difference = share_difference(counts)
        if difference is None:
            continue
        before = (counts.both + counts.first_only) / counts.n
        significant = rate is not None and rate < 1 - LEVEL
        worse = significant and difference.certain and difference.value < 0
        yield Change(agent, what, counts.n, before, before + difference.value, difference, rate, worse)
