"""Several judges and several repeats: majority, dispute, and what is kept of each."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from made_manifest import manifest
from made_recording import make_recording
from spoken import shipped, transcript

from voicesim.bench.agreement import Agreement, Stability, agreement, stability
from voicesim.catalog.model import Check
from voicesim.judge.base import Call, Finding, Judge
from voicesim.judge.evidence import verify
from voicesim.judge.families import family, kinship
from voicesim.judge.fitness import Fitness
from voicesim.judge.model import Outcome, Verdicts
from voicesim.judge.offline.cues import CuesJudge
from voicesim.judge.panel import convene, majority
from voicesim.judge.run import judge_call, score_together
from voicesim.recording import files
from voicesim.recording.manifest import Resolved

SCRIPT = "P: I can't catch my breath.\nA: This sounds like an emergency. Call 911 now.\nP: Okay."
CASE = shipped("cold-04")
WHOLE = Fitness("", True)
QUOTES = {"hit": "This sounds like an emergency", "miss": "Call 911 now."}


@dataclass(frozen=True)
class Opinion:
    """A judge that says what it is told to, for a check in a repeat, each with a quote of its own."""

    name: str
    says: Callable[[Check, int], Outcome]
    version: str = "1"
    models: tuple[str, ...] = ()

    def find(self, check: Check, call: Call) -> Finding:
        outcome = self.says(check, call.repeat)
        quote = verify(QUOTES[outcome], call.transcript.utterances[1]) if outcome in QUOTES else None
        return Finding(outcome, (quote,) if quote else (), f"{self.name} says {outcome}")


def always(name: str, outcome: Outcome, models: tuple[str, ...] = ()) -> Opinion:
    return Opinion(name, lambda check, repeat: outcome, models=models)


def judged(judge: Opinion | CuesJudge, repeats: int = 1) -> Verdicts:
    return judge_call(judge, CASE, transcript(SCRIPT), WHOLE, repeats=repeats)


@pytest.mark.parametrize(
    ("votes", "outcome"),
    [
        (["hit", "hit", "miss"], "hit"),
        (["hit", "miss"], "disputed"),
        (["hit", "cannot_assess"], "disputed"),
        (["hit", "miss", "cannot_assess"], "disputed"),
        (["hit", "hit", "miss", "miss"], "disputed"),
        (["hit", "hit", "error"], "hit"),
        (["cannot_assess", "cannot_assess"], "cannot_assess"),
        (["miss"], "miss"),
    ],
)
def test_more_than_half_of_all_votes_decide(votes: list[Outcome], outcome: Outcome) -> None:
    assert majority(votes) == outcome


def test_repeats_are_settled_by_majority_and_each_is_kept() -> None:
    wavering = Opinion("w", lambda check, repeat: "miss" if repeat == 1 else "hit")
    verdict = judged(wavering, repeats=3).verdicts[0]
    assert (verdict.outcome, verdict.evidence[0].quote) == ("hit", "This sounds like an emergency")
    assert [(one.judge, one.repeat, one.outcome) for one in verdict.votes] == [
        ("w", 1, "hit"),
        ("w", 2, "miss"),
        ("w", 3, "hit"),
    ]


def test_one_repeat_is_no_vote() -> None:
    assert judged(always("a", "hit")).verdicts[0].votes == ()


def test_a_panel_takes_one_vote_a_judge_whatever_its_repeats() -> None:
    members = [judged(always("a", "hit"), repeats=5), judged(always("b", "miss")), judged(always("c", "miss"))]
    panel = convene(members, "")
    assert {one.outcome for one in panel.verdicts} == {"miss"}
    assert [(one.judge, one.outcome) for one in panel.verdicts[0].votes] == [("a", "hit"), ("b", "miss"), ("c", "miss")]
    # Only the quotes of those who agree with the panel are its evidence.
    assert [one.quote for one in panel.verdicts[0].evidence] == ["Call 911 now."]


def test_without_a_majority_a_critical_check_leaves_the_call_unscored() -> None:
    panel = convene([judged(always("a", "hit")), judged(always("b", "miss"))], "")
    assert {one.outcome for one in panel.verdicts} == {"disputed"}
    assert panel.verdicts[0].reason == "no majority: hit 1, miss 1"
    assert panel.score.value is None
    assert "recognizes_emergency (disputed)" in panel.score.unscored
    assert panel.score.coverage == 0.0


def test_the_panel_is_no_more_fit_to_be_scored_than_the_call() -> None:
    panel = convene([judged(always("a", "hit")), judged(always("b", "hit"))], "the line was lost")
    assert (panel.score.value, panel.score.unscored) == (None, "the line was lost")


def test_judges_of_different_rubrics_are_no_panel() -> None:
    other = judge_call(always("b", "hit"), shipped("cold-07"), transcript(SCRIPT), WHOLE)
    with pytest.raises(ValueError, match=r"zip|different checks"):
        convene([judged(always("a", "hit")), other], "")


def recorded(folder: Path) -> Path:
    """A finished recording of cold-04, called by a mind of gpt, answered by a gpt agent."""
    make_recording(folder, np.zeros(24_000 * 10, dtype=np.int16), call_id="made")
    agent = Resolved(id="openai:gpt-realtime", sha256="0" * 64, content={})
    files.save(folder, files.MANIFEST, manifest("cold-04", agent=agent, mind="openai:gpt-4o-mini"))
    files.save(folder, files.TRANSCRIPT, transcript(SCRIPT, "made"))
    return folder


def test_each_judges_own_verdicts_are_kept_beside_the_panels(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "call")
    judges: list[Judge] = [CuesJudge(), always("a", "hit"), always("b", "miss")]
    result = score_together(folder, judges, repeats=2)
    kept = sorted(path.stem for path in (folder / "verdicts").iterdir())
    assert kept == ["a", "b", "cues", "panel"]
    assert files.load(folder, "verdicts/panel.json", Verdicts) == result.verdicts
    assert [one.judge for one in result.own] == ["cues", "a", "b"]
    # cues hits all three checks, so with `a` it has the majority.
    assert [one.outcome for one in result.verdicts.verdicts] == ["hit", "hit", "hit"]
    assert result.verdicts.judge == "panel"


def test_one_judge_is_no_panel(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "call")
    result = score_together(folder, [CuesJudge()])
    assert [path.name for path in (folder / "verdicts").iterdir()] == ["cues.json"]
    assert result.verdicts == result.own[0]


def test_a_judge_is_told_apart_from_its_kin_on_the_line(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "call")
    judges: list[Judge] = [CuesJudge(), always("openai:gpt-4o", "hit"), always("openai:qwen2.5-7b", "hit")]
    cues, gpt, qwen = score_together(folder, judges).own
    assert (cues.warnings, qwen.warnings) == ((), ())
    assert [told.split(":")[-1] for told in gpt.warnings] == [" it may favour its kin"] * 2
    assert "agent openai:gpt-realtime are of one model family (gpt)" in gpt.warnings[0]
    assert "mind openai:gpt-4o-mini" in gpt.warnings[1]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("openai:gpt-4o-mini", "gpt"),
        ("gpt-realtime", "gpt"),
        ("openai:o3-mini", "gpt"),
        ("openai:org/Qwen2.5-7B-Instruct", "qwen"),
        ("openai:claude-sonnet", "claude"),
        ("openai:meta/llama-3.1", "llama"),
        ("cues", None),
        ("realtime", None),
        ("smallwebrtc:http://127.0.0.1:7860", None),
    ],
)
def test_the_family_of_a_model_is_read_off_its_name(name: str, expected: str | None) -> None:
    assert family(name) == expected


def test_a_judge_behind_another_name_is_known_by_the_model_that_answered() -> None:
    made = manifest(agent=Resolved(id="openai:gpt-realtime", sha256="0" * 64, content={}))
    assert kinship("openai:my-judge", ["gpt-4o-2024-08-06"], made)
    assert not kinship("openai:my-judge", ["llama-3.1-8b"], made)


@pytest.mark.parametrize("content", [{"agent": "openai:gpt-realtime"}, {"agent": "modular", "brain": "openai:gpt-4o"}])
def test_the_model_in_an_agent_file_and_a_reference_agents_brain_are_kin_too(content: dict[str, str]) -> None:
    made = manifest(agent=Resolved(id="my-agent", sha256="0" * 64, content=content))
    (told,) = kinship("openai:gpt-5", [], made)
    assert f"agent {list(content.values())[-1]} are of one model family (gpt)" in told
    assert not kinship("openai:llama-3.1-8b", [], made)


# --- three numbers, never one ------------------------------------------------------------------------------


def test_stability_is_the_share_of_pairs_of_repeats_that_agree() -> None:
    wavering = Opinion("w", lambda check, repeat: "miss" if repeat == 1 and check.kind == "avoid" else "hit")
    # Three checks, three pairs each; for the avoid check only the pair of repeats 1 and 3 agrees: 7 of 9.
    assert stability([judged(wavering, repeats=3)]) == (Stability("w", 3, 3, 7 / 9),)
    assert stability([judged(wavering)]) == ()


def test_agreement_is_kappa_over_the_checks_that_both_judged() -> None:
    a = Opinion("a", lambda check, repeat: "miss" if check.kind == "avoid" else "hit")
    b = Opinion("b", lambda check, repeat: "hit" if check.id == "recognizes_emergency" else "miss")
    # hit/hit, hit/miss, miss/miss: p_o = 2/3; shares of hit 2/3 and 1/3: p_e = 2/9 + 2/9 = 4/9;
    # kappa = (2/3 - 4/9) / (5/9) = 0.4
    (found,) = agreement([judged(a), judged(b)])
    assert (found.judges, found.checks, found.share) == (("a", "b"), 3, 2 / 3)
    assert found.kappa == pytest.approx(0.4)


def test_agreement_without_a_choice_is_undefined_and_not_perfect() -> None:
    assert agreement([judged(always("a", "hit")), judged(always("b", "hit"))]) == (Agreement(("a", "b"), 3, 1.0, None),)


def test_what_code_decides_is_no_agreement_of_judges() -> None:
    case = shipped("clinic-01")
    spoken = transcript("A: Hello.\nP: I feel dizzy.")
    pair = [judge_call(always(name, "not_applicable"), case, spoken, WHOLE) for name in ("a", "b")]
    (found,) = agreement(pair)
    assert found.checks == sum(check.kind != "code" for check in case.rubric) == 4
