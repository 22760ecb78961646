"""The comparison page, its JSON, and its table for a terminal."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from voicesim.report.many import charts, setup
from voicesim.report.many.cited import Cited, numbered
from voicesim.report.many.comparison import CaseDifference, Change, CheckDifference, Comparison, Difference, Sure
from voicesim.report.many.row import Row
from voicesim.report.many.sides import Pair
from voicesim.report.many.suite_page import SCRIPTS, STYLES, filters
from voicesim.report.many.units import reach, said, signed, value
from voicesim.report.template import render
from voicesim.report.wording import MISSING, amount, number, spaced, visible
from voicesim.statistics.intervals import Estimate

if TYPE_CHECKING:
    from rich.table import Table

SCHEMA_VERSION = 1
_MOST_CHANGES = 10


@dataclass(frozen=True)
class Line:
    """A difference as a row of the page: its texts, and how far its own axis reaches to either side of 0."""

    difference: Difference
    first: Cited
    second: Cited
    by: str
    interval: str
    verdict: str
    could: str
    reach: float


def comparison_page(comparisons: Sequence[Comparison], anyway: Sequence[str] = ()) -> str:
    """The page as HTML text: every other side against the first. `anyway` are refusals that were overruled.

    All comparisons have the same first side; the same comparisons give the same text.
    """
    contenders = [comparisons[0].first, *(comparison.second for comparison in comparisons)]
    rows = [replace(row, setting=replace(row.setting, agent=side.name)) for side in contenders for row in side.rows]
    places = {id(row): place for place, row in enumerate(row for side in contenders for row in side.rows)}
    latencies, latency_axis = charts.latency_spreads(rows)
    yields, yield_axis = charts.yield_spreads(rows)
    return render(
        "comparison.html",
        STYLES,
        SCRIPTS,
        {
            "name": " against ".join(side.name for side in contenders),
            "sections": [_section(comparison, places) for comparison in comparisons],
            "contenders": list(enumerate(contenders)),
            "drafts": sorted({row.setting.case for row in rows if row.draft}),
            "anyway": anyway,
            "latencies": latencies,
            "latency_axis": latency_axis,
            "yields": yields,
            "yield_axis": yield_axis,
            "configuration": setup.configuration([row for side in contenders for row in side.rows]),
            "rows": numbered(rows),
            "filters": filters(rows),
        },
    )


def comparison_json(comparisons: Sequence[Comparison]) -> dict[str, Any]:
    """The comparisons as one JSON object; shares of 1, seconds; what could not be told is None."""
    return {"schema_version": SCHEMA_VERSION, "comparisons": [_as_json(comparison) for comparison in comparisons]}


def comparison_table(comparison: Comparison) -> "Table":
    """The differences as a rich table, for a terminal. Nothing is printed, and names are only ever text."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    names = comparison.first.name, comparison.second.name
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    made.add_column("measure", overflow="fold")
    for name in names:
        made.add_column(Text(visible(name)), justify="right", overflow="fold")
    made.add_column("difference", justify="right")
    made.add_column("95 % interval")
    made.add_column("better", overflow="fold")
    styles = {"first": "bold", "second": "bold", "open": "", "unknown": "dim"}
    results: dict[Sure, str] = {"first": names[0], "second": names[1], "open": "open", "unknown": MISSING}
    for difference in comparison.differences:
        line = _line(difference, names, (), ())
        texts = (difference.name, line.first.text, line.second.text, line.by, line.interval)
        made.add_row(
            *(Text(text) for text in texts), Text(visible(results[difference.sure]), style=styles[difference.sure])
        )
    return made


def closing(comparison: Comparison) -> str:
    """What the pairs are worth, in a sentence or two."""
    pairs = f"{_pairs(comparison)} over {amount(comparison.clusters, 'case')}."
    score = next((difference for difference in comparison.differences if difference.name == "Score"), None)
    if score is None or score.detectable is None:
        return f"{pairs} How small a difference they could show is not known."
    return f"{pairs} A true difference in score of {score.detectable:.2f} would show four times in five."


def changed(comparison: Comparison) -> list[str]:
    """A line for each pair of calls that came out differently, the first ten of them."""
    lines = []
    for change in [change for change in comparison.changes if change.changed][:_MOST_CHANGES]:
        first, second = change.pair.first, change.pair.second
        setting = first.setting
        line = f"{setting.case} ({setting.profile}, seed {setting.seed}): {first.state}, then {second.state}"
        for side, names in (
            (comparison.second, _names(change.gained, change.gained_open)),
            (comparison.first, _names(change.lost, change.lost_open)),
        ):
            line += f"; only {side.name} hit {', '.join(names)}" if names else ""
        lines.append(visible(line))
    return lines


def _pairs(comparison: Comparison) -> str:
    return amount(len(comparison.pairs), "pair of calls", "pairs of calls")


