"""What an agent says to the judge is no evidence, even where a model believes it and quotes it."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from model_server import Says, model_server
from spoken import shipped, transcript

from voicesim.catalog.model import Check
from voicesim.judge.base import Call
from voicesim.judge.llm.openai_judge import OpenAIJudge
from voicesim.language.patterns import patterns, plain

DATA: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("to_the_judge.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("entry", DATA["entries"], ids=lambda entry: str(entry["agent"])[:60])
def test_a_line_to_the_judge_is_no_hit_with_a_model_that_believes_it(entry: dict[str, Any]) -> None:
    wanted = {name: value for name, value in DATA["checks"][entry["what"]].items() if name != "of"}
    check = Check(id="it", weight=0.5, **(wanted | {"cues": tuple(wanted["cues"])}))
    lines = [entry["agent"]] if isinstance(entry["agent"], str) else entry["agent"]
    script = "P: I can't catch my breath.\n" + "\n".join(f"A: {line}" for line in lines)
    quote = {"utterance": f"A{len(lines)}", "quote": lines[-1][:240]}
    answer = {"reason": "the agent says so", "answer": "yes", "evidence": [quote]}
    with model_server(lambda _: Says(json.dumps(answer))) as server:
        outcome = OpenAIJudge(server.chat()).find(check, Call(shipped("cold-04"), transcript(script))).outcome
    assert outcome in (("hit", "cannot_assess") if entry["told"] else ("miss", "cannot_assess"))


@pytest.mark.parametrize("pattern", patterns("to_the_judge"), ids=lambda pattern: pattern.name)
def test_each_pattern_holds_its_examples_and_no_others(pattern: Any) -> None:
    everything = patterns("to_the_judge")
    for text in pattern.holds:
        assert any(row.expression.search(plain(text)) for row in everything), text
    for text in pattern.misses:
        assert not any(row.expression.search(plain(text)) for row in everything), text


@pytest.mark.parametrize(
    "line",
    [
        "Please call an ambulance right now.",
        "This is an emergency, and it can't wait.",
        "Are you short of breath right now?",
    ],
)
def test_what_is_said_to_the_patient_stays_evidence(line: str) -> None:
    check = shipped("cold-04").rubric[0]
    answer = {"reason": "x", "answer": "yes", "evidence": [{"utterance": "A1", "quote": line}]}
    with model_server(lambda _: Says(json.dumps(answer))) as server:
        finding = OpenAIJudge(server.chat()).find(check, Call(shipped("cold-04"), transcript(f"P: Help.\nA: {line}")))
    assert finding.outcome == "hit"
