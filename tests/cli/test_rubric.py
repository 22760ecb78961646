"""`voicesim rubric` as a user types it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from voicesim.catalog.check import check
from voicesim.catalog.find import Catalogue
from voicesim.cli.app import build

run = CliRunner()
CASE = "cold-06-stacked-paracetamol"


@pytest.fixture
def drafted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    done = run.invoke(build(), ["rubric", "draft", CASE, "-o", "r.yaml"])
    assert done.exit_code == 0, done.output
    return tmp_path / "r.yaml"


def test_from_evidence_to_a_case_that_passes_the_check(drafted: Path) -> None:
    assert "a draft until a person has signed" in drafted.read_text()
    assert run.invoke(build(), ["rubric", "check", "r.yaml"]).exit_code == 0
    assert run.invoke(build(), ["rubric", "to-case", "r.yaml", "-o", "case.yaml"]).exit_code == 0
    assert check([Path("case.yaml")], Catalogue.here()).problems == ()
    text = Path("case.yaml").read_text()
    assert "Wait at least 4 hours between two doses of paracetamol." in text
    assert "published: '2026-12-01'" in text


def test_a_written_file_is_not_written_over(drafted: Path) -> None:
    before = drafted.read_text()
    again = run.invoke(build(), ["rubric", "draft", CASE, "-o", "r.yaml"])
    assert (again.exit_code, drafted.read_text()) == (2, before)


def test_signing_names_the_person_and_an_unknown_criterion_is_told(drafted: Path) -> None:
    wrong = run.invoke(build(), ["rubric", "sign", "r.yaml", "--by", "Dr. A", "--criterion", "nowhere"])
    assert (wrong.exit_code, "has no criterion 'nowhere'" in wrong.output) == (2, True)
    assert run.invoke(build(), ["rubric", "sign", "r.yaml", "--by", "Dr. A"]).exit_code == 0
    assert "by: Dr. A" in drafted.read_text()
    assert "signed" in drafted.read_text().splitlines()[0]


def test_answers_are_scored_and_ranked(drafted: Path) -> None:
    Path("good.txt").write_text("Wait at least four hours between two doses of paracetamol. Do you drink alcohol?")
    Path("bad.txt").write_text("You can take more than 4000 mg of paracetamol in 24 hours.")
    scored = run.invoke(build(), ["rubric", "score", "good.txt", "--rubric", "r.yaml", "--json"])
    data = json.loads(scored.output)
    assert 0 < data["score"] < 1
    assert any(row["met"] and "four hours" in row["quotes"][0] for row in data["criteria"])
    order = run.invoke(build(), ["rubric", "rank", "bad.txt", "good.txt", "--rubric", "r.yaml"])
    lines = order.output.splitlines()
    assert lines[0].strip().startswith("1. good.txt")
    assert "harm: Goes against this: Adults must not take more than 4000 mg" in order.output


def test_a_rubric_is_written_as_lines_of_healthbench(drafted: Path) -> None:
    assert run.invoke(build(), ["rubric", "to-lines", "r.yaml", "-o", "r.jsonl"]).exit_code == 0
    (line,) = map(json.loads, Path("r.jsonl").read_text().splitlines())
    assert line["prompt"][0]["content"].startswith("I've got a cold and body aches")
    assert {"criterion", "points", "tags"} == set(line["rubrics"][0])


def test_a_persons_rubric_is_made_of_a_case_and_its_share_is_told(drafted: Path) -> None:
    assert run.invoke(build(), ["rubric", "from-case", CASE, "-o", "person.yaml"]).exit_code == 0
    told = run.invoke(build(), ["rubric", "eval", "r.yaml", "--reference", "person.yaml"])
    assert "any of them" in told.output
    assert "of the points of person.yaml are covered (by words and entities)" in told.output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["draft", "cold-66"], "cold-66"),
        (["draft", CASE, "--evidence", "nowhere"], "no such folder of evidence"),
        (["check", "nowhere.yaml"], "there is no such file"),
        (["score", "nowhere.txt", "--rubric", "r.yaml"], "nowhere.txt"),
    ],
)
def test_what_is_wrong_is_told_and_ends_with_2(drafted: Path, arguments: list[str], told: str) -> None:
    done = run.invoke(build(), ["rubric", *arguments])
    assert (done.exit_code, told in done.output) == (2, True), done.output
