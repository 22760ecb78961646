"""Hit rates by group of checks, and the cells of the heat map: every check down to each call."""

from collections.abc import Sequence
from dataclasses import dataclass

from voicesim.catalog.model import Group
from voicesim.judge.model import Outcome
from voicesim.report.checks import GROUPS, LABELS
from voicesim.report.many.cited import Cited, Numbered, grouped, numbered, share_mean
from voicesim.report.many.row import Checked, Row
from voicesim.report.wording import spaced, whole_percent
from voicesim.statistics.intervals import Estimate
from voicesim.statistics.repeats import HitRate, hit_rate

SIGNS: dict[Outcome, str] = {
    "hit": "h",
    "miss": "m",
    "not_applicable": "n",
    "not_heard": "o",
    "cannot_assess": "o",
    "error": "o",
    "disputed": "d",
}
"""The class of a cell by its outcome: hit, miss, not applicable, open, disputed."""


@dataclass(frozen=True)
class GroupLine:
    """A group's hit rate over the calls of one agent, or of all (`agent` is empty then)."""

    group: Group
    title: str
    agent: str
    series: int
    rate: HitRate
    number: Cited
    weight: Cited
    by_number: Estimate | None
    by_weight: Estimate | None


@dataclass(frozen=True)
class Cell:
    """A check of a call. `sign` is its class, `label` what it says; `href` leads to it on the call's scorecard."""

    sign: str
    label: str
    place: int


@dataclass(frozen=True)
class HeatRow:
    """One check over all calls of its case; None where a call has no such check."""

    check: str
    group: Group
    weight: float
    rate: Cited
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True)
class HeatMap:
    """A case: its checks by its calls, agent by agent."""

    case: str
    title: str
    draft: bool
    calls: tuple[tuple[int, Row, int], ...]
    """Place, row and series of each column."""
    rows: tuple[HeatRow, ...]


def group_lines(rows: Sequence[Row]) -> tuple[GroupLine, ...]:
    """Group by group: over all calls, then agent by agent where there are several."""
    every = numbered(rows)
    by_agent = grouped(every, lambda row: row.setting.agent)
    sets: list[tuple[str, int, tuple[Numbered, ...]]] = [("", -1, every)]
    if len(by_agent) > 1:
        sets += [(agent, series, members) for series, (agent, members) in enumerate(by_agent.items())]
    lines = [_group_line(group, *chosen) for group in GROUPS for chosen in sets]
    return tuple(line for line in lines if line.rate.decided)


def _group_line(group: Group, agent: str, series: int, members: Sequence[Numbered]) -> GroupLine:
    checks = [
        (place, row.setting.case, check) for place, row in members for check in row.judged if check.group == group
    ]
    rate = hit_rate((check.outcome, check.weight) for _, _, check in checks)
    decided = [(case, check) for _, case, check in checks if check.hit is not None]
    hits, cases = [float(bool(check.hit)) for _, check in decided], [case for case, _ in decided]
    short = tuple(dict.fromkeys(place for place, _, check in checks if check.hit is False))
    return GroupLine(
        group=group,
        title=GROUPS[group],
        agent=agent,
        series=series,
        rate=rate,
        number=Cited(whole_percent(rate.by_number), short, f"{rate.hits} of {rate.decided} checks"),
        weight=Cited(whole_percent(rate.by_weight), short, f"{rate.earned:.2f} of {rate.available:.2f}"),
        by_number=share_mean(hits, cases),
        by_weight=share_mean(hits, cases, [check.weight for _, check in decided]),
    )


def heat_maps(rows: Sequence[Row]) -> tuple[HeatMap, ...]:
    """A heat map a case, in order of first appearance; calls without verdicts are columns without cells."""
    series = {agent: index for index, agent in enumerate(grouped(numbered(rows), lambda row: row.setting.agent))}
    maps = []
    for case, members in grouped(numbered(rows), lambda row: row.setting.case).items():
        ordered = sorted(members, key=lambda member: (series[member[1].setting.agent], member[1].patient, member[0]))
        checks = {check.id: check for _, row in ordered for check in row.checks}
        by_group = [check for group in GROUPS for check in checks.values() if check.group == group]
        maps.append(
            HeatMap(
                case=case,
                title=members[0][1].title,
                draft=members[0][1].draft,
                calls=tuple((place, row, series[row.setting.agent]) for place, row in ordered),
                rows=tuple(_heat_row(check, ordered) for check in by_group),
            )
        )
    return tuple(maps)


def _heat_row(check: Checked, members: Sequence[Numbered]) -> HeatRow:
    results = [(place, next((c for c in row.checks if c.id == check.id), None), row) for place, row in members]
    decided = [(place, c) for place, c, row in results if c and c.hit is not None and row.state != "invalid"]
    hits = sum(bool(c.hit) for _, c in decided)
    missed = tuple(place for place, c in decided if not c.hit)
    return HeatRow(
        check=spaced(check.id),
        group=check.group,
        weight=check.weight,
        rate=Cited(f"{hits} of {len(decided)}", missed),
        cells=tuple(Cell(SIGNS[c.outcome], LABELS[c.outcome], place) if c else None for place, c, _ in results),
    )
