"""What a suite came to, in a few numbers: over all calls, and by agent."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from voicesim.metrics.summary import summarize
from voicesim.report.many.cited import Cited, Numbered, between, grouped, numbered, pass_share, places, score_mean
from voicesim.report.many.failing import flaky_pairs, pairs
from voicesim.report.many.row import Row, Timing
from voicesim.report.wording import MISSING, number, span, whole_percent
from voicesim.statistics.intervals import Estimate


@dataclass(frozen=True)
class Tile:
    """One of the numbers at the top. `bad` ones are red."""

    name: str
    figure: Cited
    bad: bool = False


@dataclass(frozen=True)
class AgentLine:
    """An agent's row: estimates for the drawing, texts for the table."""

    agent: str
    series: int
    calls: Cited
    passed: Cited
    critical: Cited
    score: Estimate | None
    latency: tuple[str, str]
    interruptions: Cited
    yielded: Cited
    cut_ins: Cited
    false_yields: Cited
    cost: str


def tiles(rows: Sequence[Row]) -> tuple[Tile, ...]:
    """The numbers at the top of the page."""
    every = numbered(rows)
    passed, score = pass_share(every), score_mean(every)
    scored = [(row.counted, place) for place, row in every if row.counted is not None]
    decided = [(place, row) for place, row in every if row.passed is not None]
    failed = places(decided, lambda row: row.failed_critical)
    flaky, repeated = flaky_pairs(rows), [members for members in pairs(rows).values() if len(members) > 1]
    invalid = places(every, lambda row: row.state == "invalid")
    unscored = places(every, lambda row: row.state == "unscored")
    share = f"{whole_percent(passed.value if passed else None)}, {between(passed, whole_percent)}"
    low, high = (min(scored), max(scored)) if scored else ((None, -1), (None, -1))
    passing = places(decided, lambda row: row.passed)
    return (
        Tile("Passed", Cited(f"{len(passing)} of {len(decided)}", passing, share)),
        Tile(
            "Mean score",
            Cited(number(score.value if score else None), tuple(place for _, place in scored), between(score)),
        ),
        Tile("Lowest, highest", _both(low, high)),
        Tile("Failed a critical check", Cited(f"{len(failed)} of {len(decided)}", failed), bad=bool(failed)),
        Tile(
            "Flaky pairs",
            Cited(
                f"{len(flaky)} of {len(repeated)}",
                tuple(place for pair in flaky for place in pair.passes.calls),
                "made again, and both passed and failed" if repeated else "no call was repeated",
            ),
            bad=bool(flaky),
        ),
        Tile("Invalid", Cited(str(len(invalid)), invalid, "spoiled by the harness, in no figure"), bad=bool(invalid)),
        Tile("Unscored", Cited(str(len(unscored)), unscored, "too much was left undecided")),
        Tile("Cost", Cited(*_cost(every))),
    )


def agent_lines(rows: Sequence[Row]) -> tuple[AgentLine, ...]:
    """A row for each agent, in order of first appearance."""
    by_agent = grouped(numbered(rows), lambda row: row.setting.agent)
    return tuple(_line(agent, series, members) for series, (agent, members) in enumerate(by_agent.items()))


def _line(agent: str, series: int, members: tuple[Numbered, ...]) -> AgentLine:
    passed = pass_share(members)
    decided = [(place, row) for place, row in members if row.passed is not None]
    failed, passing = (places(decided, lambda row: row.failed_critical), places(decided, lambda row: row.passed))
    timings = [(place, row.timing) for place, row in members if row.timing and row.state != "invalid"]
    latency = summarize(value for _, timing in timings for value in timing.latencies)
    return AgentLine(
        agent=agent,
        series=series,
        calls=Cited(str(len(members)), places(members)),
        passed=Cited(
            f"{len(passing)} of {len(decided)}",
            passing,
            f"{whole_percent(passed.value if passed else None)}, {between(passed, whole_percent)}",
        ),
        critical=Cited(str(len(failed)), failed),
        score=score_mean(members),
        latency=(span(latency.median), span(latency.p95)),
        interruptions=_counted(timings, lambda timing: timing.interruptions),
        yielded=_counted(timings, lambda timing: len(timing.yields)),
        cut_ins=_counted(timings, lambda timing: timing.cut_ins),
        false_yields=_counted(timings, lambda timing: timing.false_yields),
        cost=_cost(members)[0],
    )


def _counted(timings: Sequence[tuple[int, Timing]], count: Callable[[Timing], int]) -> Cited:
    """How often something happened over all calls, with those in which it did; a dash where nothing was measured."""
    if not timings:
        return Cited(MISSING)
    total = sum(count(timing) for _, timing in timings)
    return Cited(str(total), tuple(place for place, timing in timings if count(timing)))


def _both(low: tuple[float | None, int], high: tuple[float | None, int]) -> Cited:
    calls = tuple(dict.fromkeys(place for value, place in (low, high) if value is not None))
    return Cited(f"{number(low[0])}, {number(high[0])}", calls)


def _cost(members: Sequence[Numbered]) -> tuple[str, tuple[int, ...], str]:
    """Sum of what is known, the calls it is known of, and a note of the rest; a dash where nothing is known."""
    known = [(place, row.money) for place, row in members if row.money.agent is not None]
    judged = [row.money.judge for _, row in members if row.money.judge is not None]
    if not known and not judged:
        return MISSING, (), "no prices are known"
    currency = members[0][1].money.currency
    agents, judges = sum(money.agent or 0.0 for _, money in known), sum(judged)
    note = f"agents {agents:.2f}, judges {judges:.2f}; known of {len(known)} of {len(members)} calls"
    return f"{agents + judges:.2f} {currency}", tuple(place for place, _ in known), note
