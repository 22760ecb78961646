"""From a folder of finished calls to its suite page."""

from pathlib import Path

from voicesim.recording import files
from voicesim.recording.read import find_recordings
from voicesim.report.many.read import read_rows
from voicesim.report.many.suite_page import suite_page

SUITE_PAGE = "suite.html"


def write_suite_page(folder: Path, judge: str | None = None) -> Path:
    """Write suite.html of the calls below a folder, in one step, and return its path.

    `judge` names whose verdicts are shown; None takes the newest of each call. Calls that were not judged are shown
    without a score. Raises RecordingError when a call cannot be read, UsageError for verdicts that are not there.
    """
    path = folder / SUITE_PAGE
    rows = read_rows(find_recordings(folder), folder, judge)
    files.write_text(path, suite_page(folder.resolve().name, rows))
    return path
