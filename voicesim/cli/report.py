"""`voicesim report`: recordings to scorecard.html, suites to suite.html."""

import json
from typing import Annotated, Any

import typer

from voicesim.cli import options
from voicesim.cli.telling import echo


def report(
    recordings: options.Recordings,
    judge: Annotated[str | None, typer.Option(help="Whose verdicts to show; none: the newest.")] = None,
    as_json: options.AsJson = False,
) -> None:
    """Write the scorecard of each recording, and the page of each folder that holds several.

    Prints the path of each page. Ends with 2 when something a scorecard needs has not been made yet.
    """
    from voicesim.recording.read import find_recordings
    from voicesim.report.many.write import write_suite_page
    from voicesim.report.write import write_scorecard

    folders = find_recordings(*recordings)
    rows: list[dict[str, Any]] = []
    for folder in folders:
        path, summary = write_scorecard(folder, judge)
        rows.append(summary | {"recording": str(folder), "scorecard": str(path)})
    suites = [write_suite_page(path, judge or "") for path in recordings if len(find_recordings(path)) > 1]
    if as_json:
        result = {"recordings": rows, "suites": [str(page) for page in suites]}
        echo(json.dumps(result, indent=2, ensure_ascii=False, allow_nan=False), is_json=True)
        return
    from voicesim.cli.terminal import Terminal
    from voicesim.report.table import table

    Terminal().print(table(rows))
    for row in rows:
        echo(f"scorecard: {row['scorecard']}")
    for page in suites:
        echo(f"suite: {page}")
