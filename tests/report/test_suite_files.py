"""The files of a suite for other programs: what a JUnit reader, a spreadsheet and a pull request make of them."""

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from junitparser import Error, Failure, JUnitXml, Skipped
from suite_on_disk import LATE, Made, make_suite

from voicesim.catalog.threshold_file import Threshold
from voicesim.recording.manifest import Validity
from voicesim.report.junit import junit
from voicesim.report.markdown import markdown
from voicesim.report.suite_files import as_csv, as_json, write_suite_files
from voicesim.results.summary import SuiteSummary, summarized
from voicesim.results.thresholds import wanted

ODD = 'x]]> & <b> "q" \x00\x08\x1b[31m \ud800 \ufffe \U0001f600 é'
NASTY = "=1+1|`<img src=x onerror=alert(1)>` @everyone [a](javascript:x)\n# h"


@pytest.fixture(scope="module")
def summary(tmp_path_factory: pytest.TempPathFactory) -> SuiteSummary:
    suite = make_suite(
        tmp_path_factory.mktemp("made") / "s",
        Made(case="good", latencies=[0.5] * 6),
        Made(case="bad", critical=("breathing_now",), checks={"breathing_now": "miss"}),
        Made(case="odd", score=None),
        Made(case="late", validity=LATE),
        Made(case="never", lost="nobody at home"),
        Made(case="good", agent="slow", latencies=[2.0] * 6),
    )
    thresholds = [
        Threshold(figure="response_latency_p95", at_most=0.8, source="us"),
        Threshold(figure="yield_rate", at_least=0.9),
    ]
    return summarized(suite, wanted(thresholds))


def test_a_junit_reader_counts_what_happened(summary: SuiteSummary) -> None:
    read = JUnitXml.fromstring(junit(summary).encode())
    suites = {suite.name: suite for suite in read}
    assert list(suites) == ["s.x", "s.slow", "s.thresholds"]
    x = suites["s.x"]
    assert (x.tests, x.failures, x.errors, x.skipped) == (5, 1, 1, 2)
    outcomes = {case.name.split()[0]: [type(each) for each in case.result] for case in x}
    assert outcomes == {"good": [], "bad": [Failure], "odd": [Error], "late": [Skipped], "never": [Skipped]}
    thresholds = suites["s.thresholds"]
    # Both agents were asked for a tail and for yields: one is too slow, and nobody was interrupted.
    assert (thresholds.tests, thresholds.failures, thresholds.skipped) == (4, 1, 2)
    assert (read.tests, read.failures, read.errors, read.skipped) == (10, 2, 1, 4)
    assert all(case.classname and case.time is not None for suite in read for case in suite)


def test_the_failure_leads_to_the_reason(summary: SuiteSummary) -> None:
    failures = [str(found.get("message")) for found in ElementTree.fromstring(junit(summary).encode()).iter("failure")]
    assert failures[0] == "critical check missed: breathing now"
    assert failures[1].startswith("2, wanted is at most 0.8 (us)")


def test_odd_characters_survive_or_are_replaced(tmp_path: Path) -> None:
    call = Made(validity=Validity(valid=False, reason="harness_error", detail="\x1b[31m <&> \U0001f600 é ]]>\n\ttab"))
    text = junit(summarized(make_suite(tmp_path / "s", call)))
    (skipped,) = ElementTree.fromstring(text.encode()).iter("skipped")
    assert skipped.get("message") == "invalid: harness error: \ufffd[31m <&> \U0001f600 é ]]>\n\ttab"
    made = summarized(make_suite(tmp_path / "t", Made(lost="x")))
    odd = made.model_copy(update={"suite": ODD})
    read = ElementTree.fromstring(junit(odd).encode())
    assert str(read.get("name")) == 'x]]> & <b> "q" \ufffd\ufffd\ufffd[31m \ufffd \ufffd \U0001f600 é'


def test_csv_has_a_line_a_call_and_no_formula(summary: SuiteSummary) -> None:
    nasty = summary.calls[0].model_copy(update={"reason": NASTY, "missed": ("a", "b")})
    rows = list(csv.DictReader(io.StringIO(as_csv(summary.model_copy(update={"calls": (nasty, *summary.calls[1:])})))))
    assert len(rows) == len(summary.calls)
    assert rows[0]["reason"] == f"'{NASTY}"
    assert rows[0]["missed"] == "a b"
    assert rows[3]["score"] == ""  # invalid: no score, and not 0
    assert rows[1]["state"] == "failed"


def test_markdown_takes_nothing_that_was_said_for_more_than_text(summary: SuiteSummary) -> None:
    nasty = summary.calls[1].model_copy(update={"reason": NASTY})
    text = markdown(summary.model_copy(update={"calls": (summary.calls[0], nasty, *summary.calls[2:])}))
    (row,) = (line for line in text.splitlines() if "everyone" in line)
    assert not set("<>`@[]") & set(row.replace("&#", ""))
    assert row.count("|") == 7  # six cells
    assert "6 calls: 2 passed, 1 failed, 1 unscored, 1 invalid, 1 missing" in text
    assert "(draft)" in text


def test_missed_checks_come_with_what_was_quoted_critical_ones_first(summary: SuiteSummary) -> None:
    assert [(row.check, row.missed, row.decided) for row in summary.missed] == [("breathing_now", 1, 1)]
    row = summary.missed[0].model_copy(update={"group": "critical", "quotes": (NASTY,)})
    (line,) = (
        line for line in markdown(summary.model_copy(update={"missed": (row,)})).splitlines() if "1 of 1" in line
    )
    assert line.startswith("| breathing now (critical) | bad | 1 of 1 | “")
    assert not set("<>`@[]") & set(line.replace("&#", ""))
    assert line.count("|") == 5  # four cells


def test_json_is_as_its_schema_says(summary: SuiteSummary, tmp_path: Path) -> None:
    assert SuiteSummary.model_validate_json(as_json(summary)) == summary
    assert set(json.loads(as_json(summary))) == set(SuiteSummary.model_json_schema()["properties"])
    assert sorted(path.name for path in write_suite_files(tmp_path, summary)) == [
        "junit.xml",
        "results.csv",
        "results.json",
        "summary.md",
    ]
