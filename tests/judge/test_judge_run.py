"""A judge over a recording: names, files, and what is missing."""

import re
from pathlib import Path

import numpy as np
import pytest
from made_manifest import manifest
from made_recording import make_recording
from spoken import shipped, transcript

from voicesim.errors import CatalogueError, RecordingError, UsageError
from voicesim.judge.fitness import Fitness
from voicesim.judge.judges import make_judge
from voicesim.judge.kept import verdicts_file
from voicesim.judge.model import Verdicts
from voicesim.judge.offline.cues import CuesJudge
from voicesim.judge.run import judge_call, score_together
from voicesim.recording import files
from voicesim.recording.case import case_of
from voicesim.recording.manifest import Resolved

SCRIPT = "A: Hello.\nP: I have a cold.\nA: Are you short of breath?\nP: No.\nA: Goodbye."


def recorded(folder: Path, seconds: int = 12) -> Path:
    """A finished recording of cold-01 with a transcript of SCRIPT."""
    make_recording(folder, np.zeros(24_000 * seconds, dtype=np.int16), call_id="made")
    files.save(folder, files.MANIFEST, manifest(duration=float(seconds)))
    files.save(folder, files.TRANSCRIPT, transcript(SCRIPT, "made"))
    return folder


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("cue", "unknown judge 'cue'. Did you mean cues?"),
        ("openai", "the judge 'openai' is not of the form openai:MODEL"),
        ("openai:", "the judge 'openai:' is not of the form openai:MODEL"),
        ("gpt:x", "unknown judge 'gpt'. Known: cues, openai."),
    ],
)
def test_an_unknown_judge_names_the_near_ones(name: str, told: str) -> None:
    with pytest.raises(UsageError, match=re.escape(told)):
        make_judge(name)


def test_verdicts_come_in_the_order_of_the_rubric_with_its_weights() -> None:
    case = shipped("cold-01")
    verdicts = judge_call(CuesJudge(), case, transcript(SCRIPT), Fitness("", True))
    assert [(one.check, one.group, one.weight) for one in verdicts.verdicts] == [
        (check.id, check.group, check.weight) for check in case.rubric
    ]
    assert (verdicts.judge, verdicts.call_id) == ("cues", "spoken")


def test_the_verdicts_are_kept_beside_the_recording_and_the_same_twice(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "call")
    verdicts = score_together(folder, [CuesJudge()]).verdicts
    kept = (folder / "verdicts" / "cues.json").read_bytes()
    assert files.load(folder, "verdicts/cues.json", Verdicts) == verdicts
    score_together(folder, [CuesJudge()])
    assert (folder / "verdicts" / "cues.json").read_bytes() == kept
    # 0.16 breathing_now and 0.12 chronic_meds_not_blanket hit, six checks of 0.12 missed
    assert verdicts.score.value == 0.28


def test_without_a_transcript_the_message_names_the_command(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "call")
    (folder / files.TRANSCRIPT).unlink()
    with pytest.raises(UsageError, match="voicesim transcribe"):
        score_together(folder, [CuesJudge()])


def test_a_broken_transcript_is_named(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "call")
    (folder / files.TRANSCRIPT).write_text('{"call_id": "made"}')
    with pytest.raises(RecordingError, match=r"transcript\.json"):
        score_together(folder, [CuesJudge()])


def test_a_manifest_without_a_case_is_named() -> None:
    broken = manifest(case=Resolved(id="x", sha256="0", content={"id": "x"}))
    with pytest.raises(CatalogueError, match=r"call\.json of made: title"):
        case_of(broken)


@pytest.mark.parametrize(
    ("judge", "name"),
    [
        ("cues", "verdicts/cues.json"),
        ("openai:gpt-4o-mini", "verdicts/openai_gpt-4o-mini.json"),
        ("openai:org/model:8b", "verdicts/openai_org_model_8b.json"),
        ("openai:../../x", "verdicts/openai_.._.._x.json"),
    ],
)
def test_a_judges_file_stays_in_its_folder(judge: str, name: str) -> None:
    assert verdicts_file(judge) == name
    assert (Path("/call") / name).resolve().parent == Path("/call/verdicts")
