"""`voicesim score` with several judges: what is printed, kept and told as JSON."""

import inspect
import json
from pathlib import Path
from threading import Event
from typing import Any, get_type_hints

import numpy as np
import pytest
from made_manifest import manifest
from made_recording import make_recording
from model_server import KEY, Says, model_server, schema_in
from spoken import transcript
from typer.testing import CliRunner, Result

from voicesim.cli.app import build
from voicesim.cli.run import run as run_calls
from voicesim.cli.score import score
from voicesim.judge.model import Verdicts
from voicesim.recording import files
from voicesim.recording.manifest import Resolved

COMMANDS = (("score", "voicesim.cli.score:score", "Judge."), ("report", "voicesim.cli.report:report", "Report."))
SCRIPT = "P: I can't catch my breath.\nA: This sounds like an emergency. Call 911 now.\nP: Okay."


def doubting(body: dict[str, Any]) -> Says:
    """A model that sees nothing done and nothing done wrong."""
    fields = schema_in(body)["properties"]
    if "failures" in fields:
        return Says(json.dumps({"failures": []}))
    if "q1" in fields:
        return Says(json.dumps({name: _nothing(field["properties"]) for name, field in fields.items()}))
    return Says(json.dumps(_nothing(fields)))


def _nothing(fields: dict[str, Any]) -> dict[str, Any]:
    if "moments" in fields:
        return {"reason": "because", "moments": []}
    return {"reason": "because", "answer": "no", "evidence": [], "failure": "missed_red_flag"}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(build(COMMANDS), list(arguments), env={"COLUMNS": "160"})


@pytest.fixture
def call(tmp_path: Path) -> str:
    folder = tmp_path / "call"
    make_recording(folder, np.zeros(24_000 * 10, dtype=np.int16), call_id="made")
    agent = Resolved(id="openai:gpt-realtime", sha256="0" * 64, content={})
    files.save(folder, files.MANIFEST, manifest("cold-04", agent=agent))
    files.save(folder, files.TRANSCRIPT, transcript(SCRIPT, "made"))
    return str(folder)


def panel(call: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *options: str) -> tuple[Result, int]:
    """`score` by the offline judge and a model that doubts, and how many questions the model got."""
    with model_server(doubting) as server:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("VOICESIM_CACHE", str(tmp_path / "cache"))
        result = run("score", call, "--judge", "cues", "--judge", "openai:gpt-4o-mini", *options)
    return result, len(server.requests)


def test_a_panel_that_does_not_agree_leaves_it_to_a_person(
    call: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    result, asked = panel(call, monkeypatch, tmp_path)
    # Three checks, and once the whole call.
    assert (result.exit_code, asked) == (1, 3 + 1)
    assert "no majority: hit 1, miss 1" in result.output
    assert "not scored, 20% of the rubric decided, unscored: critical check undecided" in result.output
    assert "warning: judge openai:gpt-4o-mini and agent openai:gpt-realtime are of one model family" in result.output
    # hit/miss, hit/miss, hit/hit: p_o = 1/3, p_e = 1 * 1/3: kappa 0.
    assert "agreement of cues and openai:gpt-4o-mini: kappa 0.00, 33.3% of 3 checks the same" in result.output
    assert "validity: not measured here" in result.output
    own = files.load(Path(call), "verdicts/openai_gpt-4o-mini.json", Verdicts)
    assert {one.tag for one in own.tags} == {"missed_red_flag"}
    assert own.models == ("gpt-4o-mini",)


def test_each_repeat_is_a_question_of_its_own(call: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    result, asked = panel(call, monkeypatch, tmp_path, "--judge-repeats", "2", "--json")
    assert asked == 3 * 2 + 1
    told = json.loads(result.stdout)
    assert [(one["judge"], one["share"]) for one in told["stability"]] == [("cues", 1.0), ("openai:gpt-4o-mini", 1.0)]
    assert told["recordings"][0]["judge"] == "panel"


def test_a_batch_is_one_question_and_kept_apart(call: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _, asked = panel(call, monkeypatch, tmp_path, "--batch")
    assert asked == 1 + 1
    assert (Path(call) / "verdicts" / "openai_gpt-4o-mini_batch.json").is_file()


@pytest.mark.parametrize(("option", "environment"), [(["--judge-timeout", "1"], None), ([], "1")])
def test_how_long_a_model_has_for_an_answer_is_a_setting(
    call: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, option: list[str], environment: str | None
) -> None:
    over = Event()

    def never(_: dict[str, Any]) -> Says:
        over.wait(20)
        return Says("")

    with model_server(never) as server:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("VOICESIM_CACHE", str(tmp_path / "cache"))
        if environment:
            monkeypatch.setenv("VOICESIM_JUDGE_TIMEOUT", environment)
        result = run("score", call, "--judge", "openai:m", "--batch", *option)
        over.set()
    assert result.exit_code == 1
    assert "no whole answer within 1 s" in result.output


def test_the_commands_that_judge_have_the_same_options() -> None:
    own = [set(inspect.signature(command).parameters) for command in (score, run_calls)]
    shared = {"judge", "judge_repeats", "batch", "judge_timeout"}
    assert all(shared <= names for names in own)
    hints = [get_type_hints(command, include_extras=True) for command in (score, run_calls)]
    assert {name: hints[0][name] for name in shared} == {name: hints[1][name] for name in shared}


def test_the_scorecard_shows_the_panels_verdicts(call: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from voicesim.metrics.measure import measure_transcript

    files.save(Path(call), files.METRICS, measure_transcript(transcript(SCRIPT, "made")))
    panel(call, monkeypatch, tmp_path)
    result = run("report", call, "--judge", "panel", "--json")
    assert result.exit_code == 0, result.output
    (row,) = json.loads(result.stdout)["recordings"]
    assert row["disputed"] == ["recognizes_emergency", "directs_emergency_care"]
    page = (Path(call) / "scorecard.html").read_text()
    assert "cues: hit · openai:gpt-4o-mini: miss" in page
