"""A suite as a short Markdown summary, for a pull request; what agents said is only ever text in it."""

import re
from collections.abc import Iterator, Sequence

from voicesim.report.wording import MISSING, amount, number, percent, spaced, span, visible
from voicesim.results.summary import CallRow, FigureRow, SuiteSummary

MOST = 20
"""Rows of a table that are shown; a comment on a pull request has its limits."""
_SPECIAL = re.compile(r"[\\`*_{}\[\]()#+!|~<>&@-]")
_ADDRESS = re.compile(r":(?=//)|(?<=www)\.", re.IGNORECASE)
"""What makes a link of an address that stands in a text."""
_SHOWN = (
    ("score_mean", "mean score", number),
    ("pass_rate", "passed", percent),
    ("pass_every_time", "passed every time", percent),
    ("failed_critical", "critical missed", percent),
    ("response_latency_median", "latency, median", span),
    ("response_latency_p95", "latency, p95", span),
    ("cut_in_rate", "cut-ins", percent),
    ("yield_rate", "yielded", percent),
)


def markdown(summary: SuiteSummary) -> str:
    """The summary: figures by agent, thresholds that were passed by, what became worse, and every call to look at."""
    parts = (_head, _figures, _thresholds, _changes, _misses, _calls)
    return "\n".join(line for part in parts for line in part(summary))


def _head(summary: SuiteSummary) -> Iterator[str]:
    states = [call.state for call in summary.calls]
    counts = ((name, states.count(name)) for name in ("passed", "failed", "unscored", "invalid", "missing"))
    listed = ", ".join(f"{count} {name}" for name, count in counts if count)
    verdict = {0: "passed", 1: "failed"}.get(summary.exit_code, "incomplete")
    yield f"## voicesim: {escaped(summary.title or summary.suite)}: {verdict}"
    yield ""
    yield f"{len(summary.calls)} calls: {listed}. Judge: {escaped(summary.judge)}."
    if any(call.draft for call in summary.calls):
        drafts = {call.case for call in summary.calls if call.draft}
        yield f"Drafts that no clinician has reviewed: {amount(len(drafts), 'case')}."
    yield ""


def _figures(summary: SuiteSummary) -> Iterator[str]:
    known: dict[str, dict[str, FigureRow]] = {}
    for row in summary.figures:
        known.setdefault(row.agent, {})[row.figure] = row
    if not known:
        return
    yield from _row(["agent", *(title for _, title, _ in _SHOWN)])
    yield from _row(["---", *("---:" for _ in _SHOWN)])
    for agent, figures in known.items():
        cells = [MISSING if name not in figures else shown(figures[name].value) for name, _, shown in _SHOWN]
        yield from _row([escaped(agent), *cells])
    yield ""


def _thresholds(summary: SuiteSummary) -> Iterator[str]:
    if not summary.thresholds:
        return
    yield from _row(["agent", "threshold", "measured", "n", "outcome", "source"])
    yield from _row(["---", "---", "---:", "---:", "---", "---"])
    for row in summary.thresholds:
        bound = f"at most {row.at_most:g}" if row.at_most is not None else f"at least {row.at_least:g}"
        what = f"{spaced(row.figure)} {bound}"
        cells = [row.agent, what, number(row.value, 3), str(row.n), spaced(row.outcome), row.source]
        yield from _row([escaped(cell) for cell in cells])
    yield ""


def _changes(summary: SuiteSummary) -> Iterator[str]:
    if summary.baseline is None:
        return
    worse = [row for row in summary.changes if row.worse]
    yield f"Against {escaped(summary.baseline)}: " + (
        f"{len(worse)} significantly worse." if worse else "nothing is significantly worse."
    )
    yield ""
    if worse:
        yield from _row(["agent", "what", "before", "now", "pairs"])
        yield from _row(["---", "---", "---:", "---:", "---:"])
        for row in worse[:MOST]:
            cells = [escaped(row.agent), escaped(spaced(row.what)), number(row.before, 3), number(row.now, 3)]
            yield from _row([*cells, str(row.n)])
        yield ""


def _misses(summary: SuiteSummary) -> Iterator[str]:
    if not summary.missed:
        return
    yield from _row(["missed check", "case", "missed", "quoted"])
    yield from _row(["---", "---", "---:", "---"])
    for row in summary.missed[:MOST]:
        critical = " (critical)" if row.group == "critical" else ""
        quotes = "; ".join(f"“{escaped(quote)}”" for quote in row.quotes)
        yield from _row(
            [escaped(spaced(row.check)) + critical, escaped(row.case), f"{row.missed} of {row.decided}", quotes]
        )
    if len(summary.missed) > MOST:
        yield f"\nand {len(summary.missed) - MOST} more."
    yield ""


def _calls(summary: SuiteSummary) -> Iterator[str]:
    looked_at = [call for call in summary.calls if call.state != "passed"]
    if not looked_at:
        return
    yield from _row(["call", "agent", "score", "state", "why", "missed"])
    yield from _row(["---", "---", "---:", "---", "---", "---"])
    for call in looked_at[:MOST]:
        yield from _row(_cells(call))
    if len(looked_at) > MOST:
        yield f"\nand {len(looked_at) - MOST} more."
    yield ""


def _cells(call: CallRow) -> Sequence[str]:
    who = f"{call.case} ({call.persona}, {call.profile}, seed {call.seed})"
    missed = ", ".join(map(spaced, call.missed))
    score = number(call.score) + (" (draft)" if call.draft and call.score is not None else "")
    return [escaped(who), escaped(call.agent), score, call.state, escaped(call.reason), escaped(missed)]


def _row(cells: Sequence[str]) -> Iterator[str]:
    yield f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    """A text in one line that no reader of Markdown takes for more than text: no link, table, HTML or mention.

    >>> escaped("a | b <c> @d")
    'a &#124; b &#60;c&#62; &#64;d'
    """
    plain = _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", " ".join(visible(text).split()))
    return _ADDRESS.sub(lambda match: f"&#{ord(match[0])};", plain)
