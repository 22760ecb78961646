"""What people look for first: pairs that do not come out the same, and failures by tag and by check."""

from collections.abc import Sequence
from dataclasses import dataclass

from voicesim.catalog.model import Group
from voicesim.catalog.tags import MEANINGS
from voicesim.report.many.cited import Cited, Numbered, between, grouped, numbered
from voicesim.report.many.row import Checked, Row
from voicesim.report.wording import spaced, whole_percent
from voicesim.statistics.intervals import wilson
from voicesim.statistics.repeats import flaky

Pair = tuple[str, str, str, str]
MOST_QUOTES = 3


@dataclass(frozen=True)
class FlakyPair:
    """A patient and an agent whose repeats both passed and failed; `differs` are the checks that came out both ways."""

    case: str
    draft: bool
    beside: str
    agent: str
    passes: Cited
    differs: tuple[str, ...]


@dataclass(frozen=True)
class TagLine:
    """A kind of failure: the calls in which it was named, and the checks that named it."""

    name: str
    meaning: str
    calls: Cited
    checks: tuple[str, ...]


@dataclass(frozen=True)
class CheckLine:
    """A check of a case: how often it was missed, of how many times that it was decided.

    `quotes` are what was quoted for the misses, each once, at most three.
    """

    case: str
    draft: bool
    check: str
    group: Group
    missed: Cited
    share: float
    reason: str
    quotes: tuple[str, ...]


def pairs(rows: Sequence[Row]) -> dict[Pair, tuple[Numbered, ...]]:
    """The calls that passed or failed, by patient and agent."""
    decided = [(place, row) for place, row in numbered(rows) if row.passed is not None]
    return grouped(decided, lambda row: row.pair)


def flaky_pairs(rows: Sequence[Row]) -> tuple[FlakyPair, ...]:
    """The pairs with a pass rate strictly between 0 and 1, in the order of the calls."""
    return tuple(
        _flaky(pair, members)
        for pair, members in pairs(rows).items()
        if flaky([bool(row.passed) for _, row in members])
    )


def _flaky(pair: Pair, members: Sequence[Numbered]) -> FlakyPair:
    case, persona, profile, agent = pair
    passing = sum(bool(row.passed) for _, row in members)
    outcomes: dict[str, set[bool]] = {}
    for _, row in members:
        for check in row.judged:
            if check.hit is not None:
                outcomes.setdefault(check.id, set()).add(check.hit)
    return FlakyPair(
        case=case,
        draft=members[0][1].draft,
        beside=f"{persona}, {profile}",
        agent=agent,
        passes=Cited(
            f"{passing} of {len(members)} passed",
            tuple(place for place, _ in members),
            between(wilson(passing, len(members)), whole_percent),
        ),
        differs=tuple(spaced(check) for check, seen in outcomes.items() if len(seen) > 1),
    )


def by_tag(rows: Sequence[Row]) -> tuple[TagLine, ...]:
    """Failures by their tag, most calls first; those of invalid calls are left out."""
    calls: dict[str, dict[int, list[str]]] = {}
    for place, row in numbered(rows):
        if row.state != "invalid":
            for tag, check in row.failures:
                calls.setdefault(tag, {}).setdefault(place, []).append(check)
    lines = [
        TagLine(
            spaced(tag),
            MEANINGS[tag],
            Cited(str(len(calls[tag])), tuple(calls[tag])),
            tuple(dict.fromkeys(spaced(check) for checks in calls[tag].values() for check in checks if check)),
        )
        for tag in MEANINGS
        if tag in calls
    ]
    return tuple(sorted(lines, key=lambda line: -len(line.calls.calls)))


def by_check(rows: Sequence[Row]) -> tuple[CheckLine, ...]:
    """Checks that were missed: critical ones first, then by how often."""
    seen: dict[tuple[str, str], list[tuple[int, Checked, bool]]] = {}
    for place, row in numbered(rows):
        for check in row.judged:
            if check.hit is not None:
                seen.setdefault((row.setting.case, check.id), []).append((place, check, row.draft))
    lines = [_check_line(case, entries) for (case, _), entries in seen.items() if any(not e[1].hit for e in entries)]
    return tuple(sorted(lines, key=lambda line: (line.group != "critical", -len(line.missed.calls), -line.share)))


def _check_line(case: str, entries: Sequence[tuple[int, Checked, bool]]) -> CheckLine:
    missed = [(place, check) for place, check, _ in entries if not check.hit]
    return CheckLine(
        case=case,
        draft=entries[0][2],
        check=spaced(entries[0][1].id),
        group=entries[0][1].group,
        missed=Cited(f"{len(missed)} of {len(entries)}", tuple(place for place, _ in missed)),
        share=len(missed) / len(entries),
        reason=next((check.reason for _, check in missed if check.reason), ""),
        quotes=tuple(dict.fromkeys(quote.text for _, check in missed for quote in check.quotes))[:MOST_QUOTES],
    )
