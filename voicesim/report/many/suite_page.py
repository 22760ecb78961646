"""The suite page: many calls on one page, from what to look at first down to each check of each call."""

from collections.abc import Sequence

from voicesim.errors import UsageError
from voicesim.report.many import charts, failing, headline, judging, rates, robustness, setup
from voicesim.report.many.cited import numbered
from voicesim.report.many.row import Row
from voicesim.report.template import render

STYLES = ("base.css", "parts.css", "many.css")
SCRIPTS = ("many.js",)


def suite_page(name: str, rows: Sequence[Row]) -> str:
    """The page as HTML text; the same rows give the same text. Raises UsageError without rows.

    Rows are shown in their order. Invalid calls are shown and enter no figure; text of a call is only ever text.
    """
    if not rows:
        raise UsageError(f"suite {name}: there is no call to show")
    latencies, latency_axis = charts.latency_spreads(rows)
    yields, yield_axis = charts.yield_spreads(rows)
    quality, quality_axis = charts.quality_by_latency(rows)
    return render(
        "suite.html",
        STYLES,
        SCRIPTS,
        {
            "name": name,
            "rows": numbered(rows),
            "drafts": sorted({row.setting.case for row in rows if row.draft}),
            "cases": len({row.setting.case for row in rows}),
            "started": min((row.started_at for row in rows if row.started_at), default=""),
            "tiles": headline.tiles(rows),
            "agents": headline.agent_lines(rows),
            "flaky": failing.flaky_pairs(rows),
            "tags": failing.by_tag(rows),
            "missed": failing.by_check(rows),
            "strip": charts.strip(rows),
            "case_lines": charts.case_lines(rows),
            "groups": rates.group_lines(rows),
            "heat_maps": rates.heat_maps(rows),
            "repeats": robustness.repeats(rows),
            "conditions": robustness.conditions(rows),
            "latencies": latencies,
            "latency_axis": latency_axis,
            "yields": yields,
            "yield_axis": yield_axis,
            "quality": quality,
            "quality_axis": quality_axis,
            "kinds": judging.kinds(rows),
            "judges": judging.judges(rows),
            "matrix": judging.matrix(rows),
            "disputes": judging.disputes(rows),
            "reasons": setup.reasons(rows),
            "coverage": setup.coverage(rows),
            "configuration": setup.configuration(rows),
            "filters": filters(rows),
        },
    )


def filters(rows: Sequence[Row]) -> list[tuple[str, tuple[str, ...]]]:
    """What the calls can be filtered by, with the values there are; kinds with a single value are left out."""
    settings = [row.setting for row in rows]
    every = (
        ("agent", [setting.agent for setting in settings]),
        ("case", [setting.case for setting in settings]),
        ("persona", [setting.persona for setting in settings]),
        ("line", [setting.profile for setting in settings]),
        ("gate", [row.state for row in rows]),
    )
    return [(key, tuple(dict.fromkeys(values))) for key, values in every if len(set(values)) > 1]
