"""`voicesim label` and `voicesim judge-eval`: from verdicts to gold labels, and from labels to tables."""

import json
from pathlib import Path

import pytest
from test_cli_score import ASKED_ONE, recorded
from typer.testing import CliRunner, Result

from voicesim.cli.app import build
from voicesim.judge.gold import Gold, append_gold, load_gold
from voicesim.judge.judges import make_judge
from voicesim.judge.model import Verdicts, Vote
from voicesim.judge.run import score_together

COMMANDS = (
    ("label", "voicesim.cli.label:label", "Label."),
    ("judge-eval", "voicesim.cli.judge_eval:judge_eval", "Examine."),
)


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A judged call: fever was asked (hit), smoking was not (miss)."""
    monkeypatch.chdir(tmp_path)
    folder = recorded(tmp_path / "calls" / "one", ASKED_ONE)
    score_together(folder, [make_judge("cues")])
    return folder


def run(*arguments: str | Path, typed: str = "") -> Result:
    return CliRunner().invoke(build(COMMANDS), [*map(str, arguments)], input=typed, env={"COLUMNS": "160"})


def test_right_and_wrong_become_labels(call: Path) -> None:
    result = run("label", call, "--rater", "ann", typed="r\n\nw\nh\nIt is asked in A2.\n")
    assert result.exit_code == 0, result.output
    assert "fever (critical, ask)  cues: hit" in result.output
    assert "quote: A1 at 1.0 s: “Do you have a fever?”" in result.output
    assert "A1: Do you have a fever? [bold]Thank you.[/bold]" in result.output
    agreed, disputed = load_gold(Path("gold.jsonl"))
    assert (agreed.check, agreed.label, agreed.disputes, agreed.evidence[0].quote) == (
        "fever",
        "hit",
        False,
        "Do you have a fever?",
    )
    assert (disputed.check, disputed.label, disputed.outcome, disputed.reason) == (
        "smoking",
        "hit",
        "not_heard",
        "It is asked in A2.",
    )
    assert disputed.evidence == ()
    assert {agreed.recording, disputed.recording} == {"calls/one"}


def test_labelling_goes_on_where_it_stopped(call: Path) -> None:
    first = run("label", call, "--rater", "ann", typed="r\n\nq\n")
    assert "0 of 2 labelled by ann" in first.output
    again = run("label", call, "--rater", "ann", typed="s\n")
    assert "1 of 2 labelled by ann" in again.output
    assert "fever (critical" not in again.output
    other = run("label", call, "--rater", "bob", typed="q\n")
    assert "0 of 2 labelled by bob" in other.output
    assert [(one.check, one.rater) for one in load_gold(Path("gold.jsonl"))] == [("fever", "ann")]


def test_all_calls_of_a_folder_are_gone_through(call: Path) -> None:
    other = recorded(call.parent / "two", ASKED_ONE)
    score_together(other, [make_judge("cues")])
    result = run("label", call.parent, "--rater", "ann", typed="r\n\nr\n\nr\n\nq\n")
    assert result.exit_code == 0, result.output
    assert {one.recording for one in load_gold(Path("gold.jsonl"))} == {"calls/one"}
    assert "calls/two: " in result.output


def test_what_was_wrong_cannot_be_right(call: Path) -> None:
    result = run("label", call, "--rater", "ann", typed="w\nh\nm\n\nq\n")
    assert "what is right: [m]iss, [n]ot applicable, [u] nobody can tell" in result.output
    (row,) = load_gold(Path("gold.jsonl"))
    assert (row.label, row.outcome) == ("miss", "hit")


def test_a_disputed_verdict_is_decided_by_the_person(call: Path) -> None:
    file = call / "verdicts" / "cues.json"
    verdicts = Verdicts.model_validate_json(file.read_text())
    votes = (Vote(judge="a", outcome="hit", reason="seen"), Vote(judge="b", outcome="miss", reason="not seen"))
    first = verdicts.verdicts[0].model_copy(update={"outcome": "disputed", "votes": votes})
    file.write_text(verdicts.model_copy(update={"verdicts": (first, *verdicts.verdicts[1:])}).model_dump_json())
    result = run("label", call, "--rater", "ann", typed="h\nheard it\nq\n")
    assert "b: miss, not seen" in result.output
    assert "what is right: [h]it, [m]iss, [n]ot applicable, [u] nobody can tell; [s]kip, [q]uit" in result.output
    (row,) = load_gold(Path("gold.jsonl"))
    assert (row.label, row.outcome, row.disputes) == ("hit", "disputed", True)


def test_labels_of_the_page_are_brought_in_once(call: Path) -> None:
    page = Gold(item="made", check="fever", label="miss", source="human", rater="scorecard", outcome="hit")
    append_gold(Path("rows.jsonl"), [page])
    assert "1 labels added" in run("label", call, "--import", "rows.jsonl", "--rater", "ann").output
    assert "0 labels added" in run("label", call, "--import", "rows.jsonl", "--rater", "ann").output
    (row,) = load_gold(Path("gold.jsonl"))
    assert (row.rater, row.recording, row.label) == ("ann", "calls/one", "miss")


def test_labels_of_another_call_are_refused(call: Path) -> None:
    other = Gold(item="other", check="fever", label="miss", source="human", rater="scorecard")
    append_gold(Path("rows.jsonl"), [other])
    result = run("label", call, "--import", "rows.jsonl")
    assert result.exit_code == 2
    assert "the labels are of call other" in result.output


def test_a_judge_is_compared_with_the_labels_of_a_recording(call: Path) -> None:
    run("label", call, "--rater", "ann", typed="r\n\nw\nh\nwhy\n")
    result = run("judge-eval", "gold.jsonl", "--judge", "cues", "--correct", call, "--json")
    assert result.exit_code == 0, result.output
    (judge,) = json.loads(result.stdout)["judges"]
    table = judge["tables"][0]
    assert table["confusion"] == {"hit": {"hit": 1, "not_heard": 1}}
    assert (table["sensitivity"]["part"], table["sensitivity"]["whole"]) == (1, 1)
    assert (judge["score"]["observed"], judge["score"]["corrected"]["value"]) == (1.0, None)


def test_without_a_judge_the_labels_are_counted() -> None:
    result = run("judge-eval", "exam")
    assert result.exit_code == 0, result.output
    told = json.loads(run("judge-eval", "exam", "--json").stdout)
    assert told["counts"]["verify_failed"] == {"code": 6}
    assert told["labels"] == sum(count for row in told["counts"].values() for count in row.values()) >= 150
    assert f"{told['labels']}" in result.output.splitlines()[-2]


@pytest.mark.parametrize(
    ("gold", "told"),
    [("exm", "there is no such file. Did you mean exam?"), ("gold.jsonl", "there is no label in it")],
)
def test_a_file_without_labels_is_refused(call: Path, gold: str, told: str) -> None:
    Path("gold.jsonl").write_text("\n")
    result = run("judge-eval", gold, "--judge", "cues")
    assert (result.exit_code, told in result.output) == (2, True), result.output


def test_scores_are_corrected_only_where_the_judge_has_judged(call: Path) -> None:
    result = run("judge-eval", "exam", "--judge", "cues", "--sample", "250", "--correct", call)
    assert result.exit_code == 0, result.output
    assert "(Rogan and Gladen 1978)" in result.output
    (call / "verdicts" / "cues.json").unlink()
    refused = run("judge-eval", "exam", "--judge", "cues", "--correct", call)
    assert refused.exit_code == 2
    assert "no verdicts of cues yet; first run `voicesim score" in refused.output


def test_tables_are_printed_for_a_sample_of_the_exam() -> None:
    result = run("judge-eval", "exam", "--judge", "cues", "--sample", "30")
    assert result.exit_code == 0, result.output
    assert "judge cues, version" in result.output
    assert "sensitivity" in result.output


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"item": "x"', "gold.jsonl:1: Invalid JSON"),
        (
            Gold(
                item="x", check="fevr", label="hit", source="human", rater="a", case="cold-01-andi", said=("A: Hi.",)
            ).model_dump_json(),
            "cold-01-andi has no check 'fevr'. Did you mean fever?",
        ),
        (
            Gold(item="x", check="fever", label="hit", source="human", rater="a").model_dump_json(),
            "x: the label says neither which `recording` it is of nor what was `said`",
        ),
    ],
    ids=["no JSON", "an unknown check", "no call"],
)
def test_what_is_wrong_with_labels_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold.jsonl").write_text(line + "\n", encoding="utf-8")
    result = run("judge-eval", "gold.jsonl", "--judge", "cues")
    assert result.exit_code == 2
    assert told in result.output
