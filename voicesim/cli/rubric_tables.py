"""What `voicesim rubric` shows: scored answers, and the tables of `eval`."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from voicesim.judge.base import Judge
    from voicesim.rubrics.answers import Scored
    from voicesim.rubrics.documents import Document
    from voicesim.rubrics.model import Rubric
    from voicesim.rubrics.near_misses import Pair
    from voicesim.statistics.intervals import Estimate


def near_miss_table(
    documents: "Sequence[Document]", rubric: Path | None, judge: "Judge | None", *, as_json: bool
) -> str:
    """How often the right answer of a pair scores higher, by kind of change, as text or as JSON."""
    from voicesim.rubrics.evaluation import table, tell_apart
    from voicesim.rubrics.facts import extract
    from voicesim.rubrics.files import read_rubric
    from voicesim.rubrics.near_misses import CHANGES, pairs
    from voicesim.rubrics.retrieval import Hit

    given = read_rubric(rubric) if rubric else None
    rubrics = {} if given else _drafts(documents)
    wanted = {source.id for source in given.sources} if given else set(rubrics)
    facts = extract([Hit(part, 1.0) for doc in documents if doc.source.id in wanted for part in doc.passages])

    def rubric_of(pair: "Pair") -> "Rubric":
        return given or rubrics[pair.source]

    scored_pairs = tell_apart(pairs(facts), rubric_of, judge)
    rows = [table(scored_pairs, change) for change in (None, *CHANGES)]
    if as_json:
        return json.dumps([asdict(row) for row in rows], indent=2)
    lines = [f"{'pairs that differ in':<20} {'n':>4} {'win rate':>20} {'ties':>5} {'difference':>22}  AUROC"]
    for row in rows:
        if row.pairs:
            auroc = f"{row.auroc:.2f}" + (f" ({row.auroc_low:.2f} to {row.auroc_high:.2f})" if row.auroc_low else "")
            name = (row.change or "any of them").replace("_", " ")
            figures = f"{row.pairs:>4} {_told(row.win_rate):>20} {row.ties:>5} {_told(row.difference):>22}"
            lines.append(f"{name:<20} {figures}  {auroc}")
    return "\n".join(lines)


def coverage_table(reference: Path, rubric: Path, *, as_json: bool) -> str:
    """Which criteria of a person's rubric another one covers."""
    from voicesim.rubrics.evaluation import coverage
    from voicesim.rubrics.files import read_rubric

    share, rows = coverage(read_rubric(reference), read_rubric(rubric))
    if as_json:
        covered = {row.criterion.id: row.by_criterion for row in rows}
        return json.dumps({"covered": share, "by": "words and entities", "criteria": covered}, indent=2)
    lines = [f"{share:.0%} of the points of {reference} are covered (by words and entities)"]
    lines += [f"  {row.criterion.points:>4}  {row.criterion.says}  <- {row.by_criterion or 'nothing'}" for row in rows]
    return "\n".join(lines)


def _drafts(documents: "Sequence[Document]") -> "dict[str, Rubric]":
    """A draft for the first case that each document names, by the document."""
    from voicesim.catalog.find import Catalogue
    from voicesim.rubrics.draft import draft, of_case

    catalogue = Catalogue.here()
    return {
        document.source.id: draft(of_case(catalogue.case(document.cases[0])), documents)
        for document in documents
        if document.cases
    }


def _told(estimate: "Estimate | None") -> str:
    if estimate is None:
        return "-"
    spread = "" if estimate.low is None else f" ({estimate.low:.2f} to {estimate.high:.2f})"
    return f"{estimate.value:.2f}{spread}"


def as_text(scored: "Scored") -> str:
    """The points, and a line a criterion with the words that show it."""
    from voicesim.report.wording import visible

    lines = [str(scored.points)]
    for each in scored.assessed:
        state = "undecided" if each.met is None else "met" if each.met else "not met"
        quote = f'  "{each.quotes[0]}"' if each.quotes and each.met is not False else ""
        lines.append(visible(f"{each.criterion.points:>4}  {state:<9}  {each.criterion.says}{quote}"))
    return "\n".join(lines)


def as_data(scored: "Scored") -> dict[str, object]:
    """The same as data."""
    from voicesim.rubrics.score import by_axis, by_tag

    points = scored.points
    return {
        "rubric": scored.rubric.id,
        "score": points.value,
        "met_points": points.met,
        "possible_points": points.possible,
        "lowest": points.lowest,
        "highest": points.highest,
        "by_axis": {name: each.value for name, each in by_axis(scored.rubric.criteria, scored.met).items()},
        "by_tag": {name: each.value for name, each in by_tag(scored.rubric.criteria, scored.met).items()},
        "criteria": [
            {
                "id": each.criterion.id,
                "points": each.criterion.points,
                "met": each.met,
                "quotes": list(each.quotes),
                "reason": each.reason,
                "by": each.by,
            }
            for each in scored.assessed
        ],
    }
