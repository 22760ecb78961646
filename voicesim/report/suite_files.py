"""The files about a suite that other programs read, beside its recordings; each can be deleted and made again."""

import csv
import io
import json
import re
from pathlib import Path

from voicesim.recording.files import write_text
from voicesim.report.junit import junit
from voicesim.report.markdown import markdown
from voicesim.results.summary import CallRow, SuiteSummary

JSON, CSV, JUNIT, MARKDOWN = "results.json", "results.csv", "junit.xml", "summary.md"
_FORMULA = re.compile(r"(^|[;\t\r\n])( *)(?=[=+\-@＝＋－＠\t\r\n])")
"""Where a spreadsheet would take what follows for a formula: at a text's beginning, and behind a sign that parts cells
in spreadsheets of other countries."""


def write_suite_files(folder: Path, summary: SuiteSummary) -> tuple[Path, ...]:
    """Write results.json, results.csv, junit.xml and summary.md into a suite's folder; returns their paths."""
    content = {JSON: as_json(summary), CSV: as_csv(summary), JUNIT: junit(summary), MARKDOWN: markdown(summary)}
    for name, text in content.items():
        write_text(folder / name, text)
    return tuple(folder / name for name in content)


def as_json(summary: SuiteSummary) -> str:
    """One JSON object; see `SuiteSummary`."""
    return json.dumps(summary.model_dump(mode="json"), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def as_csv(summary: SuiteSummary) -> str:
    """A line a call, under a line of names; lists are joined by blanks, and what is not known is empty."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(CallRow.model_fields)
    for call in summary.calls:
        writer.writerow([_cell(value) for value in call.model_dump().values()])
    return file.getvalue()


def _cell(value: object) -> object:
    """A value of a line. An apostrophe stands before what a spreadsheet would take for a formula."""
    text = " ".join(map(str, value)) if isinstance(value, tuple | list) else value
    return _FORMULA.sub(r"\1\2'", text) if isinstance(text, str) else text
