"""What a page about many calls stands on: what the calls were made with, and what was left undecided."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from voicesim.metrics.summary import summarize
from voicesim.report.many.cited import Cited, Numbered, grouped, numbered, places
from voicesim.report.many.row import Row
from voicesim.report.wording import percent


@dataclass(frozen=True)
class Part:
    """Something the calls were made with: its name, the sha256 of what stands behind it, its calls."""

    name: str
    digest: str
    calls: Cited
    draft: bool = False


@dataclass(frozen=True)
class Parts:
    """One kind of part, with all that were used."""

    kind: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Reason:
    """Why calls are invalid, or have no score; the most frequent first."""

    state: str
    reason: str
    calls: Cited


def configuration(rows: Sequence[Row]) -> tuple[Parts, ...]:
    """Everything that decides what a call is, with its hash where it has one; two hashes of one name are two parts."""
    kinds: tuple[tuple[str, Callable[[Row], tuple[str, str]]], ...] = (
        ("Case", lambda row: (row.setting.case, row.setting.hashes.get("case", ""))),
        ("Rubric of", lambda row: (row.setting.case, row.setting.hashes.get("rubric", ""))),
        ("Persona", lambda row: (row.setting.persona, row.setting.hashes.get("persona", ""))),
        ("Line", lambda row: (row.setting.profile, row.setting.hashes.get("profile", ""))),
        ("Agent", lambda row: (row.setting.agent, row.setting.hashes.get("agent", ""))),
        ("Mind", lambda row: (row.setting.mind, "")),
        ("Judge", lambda row: (f"{row.setting.judge} {row.setting.judge_version}".strip(), "")),
        ("voicesim", lambda row: (row.setting.versions.get("voicesim", ""), "")),
    )
    made = []
    for kind, key in kinds:
        groups = grouped(numbered(rows), key)
        parts = tuple(
            Part(name, digest, Cited(str(len(members)), places(members)), kind == "Case" and members[0][1].draft)
            for (name, digest), members in sorted(groups.items())
            if name
        )
        if parts:
            made.append(Parts(kind, parts))
    return tuple(made)


def reasons(rows: Sequence[Row]) -> tuple[Reason, ...]:
    """Missing calls, invalid ones, then unscored ones, by reason."""
    lines = []
    for state in ("missing", "invalid", "unscored"):
        members: Sequence[Numbered] = [(place, row) for place, row in numbered(rows) if row.state == state]
        groups = grouped(members, lambda row: row.reason or "no reason given").items()
        lines += [
            Reason(state, reason, Cited(str(len(chosen)), places(chosen)))
            for reason, chosen in sorted(groups, key=lambda group: -len(group[1]))
        ]
    return tuple(lines)


def coverage(rows: Sequence[Row]) -> tuple[Cited, ...]:
    """The share of the rubric that was decided: median and least, with the calls that have the least."""
    known = [(row.coverage, place) for place, row in numbered(rows) if row.coverage is not None]
    known = [entry for entry in known if rows[entry[1]].state != "invalid"]
    if not known:
        return ()
    least = min(share for share, _ in known)
    calls = tuple(place for share, place in known if share == least)
    return (
        Cited(percent(summarize(share for share, _ in known).median), tuple(place for _, place in known)),
        Cited(percent(least), calls),
    )
