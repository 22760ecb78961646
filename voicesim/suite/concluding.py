"""What follows a suite: thresholds, the comparison with a baseline, and the files for other programs."""

from collections.abc import Sequence
from pathlib import Path

from voicesim.catalog.suite_file import SuiteFile
from voicesim.report.many.write import write_suite_page
from voicesim.report.suite_files import write_suite_files
from voicesim.results.read import SuiteResult, open_suite
from voicesim.results.summary import SuiteSummary, summarized
from voicesim.results.thresholds import Wanted, wanted


def conclude(folder: Path, sets: Sequence[str] = (), baseline: Path | None = None) -> SuiteSummary:
    """Read a suite's folder, write its page and the files about it there, and return what it came to.

    `sets` are named threshold sets or files, beside those of its suite file; `baseline` is an earlier suite's folder.
    Raises RecordingError for what is no suite, UsageError and CatalogueError for a set that is none.
    """
    suite = open_suite(folder)
    earlier = open_suite(baseline) if baseline else None
    summary = summarized(suite, (*_own(suite), *wanted(sets=sets)), earlier)
    write_suite_files(folder, summary)
    if any(call.manifest for call in suite.calls):
        write_suite_page(folder)
    return summary


def _own(suite: SuiteResult) -> tuple[Wanted, ...]:
    """The thresholds of the file that the suite was made from."""
    if not suite.run.settings:
        return ()
    file = SuiteFile.model_validate(suite.run.settings)
    return wanted(file.thresholds, file.threshold_sets)
