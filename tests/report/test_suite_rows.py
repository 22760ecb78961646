"""From the folder of a suite to rows, and to its page by the command."""

import json
from pathlib import Path

import numpy as np
import pytest
from made_suite import write_call
from test_report_command import voicesim

from voicesim.errors import UsageError
from voicesim.judge.model import Evidence
from voicesim.report.many.read import rows_of
from voicesim.report.many.row import Row
from voicesim.results.read import open_suite


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two calls: all hit, by two judges who differ once; a critical check missed, made an hour earlier."""
    folder = tmp_path_factory.mktemp("calls") / "nightly"
    quote = Evidence(utterance="A2", quote="I'm sorry to hear that. Have you had a fever, or felt hot?", start=1, end=2)
    part = Evidence(utterance="A2", quote="have you had a fever", start=1, end=2)
    patient = Evidence(utterance="P1", quote="a runny nose", start=0.5, end=1)
    write_call(folder / "b", {"fever": (quote,), "history": (part,), "hedged_cold": (patient,)}, seed=1)
    write_call(folder / "b", {}, missed=("duration",), judge="other", newest=False)
    write_call(folder / "a", {}, missed=("breathing_now",), started_at="2026-03-09T09:41:07+00:00")
    return folder


@pytest.fixture(scope="module")
def rows(folder: Path) -> tuple[Row, ...]:
    return rows_of(open_suite(folder), folder)


def test_rows_stand_in_the_order_of_the_calls(rows: tuple[Row, ...]) -> None:
    assert [(row.id, row.state, row.score) for row in rows] == [("a", "failed", 0.84), ("b", "passed", 1.0)]
    assert rows[0].failed_critical == ("breathing_now",)
    assert all(row.draft for row in rows)


def test_what_a_judge_quoted_is_told_apart(rows: tuple[Row, ...]) -> None:
    by_id = {check.id: check for check in rows[1].checks}
    assert [quote.place for quote in by_id["fever"].quotes] == ["whole line"]
    assert [quote.place for quote in by_id["history"].quotes] == ["part of a line"]
    assert [quote.place for quote in by_id["hedged_cold"].quotes] == ["patient"]
    assert by_id["chronic_meds_not_blanket"].kind == "avoid"


def test_votes_are_there_where_several_judged(rows: tuple[Row, ...]) -> None:
    by_id = {check.id: check for check in rows[1].checks}
    assert by_id["duration"].votes == {"cues": "hit", "other": "miss"}
    assert rows[0].checks[0].votes == {}


def test_another_judge_can_be_asked_for(folder: Path) -> None:
    suite = open_suite(folder)
    by_call = {row.id: row for row in rows_of(suite, folder, "other")}
    assert (by_call["b"].score, by_call["b"].state) == (0.88, "passed")
    assert by_call["a"].state == "unscored"
    with pytest.raises(UsageError, match="no call has verdicts of judge 'othr'"):
        rows_of(suite, folder, "othr")


def test_the_report_of_a_folder_writes_its_page_with_links_that_lead_somewhere(folder: Path) -> None:
    result = voicesim("report", folder, "--json")
    assert result.exit_code == 0, result.output
    (page,) = json.loads(result.stdout)["suites"]
    text = Path(page).read_text(encoding="utf-8")
    assert Path(page) == folder / "suite.html"
    for name in ("a", "b"):
        assert f'href="{name}/scorecard.html"' in text
        assert (folder / name / "scorecard.html").is_file()


def test_one_recording_has_no_suite_page(folder: Path) -> None:
    result = voicesim("report", folder / "a", "--json")
    assert json.loads(result.stdout)["suites"] == []
    assert not (folder / "a" / "suite.html").exists()


def test_nothing_is_read_of_the_sound(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicesim.recording.flac.read", lambda *arguments: np.zeros(0) / 0)
    assert len(rows_of(open_suite(folder), tmp_path)) == 2
