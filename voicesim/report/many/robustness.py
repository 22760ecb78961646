"""Does it come out the same again, and on a worse line, in another accent, with another person?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from voicesim.metrics.summary import summarize
from voicesim.report.many.cited import Cited, Numbered, between, grouped, numbered, pass_share, places, score_mean
from voicesim.report.many.failing import pairs
from voicesim.report.many.row import Row
from voicesim.report.wording import MISSING, number, spaced, span, whole_percent
from voicesim.statistics.intervals import Estimate
from voicesim.statistics.repeats import pass_hat, spread


@dataclass(frozen=True)
class Repeats:
    """An agent's repeats: how far scores of one call lie apart, and pass^k for each k, as text and height."""

    agent: str
    series: int
    repeated: Cited
    spread: str
    pass_k: tuple[tuple[int, str, float], ...]


@dataclass(frozen=True)
class Condition:
    """The calls of one agent under one condition: a profile, an accent, a persona."""

    name: str
    agent: str
    series: int
    score: Estimate | None
    score_text: Cited
    passed: Cited
    latency: str
    first: bool


@dataclass(frozen=True)
class Conditions:
    """One kind of condition, with its lines condition by condition."""

    kind: str
    lines: tuple[Condition, ...]


def repeats(rows: Sequence[Row]) -> tuple[Repeats, ...]:
    """What the repeats of each agent say; agents none of whose calls was repeated are left out."""
    made = []
    for series, (agent, members) in enumerate(grouped(numbered(rows), lambda row: row.setting.agent).items()):
        again = [repeats for pair, repeats in pairs(rows).items() if pair[-1] == agent and len(repeats) > 1]
        if not again:
            continue
        passes = [[bool(row.passed) for _, row in repeats] for repeats in again]
        by_k = [(k, pass_hat(passes, k)) for k in range(1, max(map(len, passes)) + 1)]
        by_pair = grouped(members, lambda row: row.pair).values()
        scores = [[row.counted for _, row in repeats if row.counted is not None] for repeats in by_pair]
        made.append(
            Repeats(
                agent=agent,
                series=series,
                repeated=Cited(str(len(again)), tuple(place for repeats in again for place, _ in repeats)),
                spread=number(spread(scores)),
                pass_k=tuple(
                    (k, whole_percent(share.value), round(100 * share.value, 1)) for k, share in by_k if share
                ),
            )
        )
    return tuple(made)


def conditions(rows: Sequence[Row]) -> tuple[Conditions, ...]:
    """By audio profile, accent and persona: those kinds of which the calls had more than one."""
    kinds: tuple[tuple[str, Callable[[Row], str]], ...] = (
        ("Line", lambda row: row.setting.profile),
        ("Accent", lambda row: row.setting.accent or MISSING),
        ("Persona", lambda row: row.setting.persona),
    )
    series = {agent: index for index, agent in enumerate(grouped(numbered(rows), lambda row: row.setting.agent))}
    return tuple(
        Conditions(kind, _lines(rows, key, series)) for kind, key in kinds if len({key(row) for row in rows}) > 1
    )


def _lines(rows: Sequence[Row], key: Callable[[Row], str], series: dict[str, int]) -> tuple[Condition, ...]:
    lines = []
    for name, members in grouped(numbered(rows), key).items():
        by_agent = grouped(members, lambda row: row.setting.agent)
        for index, agent in enumerate(sorted(by_agent, key=lambda agent: series[agent])):
            lines.append(_condition(spaced(name), agent, series[agent], by_agent[agent], index == 0))
    return tuple(lines)


def _condition(name: str, agent: str, series: int, members: Sequence[Numbered], first: bool) -> Condition:
    score, passed = score_mean(members), pass_share(members)
    latency = summarize(
        value for _, row in members if row.timing and row.state != "invalid" for value in row.timing.latencies
    )
    scored = places(members, lambda row: row.counted is not None)
    passing = places(members, lambda row: row.passed)
    decided = places(members, lambda row: row.passed is not None)
    return Condition(
        name=name,
        agent=agent,
        series=series,
        score=score,
        score_text=Cited(number(score.value if score else None), scored, between(score)),
        passed=Cited(f"{len(passing)} of {len(decided)}", passing, whole_percent(passed.value if passed else None)),
        latency=span(latency.median),
        first=first,
    )
