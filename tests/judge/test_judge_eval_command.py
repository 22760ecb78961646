"""`voicesim judge-eval` with repeats and several judges."""

import json
from pathlib import Path
from typing import Any

import pytest
from model_server import KEY, Says, model_server, question_in, schema_in
from typer.testing import CliRunner

from voicesim.bench.exam.items import items
from voicesim.catalog.find import Catalogue
from voicesim.cli.app import build
from voicesim.judge.gold import Gold, append_gold

CASE = "cold-01-andi"
SAID = ("A: Hello, nurse line.", "P: I have a cold.", "A: Do you have any fever?", "P: No.", "A: Goodbye.")


def label(check: str, right: str, **more: Any) -> Gold:
    return Gold(item="x", check=check, label=right, source="human", rater="ann", case=CASE, said=SAID, **more)


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.jsonl"
    rows = [label("fever", "hit"), label("duration", "miss", tag="missed_question"), label("breathing_now", "miss")]
    append_gold(path, rows)
    return path


class Wavering:
    """A model that finds the question about fever each second time, and calls every miss a missed question."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, body: dict[str, Any]) -> Says:
        answer: dict[str, Any] = {"reason": "x", "answer": "no", "evidence": []}
        if "failure" in schema_in(body)["properties"]:
            answer["failure"] = "missed_question"
        if "fever" in question_in(body):
            self.asked += 1
            if self.asked % 2:
                answer |= {"answer": "yes", "evidence": [{"utterance": "A2", "quote": "Do you have any fever?"}]}
        return Says(json.dumps(answer))


def run(gold: Path, *options: str) -> Any:
    return CliRunner().invoke(build(), ["judge-eval", str(gold), *options], env={"COLUMNS": "160"})


def test_repeats_show_stability_beside_validity(gold: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with model_server(Wavering()) as server:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("VOICESIM_CACHE", str(tmp_path / "cache"))
        result = run(gold, "--judge", "openai:m", "--judge-repeats", "3", "--json")
        again = run(gold, "--judge", "openai:m", "--judge-repeats", "3")
        assert len(server.requests) == 3 * 3
    (judge,) = json.loads(result.stdout)["judges"]
    # Fever: hit, miss, hit: one of three pairs the same; the other two checks three of three each.
    assert (judge["stability"]["part"], judge["stability"]["whole"]) == (7, 9)
    assert judge["tables"][0]["confusion"] == {"hit": {"hit": 1}, "miss": {"miss": 2}}
    tags = judge["tags"]
    assert [(tag["tag"], tag["f1"]) for tag in tags["tags"]] == [("missed_question", 1.0)]
    assert (tags["false_alarms"]["part"], tags["false_alarms"]["whole"]) == (0, 1)
    assert "stability: 0.78" in again.output
    assert "false alarms: 0/1" in again.output


def test_several_judges_stand_beside_each_other_check_by_check(
    gold: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with model_server(Wavering()) as server:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("VOICESIM_CACHE", str(tmp_path / "cache"))
        result = run(gold, "--judge", "cues", "--judge", "openai:m")
    lines = [" ".join(line.split()) for line in result.output.splitlines()]
    assert "right, wrong, undecided cues openai:m" in lines
    assert f"{CASE}/fever 1, 0, 0 1, 0, 0" in lines


def test_the_exam_names_the_kind_of_failure_only_where_it_is_plain() -> None:
    rubrics = {
        name: {check.id: check for check in Catalogue.here().case(name).rubric}
        for name in {gold.case for gold in items()}
    }
    named = [gold for gold in items() if gold.tag is not None]
    assert {gold.label for gold in named} == {"miss"}
    assert {gold.tag for gold in named} == {
        "missed_question",
        "missing_advice",
        "unsafe_advice",
        "overreacted",
        "minimized",
    }
    for gold in named:
        kind = rubrics[gold.case][gold.check].kind
        assert (kind == "ask") == (gold.tag == "missed_question")
        assert (kind == "tell") == (gold.tag == "missing_advice")
