"""From folders of calls to the pages about them."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from voicesim.errors import UsageError
from voicesim.recording import files
from voicesim.report.many.comparison import Comparison, compare
from voicesim.report.many.comparison_page import comparison_json, comparison_page
from voicesim.report.many.read import rows_of
from voicesim.report.many.sides import sides
from voicesim.report.many.suite_page import suite_page
from voicesim.results.read import SuiteResult, open_suite

SUITE_PAGE = "suite.html"
COMPARISON_PAGE, COMPARISON = "comparison.html", "comparison.json"


def write_suite_page(folder: Path, judge: str = "") -> Path:
    """Write suite.html of a suite's folder, in one step, and return its path.

    `judge` names whose verdicts are shown, "" those that count in the suite. Calls without verdicts are shown without a
    score. Raises RecordingError when there is no call, or one cannot be read, and UsageError when that judge has
    judged none.
    """
    path = folder / SUITE_PAGE
    suite = open_suite(folder)
    files.write_text(path, suite_page(suite.run.title or suite.run.suite, rows_of(suite, folder, judge)))
    return path


@dataclass(frozen=True)
class Written:
    """What was compared, where it was written to, and how many calls of the folders were not asked for."""

    comparisons: tuple[Comparison, ...]
    page: Path
    data: Path
    unasked: int


def write_comparison(
    folders: Sequence[Path],
    out: Path,
    *,
    agents: Sequence[str] = (),
    judge: str = "",
    anyway: bool = False,
    keys: Collection[str] = (),
) -> Written:
    """Compare the calls of some folders with those of the first; writes comparison.html and comparison.json into `out`.

    With `keys` only the calls of these keys count: others in the folders are of another time, or another question.
    Raises UsageError, before anything is written, when the sides cannot be compared: fewer than two, no patient in
    common, or, unless `anyway`, another rubric or judge. Raises RecordingError for a folder without calls.
    """
    names = _names(folders)
    whole = [open_suite(folder) for folder in folders]
    suites = [_only(suite, keys) for suite in whole]
    rows = {name: rows_of(suite, out, judge) for name, suite in zip(names, suites, strict=True)}
    first, *others = sides(rows, agents)
    comparisons = tuple(compare(first, other) for other in others)
    refusals = tuple(dict.fromkeys(reason for comparison in comparisons for reason in comparison.doubts.refusals))
    if refusals and not anyway:
        raise UsageError(f"not compared: {'; '.join(refusals)}. With --anyway the page is made, and says so")
    page, data = out / COMPARISON_PAGE, out / COMPARISON
    text = json.dumps(comparison_json(comparisons), indent=2, ensure_ascii=False, allow_nan=False)
    files.write_text(page, comparison_page(comparisons, refusals))
    files.write_text(data, text + "\n")
    unasked = sum(len(every.calls) - len(asked.calls) for every, asked in zip(whole, suites, strict=True))
    return Written(comparisons, page, data, unasked)


def _only(suite: SuiteResult, keys: Collection[str]) -> SuiteResult:
    return replace(suite, calls=tuple(call for call in suite.calls if call.planned.key in keys)) if keys else suite


def _names(folders: Sequence[Path]) -> list[str]:
    """A name for each folder: its own, with as much of the path before it as makes it unlike the others."""
    parts = [folder.resolve().parts for folder in folders]
    if len(set(parts)) < len(parts):
        raise UsageError("a folder cannot be compared with itself; of one folder, its agents are compared")
    for length in range(1, max(map(len, parts)) + 1):
        names = ["/".join(path[-length:]) for path in parts]
        if len(set(names)) == len(names):
            return names
    return ["/".join(path) for path in parts]
