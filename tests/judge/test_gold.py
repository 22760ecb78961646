"""Gold labels: one a line, errors that name the line, raters kept apart."""

from pathlib import Path
from typing import Any

import pytest

from voicesim.errors import UsageError
from voicesim.judge.gold import Gold, Pointed, append_gold, label_of, load_gold


def gold(**changes: Any) -> Gold:
    fields: dict[str, Any] = {
        "item": "call-1",
        "check": "fever",
        "label": "hit",
        "source": "human",
        "rater": "ann",
        "recording": "call-1",
    }
    return Gold(**(fields | changes))


def test_what_is_appended_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "sub" / "gold.jsonl"
    first = gold(evidence=(Pointed(utterance="A1", quote="Any fever?"),), outcome="miss", judge="cues")
    append_gold(path, [first])
    append_gold(path, [gold(rater="bob", label="miss"), gold(check="duration")])
    assert load_gold(path) == (first, gold(rater="bob", label="miss"), gold(check="duration"))


def test_a_torn_last_line_does_not_swallow_the_next_label(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(gold().model_dump_json(), encoding="utf-8")  # no line end
    append_gold(path, [gold(check="duration")])
    assert [one.check for one in load_gold(path)] == ["fever", "duration"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "gold.jsonl:2: Invalid JSON"),
        ('{"item": "x"}', "gold.jsonl:2: check: Field required"),
        (gold(check="b").model_dump_json().replace('"hit"', '"yes"'), "gold.jsonl:2: label: Input should be"),
        (gold(rater="ann").model_dump_json(), "gold.jsonl:2: ann has labelled fever of call-1 before, in line 1"),
        (gold(check="b").model_dump_json()[:-1] + ', "said": ["A: Hi."]}', "gold.jsonl:2: "),
    ],
    ids=["no JSON", "a field missing", "an unknown label", "labelled twice", "two calls at once"],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(f"{gold().model_dump_json()}\n{line}\n", encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        load_gold(path)
    assert told in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere\.jsonl: cannot be read"):
        load_gold(tmp_path / "nowhere.jsonl")


def test_a_label_disputes_the_verdict_it_contradicts() -> None:
    assert not gold(label="hit", outcome="hit").disputes
    assert gold(label="miss", outcome="hit").disputes
    assert not gold(label="unscored", outcome="cannot_assess").disputes
    assert gold(label="hit", outcome="cannot_assess").disputes
    assert gold(label="unscored", outcome="disputed").disputes
    assert not gold().disputes


def test_whatever_was_left_open_agrees_with_unscored() -> None:
    assert [label_of(one) for one in ("hit", "not_applicable", "error", "disputed", "cannot_assess")] == [
        "hit",
        "not_applicable",
        "unscored",
        "unscored",
        "unscored",
    ]