def _section(comparison: Comparison, places: dict[int, int]) -> dict[str, Any]:
    """What the template needs of one comparison."""
    names = comparison.first.name, comparison.second.name
    sides = [tuple(places[id(getattr(pair, side))] for pair in comparison.pairs) for side in ("first", "second")]
    lines = [_line(difference, names, *sides) for difference in comparison.differences]
    return {
        "names": names,
        "pairs": _pairs(comparison),
        "clusters": comparison.clusters,
        "doubts": comparison.doubts,
        "lines": lines,
        "better": [
            (name, [line for line in lines if line.difference.sure == side])
            for name, side in zip(names, ("first", "second"), strict=True)
        ],
        "open": [line for line in lines if line.difference.sure == "open"],
        "score": next((line for line in lines if line.difference.name == "Score"), None),
        "cases": [
            (
                case,
                signed(case.estimate.value, "score"),
                reach(case.estimate, "score"),
                _cited((number(case.first), number(case.second)), case.pairs, places),
            )
            for case in comparison.cases
        ],
        "case_reach": _reach([difference.estimate for difference in comparison.cases]),
        "checks": [
            (
                check,
                signed(check.estimate.value, "share"),
                reach(check.estimate, "share"),
                _p(check),
                _cited(_hits(check), check.pairs, places),
            )
            for check in comparison.checks
        ],
        "changes": [_changed(change, places) for change in comparison.changes],
        "changed": sum(change.changed for change in comparison.changes),
    }


def _line(difference: Difference, names: tuple[str, str], first: tuple[int, ...], second: tuple[int, ...]) -> Line:
    unit = difference.unit
    return Line(
        difference=difference,
        first=Cited(value(difference.first, unit), first),
        second=Cited(value(difference.second, unit), second),
        by=signed(difference.estimate.value, unit) if difference.estimate else MISSING,
        interval=reach(difference.estimate, unit),
        verdict=said(difference, names),
        could=signed(difference.detectable, unit).lstrip("+"),
        reach=_reach([difference.estimate]),
    )


def _reach(estimates: Sequence[Estimate | None]) -> float:
    """How far an axis has to reach on either side of 0, so that all intervals are on it; never 0."""
    ends = [end for e in estimates if e for end in (e.value, e.low, e.high) if end is not None]
    return 1.08 * max(map(abs, ends), default=0.0) or 1.0


def _p(check: CheckDifference) -> str:
    if check.p is None or check.q is None:
        return "always the same"
    return f"p {number(check.p, 3)}, adjusted {number(check.q, 3)}"


def _hits(check: CheckDifference) -> tuple[str, str]:
    first, second = (f"{hits} of {check.estimate.n}" for hits in check.hits)
    return first, second


def _cited(texts: tuple[str, str], matched: Sequence[Pair], places: dict[int, int]) -> tuple[Cited, Cited]:
    """A text for either side, each with the calls of that side."""
    return (
        Cited(texts[0], tuple(places[id(pair.first)] for pair in matched)),
        Cited(texts[1], tuple(places[id(pair.second)] for pair in matched)),
    )


def _changed(change: Change, places: dict[int, int]) -> dict[str, Any]:
    first, second = change.pair.first, change.pair.second
    return {
        "changed": change.changed,
        "first": (places[id(first)], first),
        "second": (places[id(second)], second),
        "by": signed(change.by, "score"),
        "gained": _names(change.gained, change.gained_open),
        "lost": _names(change.lost, change.lost_open),
    }


def _names(missed: Sequence[str], undecided: Sequence[str]) -> list[str]:
    return [*map(spaced, missed), *(f"{spaced(check)} (undecided for the other)" for check in undecided)]


def _as_json(comparison: Comparison) -> dict[str, Any]:
    return {
        "first": comparison.first.name,
        "second": comparison.second.name,
        "pairs": len(comparison.pairs),
        "cases": comparison.clusters,
        "refusals": list(comparison.doubts.refusals),
        "warnings": list(comparison.doubts.warnings),
        "differences": [asdict(difference) | {"better": difference.sure} for difference in comparison.differences],
        "by_case": [_plain(case) for case in comparison.cases],
        "by_check": [_plain(check) | {"better": check.sure} for check in comparison.checks],
        "calls": [_pair_json(change) for change in comparison.changes],
    }


def _plain(difference: CaseDifference | CheckDifference) -> dict[str, Any]:
    """Its fields but for the calls, which stand under `calls`."""
    return asdict(replace(difference, pairs=())) | {"pairs": len(difference.pairs)}


def _pair_json(change: Change) -> dict[str, Any]:
    def call(row: Row) -> dict[str, Any]:
        return {"id": row.id, "state": row.state, "score": row.counted, "scorecard": row.scorecard or None}

    first, second = change.pair.first, change.pair.second
    return {
        "case": first.setting.case,
        "persona": first.setting.persona,
        "profile": first.setting.profile,
        "seed": first.setting.seed,
        "first": call(first),
        "second": call(second),
        "gained": list(change.gained),
        "lost": list(change.lost),
        "gained_open": list(change.gained_open),
        "lost_open": list(change.lost_open),
    }
