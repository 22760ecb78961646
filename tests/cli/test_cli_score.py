"""`voicesim score`: what it prints, keeps and ends with."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_recording import make_recording
from typer.testing import CliRunner, Result

from voicesim.catalog.model import Case, Check, Patient
from voicesim.cli.app import build
from voicesim.recording import files
from voicesim.recording.manifest import Manifest, Resolved, Validity
from voicesim.transcript.model import Transcript, Utterance

COMMANDS = (("score", "voicesim.cli.score:score", "Judge."),)
CASE = Case(
    id="tiny",
    title="Tiny",
    patient=Patient(name="Ann", age=30, sex="female", persona="calm", says_first="I have a cough."),
    rubric=(
        Check(id="fever", group="critical", kind="ask", weight=0.6, expect="Asks about fever.", cues=("fever",)),
        Check(id="smoking", group="must_ask", kind="ask", weight=0.4, expect="Asks if she smokes.", cues=("smok",)),
    ),
)
ASKED_ALL = "Do you have a fever? Do you smoke?"
ASKED_ONE = "Do you have a fever? [bold]Thank you.[/bold]"
ASKED_NONE = "Please rest at home."


def recorded(folder: Path, said: str, **manifest: Any) -> Path:
    """A finished, transcribed call of two seconds in which the agent says one thing."""
    make_recording(folder, np.zeros(48_000, dtype=np.int16))
    made = files.load(folder, files.MANIFEST, Manifest)
    fields: dict[str, Any] = {
        "case": Resolved(id="tiny", sha256="0" * 64, content=CASE.model_dump(mode="json")),
        "end_reason": "completed",
        "validity": Validity(valid=True),
    }
    files.save(folder, files.MANIFEST, made.model_copy(update=fields | manifest))
    patient = Utterance(
        id="P1", side="caller", start=0.0, end=0.8, text="I have a cough.", voiced=((0.0, 0.8),), source="line"
    )
    agent = Utterance(id="A1", side="agent", start=1.0, end=2.0, text=said, voiced=((1.0, 2.0),), source="whisper")
    transcript = Transcript(call_id="made", duration=2.0, language="en", model="none", utterances=(patient, agent))
    files.save(folder, files.TRANSCRIPT, transcript)
    return folder


def score(*arguments: str | Path) -> Result:
    return CliRunner().invoke(build(COMMANDS), ["score", *map(str, arguments)], env={"COLUMNS": "160"})


def test_a_call_that_passes_ends_with_zero(tmp_path: Path) -> None:
    result = score(recorded(tmp_path / "call", ASKED_ALL))
    assert result.exit_code == 0
    assert "score 1.00, 100% of the rubric decided, passed" in result.output
    assert "A1 at 1.0 s: “Do you have a fever?”" in result.output
    assert (tmp_path / "call" / "verdicts" / "cues.json").is_file()


def test_a_check_that_was_not_heard_counts_neither_way(tmp_path: Path) -> None:
    result = score(recorded(tmp_path / "call", ASKED_ONE))
    assert result.exit_code == 0
    assert "score 1.00, 60% of the rubric decided, passed" in result.output


def test_a_missed_critical_check_ends_with_one(tmp_path: Path) -> None:
    result = score(recorded(tmp_path / "call", ASKED_NONE))
    assert result.exit_code == 1
    assert "score 0.00, 100% of the rubric decided, failed: critical check missed: fever" in result.output


def test_an_unscored_call_ends_with_one_and_says_why(tmp_path: Path) -> None:
    result = score(recorded(tmp_path / "call", ASKED_ALL, end_reason="line_lost"))
    assert result.exit_code == 1
    assert "not scored, 100% of the rubric decided, unscored: the line was lost" in result.output


def test_an_invalid_call_ends_with_three_whatever_the_others_do(tmp_path: Path) -> None:
    recorded(tmp_path / "good", ASKED_ALL)
    recorded(tmp_path / "bad", ASKED_ALL, validity=Validity(valid=False, reason="late_harness"))
    result = score(tmp_path)
    assert result.exit_code == 3
    assert "invalid: late harness" in result.output


def test_json_is_one_object_and_nothing_else(tmp_path: Path) -> None:
    result = score("--json", recorded(tmp_path / "call", ASKED_ONE))
    (row,) = json.loads(result.stdout)["recordings"]
    assert (row["gate"], row["score"]["value"], row["judge"]) == ("passed", 1.0, "cues")
    assert [one["outcome"] for one in row["verdicts"]] == ["hit", "not_heard"]


def test_repeats_are_told_as_stability_and_never_as_validity(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "call", ASKED_ALL)
    result = score(folder, "--judge-repeats", "3")
    assert "stability of cues: 100% over 3 repeats of 2 checks" in result.output
    assert "validity: not measured here" in result.output
    told = json.loads(score(folder, "--judge-repeats", "3", "--json").stdout)
    assert told["stability"] == [{"judge": "cues", "repeats": 3, "checks": 2, "share": 1.0}]
    assert (told["agreement"], told["validity"]) == ([], None)


def test_the_same_judge_named_twice_is_one_judge(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "call", ASKED_ALL)
    score(folder, "--judge", "cues", "--judge", "cues")
    assert [path.name for path in (folder / "verdicts").iterdir()] == ["cues.json"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere"], "nowhere: no recording here or below"),
        (["call", "--judge", "cuse"], "unknown judge 'cuse'. Did you mean cues?"),
        (["untold"], "run `voicesim transcribe"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    recorded(tmp_path / "call", ASKED_ALL)
    (recorded(tmp_path / "untold", ASKED_ALL) / files.TRANSCRIPT).unlink()
    result = score(*arguments)
    assert result.exit_code == 2
    assert told in result.output
    assert len(result.output.splitlines()) == 1
