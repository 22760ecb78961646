"""Rubric files: voicesim's own, HealthBench's lines, plain rows; and what is wrong with one."""

import json
import random
from pathlib import Path

import drafted_rubrics
import pytest

from voicesim.errors import CatalogueError
from voicesim.rubrics.answers import score_answer
from voicesim.rubrics.files import read_rubric, read_rubrics, to_yaml
from voicesim.rubrics.healthbench import write_lines
from voicesim.rubrics.model import Rubric
from voicesim.rubrics.score import mean

AXES = ("accuracy", "completeness", "context_awareness", "communication_quality", "instruction_following")


@pytest.fixture
def drafts() -> dict[str, Rubric]:
    return drafted_rubrics.drafts()


def made_lines(count: int) -> list[dict[str, object]]:
    """Lines as HealthBench writes them; every answer of test_two_hundred_rows does what its first criterion says."""
    draw = random.Random(7)
    lines: list[dict[str, object]] = []
    for number in range(count):
        rows = [{"criterion": f"Says that {number + 3} weeks of cough should be examined.", "points": 6}]
        rows += [{"criterion": "Asks about fever.", "points": draw.randint(1, 7)}]
        rows += [{"criterion": "Recommends codeine syrup.", "points": -draw.randint(5, 10)}]
        tagged = [row | {"tags": [f"axis:{draw.choice(AXES)}", "level:example"]} for row in rows]
        lines.append(
            {
                "prompt_id": f"row-{number}",
                "prompt": [{"role": "user", "content": f"I have coughed for {number + 3} weeks."}],
                "rubrics": tagged,
                "example_tags": [f"theme:{draw.choice(['hedging', 'emergency'])}"],
            }
        )
    return lines


def test_two_hundred_rows_load_score_and_come_back_the_same(tmp_path: Path) -> None:
    lines = made_lines(200)
    path = tmp_path / "bench.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    rubrics = read_rubrics(path)
    assert len(rubrics) == 200
    assert [json.loads(line) for line in write_lines(rubrics).splitlines()] == lines
    # 6 of 6 + the points of asking, of which nothing is asked
    scored = [
        score_answer(each, f"{n + 3} weeks of cough should be examined.").points for n, each in enumerate(rubrics[:20])
    ]
    wanted = [6 / (6 + each.criteria[1].points) for each in rubrics[:20]]
    assert [score.value for score in scored] == pytest.approx(wanted)
    assert mean(scored) == pytest.approx(sum(wanted) / 20)


def test_a_conversation_comes_back_turn_by_turn(tmp_path: Path) -> None:
    turns = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello"},
        {"role": "user", "content": "It hurts"},
    ]
    line = made_lines(1)[0] | {"prompt": turns}
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(line))
    assert json.loads(write_lines(read_rubrics(path)))["prompt"] == turns


def sorted_cues(rubric: Rubric) -> Rubric:
    """A list of cues by its name has an order of its own."""
    rows = (row.model_copy(update={"cues": tuple(sorted(row.cues))}) for row in rubric.criteria)
    return rubric.model_copy(update={"criteria": tuple(rows)})


def test_plain_rows_and_own_form_are_read(tmp_path: Path, drafts: dict[str, Rubric]) -> None:
    rows = [{"criterion": "Asks about fever.", "axis": "Context Awareness", "points": 5}]
    (tmp_path / "rows.json").write_text(json.dumps(rows))
    rubric = read_rubric(tmp_path / "rows.json")
    assert [(row.says, row.axis, row.points, row.kind) for row in rubric.criteria] == [
        ("Asks about fever.", "context_awareness", 5, "ask")
    ]
    whole = drafts["cold-07-pediatric-parent"]
    (tmp_path / "own.yaml").write_text(to_yaml(whole))
    assert sorted_cues(read_rubric(tmp_path / "own.yaml")) == sorted_cues(whole)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.jsonl", "{", "a.jsonl:1: is not JSON"),
        ("a.jsonl", '{"prompt": "x"}', "rubrics"),
        ("a.jsonl", '{"rubrics": [{"criterion": "x", "points": 0}]}', "worth 0 points"),
        ("a.jsonl", '{"rubrics": [{"criterion": "x", "points": 11}]}', "less than or equal to 10"),
        ("a.jsonl", "\n", "no rubric"),
        ("a.yaml", "id: r\nquestion: q\ncriteria:\n- {id: a, says: x, axis: acuracy, points: 3}\n", "a.yaml:4"),
        (
            "a.yaml",
            "id: r\nquestion: q\ncriteria:\n- {id: a, says: x, axis: accuracy, points: 3, facts: [f]}\n",
            "not there",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, name: str, text: str, told: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(CatalogueError, match=told):
        read_rubrics(tmp_path / name)
