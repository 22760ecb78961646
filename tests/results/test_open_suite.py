"""A suite's folder read back: every planned call, with what was made of it or why there is nothing."""

from pathlib import Path

import numpy as np
import pytest

from voicesim.errors import RecordingError
from voicesim.judge.model import Score, Verdicts
from voicesim.recording import files
from voicesim.recording.live import LiveRecording
from voicesim.recording.manifest import Validity, bare_manifest
from voicesim.results.model import SUITE, Planned, SuiteRun
from voicesim.results.read import open_suite

VALID = Validity(valid=True)


def planned(key: str, case: str = "a") -> Planned:
    return Planned(key=key, name=f"call-{key}", case=case, persona="p", profile="clean", agent="x", seed=0, repeat=1)


def record(folder: Path, key: str, validity: Validity = VALID, score: float | None = None, judge: str = "cues") -> None:
    with LiveRecording(folder, bare_manifest(folder.name, "x").model_copy(update={"key": key})) as live:
        live.write("agent", 0, np.zeros(480, np.int16))
        live.finish(lambda manifest, duration: manifest.model_copy(update={"duration": 0.02, "validity": validity}))
    if score is not None:
        verdicts = Verdicts(
            call_id=folder.name, judge=judge, judge_version="1", verdicts=(), score=Score(value=score, coverage=1.0)
        )
        files.save(folder, f"verdicts/{judge}.json", verdicts)


def suite(folder: Path, *plans: Planned, **more: object) -> None:
    folder.mkdir(exist_ok=True)
    run = SuiteRun.model_validate({"suite": "s", "voicesim": "0", "planned": plans} | more)
    files.save(folder, SUITE, run)


def test_every_planned_call_is_told_in_the_order_of_the_plan(tmp_path: Path) -> None:
    suite(tmp_path, planned("k1"), planned("k2"), planned("k3", case="b"), lost={"k2": "nobody at home"})
    record(tmp_path / "renamed", "k1", score=0.5)
    record(tmp_path / "of-another-plan", "k9", score=1.0)
    record(tmp_path / "call-k3", "k3", Validity(valid=False, reason="late_harness"), score=1.0)
    first, second, third = open_suite(tmp_path).calls
    assert (first.state, first.score, first.folder) == ("passed", 0.5, tmp_path / "renamed")
    assert (second.state, second.reason, second.folder) == ("missing", "nobody at home", None)
    assert (third.state, third.reason, third.score) == ("invalid", "late harness", None)
    assert [call.planned.key for call in open_suite(tmp_path).valid] == ["k1"]
    assert open_suite(tmp_path).ids("case") == ("a", "b")
    assert open_suite(tmp_path).of(case="b") == (third,)


def test_of_several_tries_the_valid_one_counts(tmp_path: Path) -> None:
    suite(tmp_path, planned("k"))
    record(tmp_path / "call-k", "k", Validity(valid=False, reason="late_harness"))
    record(tmp_path / "call-k-try2", "k", score=0.25)
    record(tmp_path / "call-k-try3", "k", Validity(valid=False, reason="late_harness"))
    (call,) = open_suite(tmp_path).calls
    assert call.score == 0.25


def test_the_judge_that_the_suite_names_counts_and_every_judge_is_kept(tmp_path: Path) -> None:
    suite(tmp_path, planned("k"), judge="first")
    record(tmp_path / "call-k", "k", score=0.5, judge="first")
    for judge in ("second", "panel"):
        verdicts = Verdicts(
            call_id="x", judge=judge, judge_version="1", verdicts=(), score=Score(value=1.0, coverage=1.0)
        )
        files.save(tmp_path / "call-k", f"verdicts/{judge}.json", verdicts)
    (call,) = open_suite(tmp_path).calls
    assert call.score == 0.5
    assert [verdicts.judge for verdicts in call.judged] == ["first", "second"]


def test_a_file_that_cannot_be_read_costs_its_call_and_says_why(tmp_path: Path) -> None:
    suite(tmp_path, planned("k1"), planned("k2"))
    record(tmp_path / "call-k1", "k1", score=0.5)
    record(tmp_path / "call-k2", "k2", score=0.5)
    (tmp_path / "call-k1" / files.METRICS).write_text("{")
    first, second = open_suite(tmp_path).calls
    assert first.state == "unscored"
    assert "metrics.json is no JSON" in first.reason
    assert second.state == "passed"


def test_recordings_without_a_suite_are_calls_of_their_own(tmp_path: Path) -> None:
    record(tmp_path / "old" / "first", "", score=0.5)
    record(tmp_path / "old" / "second", "", score=0.75)
    result = open_suite(tmp_path / "old")
    assert [call.score for call in result.calls] == [0.5, 0.75]
    assert len({call.planned.key for call in result.calls}) == 2
    assert [call.score for call in open_suite(tmp_path / "old" / "first").calls] == [0.5]


def test_what_is_no_suite_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="no recording here"):
        open_suite(tmp_path)
    (tmp_path / SUITE).write_text('{"schema_version": 1, "suite": "s", "voicesim": "0", "planned": [{"key": 1}]}')
    with pytest.raises(RecordingError, match=r"suite\.json: planned\.0\."):
        open_suite(tmp_path)


def test_a_name_that_leads_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / SUITE).write_text(
        '{"suite": "s", "voicesim": "0", "planned": [{"key": "k", "name": "../x", "case": "a", "persona": "p", '
        '"profile": "c", "agent": "x", "seed": 0, "repeat": 1}]}'
    )
    with pytest.raises(RecordingError, match=r"planned\.0\.name"):
        open_suite(tmp_path)
