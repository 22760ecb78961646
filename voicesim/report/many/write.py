"""From a suite's folder to its page."""

from pathlib import Path

from voicesim.recording import files
from voicesim.report.many.read import rows_of
from voicesim.report.many.suite_page import suite_page
from voicesim.results.read import open_suite

SUITE_PAGE = "suite.html"


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
