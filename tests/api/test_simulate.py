"""From Python: a call to an in-process agent, its result, and each step of its recording again."""

import asyncio
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import voicesim
from voicesim.testing import AnsweringAgent, ScriptedAgent

CASE = "cold-04-emergency-dyspnea"


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> voicesim.CallResult:
    """A call whose agent sounds a tone 0.8 s after the patient, twice, and hangs up."""
    out = tmp_path_factory.mktemp("calls")
    agent = ScriptedAgent([(6.0, 7.0)], hang_up=12.0)
    return voicesim.simulate(CASE, agent, clock="virtual", out=out, seed=5)


def test_a_call_comes_back_with_all_that_followed_it(result: voicesim.CallResult) -> None:
    assert (result.manifest.case.id, result.manifest.seed, result.manifest.clock) == (CASE, 5, "virtual")
    assert result.manifest.agent.id == "python:ScriptedAgent"
    # A tone is no words, so nothing can be scored, and that is no pass.
    assert (result.gate, result.score, result.passed) == ("unscored", None, False)
    assert result.reason
    assert result.reason in str(result)
    assert result.scorecard.read_text().startswith("<!doctype html>")
    assert (result.folder / "audit.json").is_file()


def test_every_step_can_be_done_again_from_the_recording(result: voicesim.CallResult) -> None:
    recording = voicesim.open_recording(str(result.folder))
    assert recording.duration == pytest.approx(12.0, abs=0.05)
    assert voicesim.transcribe(recording) == result.transcript
    assert voicesim.measure(result.folder) == result.metrics
    assert voicesim.score(str(result.folder), "cues").verdicts == result.verdicts.verdicts
    assert voicesim.write_scorecard(recording) == result.scorecard


def test_a_loop_that_runs_already_is_no_obstacle(tmp_path: Path) -> None:
    async def cell() -> voicesim.CallResult:
        return voicesim.simulate(CASE, lambda: AnsweringAgent(0.8), clock="virtual", out=tmp_path, max_duration=5.0)

    assert asyncio.run(cell()).manifest.end_reason == "max_duration"


class Quiet:
    """A class is what makes an agent, as in the documents."""

    def tick(self, caller: np.ndarray) -> np.ndarray:
        return np.zeros_like(caller)


def test_an_agent_may_be_given_by_its_class(tmp_path: Path) -> None:
    result = voicesim.simulate(CASE, Quiet, clock="virtual", out=tmp_path, max_duration=3.0)
    assert (result.manifest.end_reason, result.manifest.agent.id) == ("max_duration", "python:Quiet")


def test_a_script_needs_no_main_guard(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import voicesim\n"
        "from voicesim.testing import AnsweringAgent\n"
        f"result = voicesim.simulate({CASE!r}, AnsweringAgent(0.8), clock='virtual', max_duration=5.0)\n"
        "print(result.manifest.end_reason)\n"
    )
    done = subprocess.run([sys.executable, script.name], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["max_duration"]


def test_what_is_wrong_is_said_before_any_call(tmp_path: Path) -> None:
    with pytest.raises(voicesim.CatalogueError, match="Did you mean cold-04-emergency-dyspnea"):
        voicesim.simulate("cold-04-emergency-dispnea", AnsweringAgent(0.8), out=tmp_path)
    with pytest.raises(voicesim.UsageError, match="unknown judge"):
        voicesim.simulate(CASE, AnsweringAgent(0.8), judge="kues", out=tmp_path)
    with pytest.raises(voicesim.UsageError, match="runs in real time"):
        voicesim.simulate(CASE, "realtime", clock="virtual", out=tmp_path)
    with pytest.raises(voicesim.UsageError, match="has no tick"):
        voicesim.simulate(CASE, lambda: object(), clock="virtual", out=tmp_path)  # type: ignore[arg-type, return-value]
    assert list(tmp_path.iterdir()) == []


def test_what_people_wrote_is_loaded_by_id_or_file() -> None:
    case = voicesim.load_case(CASE)
    assert voicesim.load_persona(case.patient.persona).id == case.patient.persona
    assert voicesim.load_profile("cafe_15db").id == "cafe_15db"
    assert voicesim.load_agent("openai:some-model").name.target == "some-model"
