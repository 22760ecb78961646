"""What the judges went by, and where they differ."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from voicesim.report.checks import LABELS
from voicesim.report.many.cited import Cited, numbered
from voicesim.report.many.row import Checked, Row
from voicesim.report.wording import spaced, whole_percent

_PLACES = ("whole line", "part of a line", "patient")
_KINDS = {
    "ask": "asked",
    "tell": "told",
    "ordered": "in order",
    "code": "decided by code",
    "avoid": "avoided",
}


@dataclass(frozen=True)
class KindLine:
    """Checks of one kind: how many were hit, and what was quoted for their verdicts."""

    name: str
    hits: Cited
    share: str
    quoted: tuple[Cited, ...]
    """Whole line, part of a line, the patient, nothing."""


@dataclass(frozen=True)
class JudgeLine:
    """A check by each judge: hits of what that judge decided, and in how many calls they differ."""

    case: str
    check: str
    by_judge: tuple[str, ...]
    differ: Cited


@dataclass(frozen=True)
class Dispute:
    """A check of a call on which the judges differ, with what each said."""

    place: int
    call: str
    check: str
    votes: tuple[str, ...]
    disputed: bool


def kinds(rows: Sequence[Row]) -> tuple[KindLine, ...]:
    """By kind of check, `avoid` last: a hit there rests on nothing having been said."""
    every = [(place, check) for place, row in numbered(rows) for check in row.judged if check.hit is not None]
    lines = []
    for kind, name in _KINDS.items():
        checks = [(place, check) for place, check in every if check.kind == kind]
        if not checks:
            continue
        hits = sum(bool(check.hit) for _, check in checks)
        missed = tuple(dict.fromkeys(place for place, check in checks if not check.hit))
        lines.append(
            KindLine(
                name=name,
                hits=Cited(f"{hits} of {len(checks)}", missed),
                share=whole_percent(hits / len(checks)),
                quoted=tuple(_quoted(checks, place) for place in (*_PLACES, "")),
            )
        )
    return tuple(lines)


def _quoted(checks: Sequence[tuple[int, Checked]], where: str) -> Cited:
    """How many of the checks were decided with such a quote; without any for the empty name."""
    chosen = [
        place
        for place, check in checks
        if (any(quote.place == where for quote in check.quotes) if where else not check.quotes)
    ]
    return Cited(str(len(chosen)), tuple(dict.fromkeys(chosen)))


def judges(rows: Sequence[Row]) -> tuple[str, ...]:
    """The judges that gave verdicts of their own, where there were several."""
    return tuple(dict.fromkeys(judge for row in rows for check in row.judged for judge in check.votes))


def matrix(rows: Sequence[Row]) -> tuple[JudgeLine, ...]:
    """Every check that several judges decided, those on which they differ most first."""
    names = judges(rows)
    by_check: dict[tuple[str, str], list[tuple[int, Checked]]] = {}
    for place, row in numbered(rows):
        for check in row.judged:
            if check.votes:
                by_check.setdefault((row.setting.case, check.id), []).append((place, check))
    lines = [
        JudgeLine(
            case=case,
            check=spaced(check),
            by_judge=tuple(_of_judge(judge, [entry for _, entry in entries]) for judge in names),
            differ=_differ(entries),
        )
        for (case, check), entries in by_check.items()
    ]
    return tuple(sorted(lines, key=lambda line: -len(line.differ.calls)))


def disputes(rows: Sequence[Row]) -> tuple[Dispute, ...]:
    """Each check of each call on which judges differ, what no majority decided first."""
    open_checks = [
        Dispute(
            place=place,
            call=row.id,
            check=spaced(check.id),
            votes=tuple(f"{judge}: {LABELS[outcome]}" for judge, outcome in check.votes.items()),
            disputed=check.outcome == "disputed",
        )
        for place, row in numbered(rows)
        for check in row.judged
        if check.outcome == "disputed" or len(set(check.votes.values())) > 1
    ]
    return tuple(sorted(open_checks, key=lambda dispute: not dispute.disputed))


def _of_judge(judge: str, checks: Sequence[Checked]) -> str:
    outcomes = Counter(check.votes.get(judge) for check in checks)
    decided = outcomes["hit"] + outcomes["miss"]
    return f"{outcomes['hit']} of {decided}" if decided else "—"


def _differ(entries: Sequence[tuple[int, Checked]]) -> Cited:
    calls = tuple(place for place, check in entries if len(set(check.votes.values())) > 1)
    return Cited(f"{len(calls)} of {len(entries)}", calls)
