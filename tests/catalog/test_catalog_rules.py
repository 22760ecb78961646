"""Checks that code decides: what their rules may look like, and what a refusal says."""

from collections.abc import Callable
from pathlib import Path

import pytest

from voicesim.catalog.load import load_case
from voicesim.catalog.problems import problems_of
from voicesim.errors import CatalogueError
from voicesim.judge.code.tool_order import ToolOrder

Write = Callable[..., Path]

REST = '  - {id: rest, group: close, kind: tell, weight: 0.3, expect: "Recommends rest."}\n'
BACKEND = "backend: {kind: clinic, state: {slots: [{id: s1, free: true}]}}\nrubric:\n"


def with_rest(write: Write, case_text: str, check: str) -> Path:
    """The small case with its second check (lines 14 and on) replaced by another of the same weight."""
    head = f"  - id: rest\n    group: close\n    weight: 0.3\n    expect: Rests.\n{check}"
    return write("a.yaml", case_text, (REST, head), ("rubric:\n", BACKEND))


def told(path: Path) -> list[tuple[int | None, str, str]]:
    with pytest.raises(CatalogueError) as caught:
        load_case(path)
    return [(one.line, one.key, one.message) for one in problems_of(caught.value)]


def test_a_rule_loads_as_what_its_type_says(write: Write, case_text: str) -> None:
    rule = "    rule: {type: tool_order, first: verify_patient, then: [book]}\n"
    case = load_case(with_rest(write, case_text, "    kind: code\n" + rule))
    assert case.rubric[1].rule == ToolOrder(first="verify_patient", then=("book",))
    assert case.backend is not None
    assert case.backend.state == {"slots": [{"id": "s1", "free": True}]}


@pytest.mark.parametrize(
    ("check", "key", "message"),
    [
        ("    kind: code\n", "rubric[rest].rule", "needs a `rule`"),
        ("    kind: tell\n    first: {kind: ask, expect: Asks.}\n", "rubric[rest].first", "kind ordered"),
        ("    kind: ordered\n    first: {kind: ask, expect: Asks.}\n", "rubric[rest].then", "which need it"),
        ("    kind: code\n    rule: {type: tool_oder}\n", "rubric[rest].rule", "Did you mean tool_order"),
        ("    kind: code\n    rule: {tools: [book]}\n", "rubric[rest].rule", "needs a type"),
        (
            "    kind: code\n    rule: {type: tool_order, frist: a, then: [b]}\n",
            "rubric[rest].rule.frist",
            "unknown key. Did you mean first?",
        ),
        ("    kind: code\n    rule: {type: tool_order, then: [b]}\n", "rubric[rest].rule.first", "is missing"),
        (
            "    kind: code\n    rule: {type: words_near, words: [a], within: -1, of: {hangup: true}}\n",
            "rubric[rest].rule.within",
            "should be greater than or equal to 0, not -1",
        ),
        (
            "    kind: code\n    rule: {type: words_near, words: [a], within: 1, of: {hangup: true, tool: book}}\n",
            "rubric[rest].rule.of",
            "exactly one of tool, said and hangup",
        ),
        ("    kind: tell\n    tag: unsafe\n", "rubric[rest].tag", "Did you mean unsafe_advice?"),
    ],
)
def test_a_rule_that_cannot_work_is_refused_at_its_key(
    write: Write, case_text: str, check: str, key: str, message: str
) -> None:
    found = told(with_rest(write, case_text, check))
    assert any(where == key and message in said for _, where, said in found), found


def test_a_list_that_the_state_does_not_have_is_refused_with_the_near_one(write: Write, case_text: str) -> None:
    check = "    kind: code\n    rule: {type: said_times, of: slot}\n"
    ((_, _, message),) = told(with_rest(write, case_text, check))
    assert "'slot' of the backend's state. Did you mean slots?" in message


def test_without_a_backend_no_rule_can_look_into_its_state(write: Write, case_text: str) -> None:
    path = with_rest(write, case_text, "    kind: code\n    rule: {type: said_times, of: slots}\n")
    path.write_text(path.read_text().replace(BACKEND, "rubric:\n"))
    ((_, _, message),) = told(path)
    assert "This case has no backend." in message
