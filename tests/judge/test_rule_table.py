"""The table of rules: each row works, has its place in the docs, and another package can add one."""

import re
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from spoken import shipped, transcript
from tool_events import tool

from voicesim.catalog.load import load_case
from voicesim.catalog.model import Case
from voicesim.errors import CatalogueError
from voicesim.judge.base import Call
from voicesim.judge.code.decide import Rule, decide
from voicesim.judge.code.tools_succeeded import ToolsSucceeded
from voicesim.recording.events import Event
from voicesim.registry import RULES

DOCS = Path(__file__).parents[2] / "docs" / "cases.md"
Write = Callable[..., Path]


@pytest.mark.parametrize("name", list(RULES))
def test_every_rule_is_one_class_under_its_own_name_and_has_its_place_in_the_docs(name: str) -> None:
    model = RULES.load(name)
    assert issubclass(model, Rule)
    assert model.model_fields["type"].default == name
    assert model.__doc__
    assert RULES.row(name).about
    (line,) = re.findall(rf"^- `{name}` \((.*?)\):", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    settings = set(re.findall(r"`(\w+)`", line))
    assert settings == set(model.model_fields) - {"type"}


def test_a_case_keeps_all_settings_of_its_rules() -> None:
    case = shipped("clinic-01")
    again = Case.model_validate(case.model_dump(mode="json"))
    assert again == case
    assert {type(check.rule) for check in again.rubric if check.rule} <= {RULES.load(name) for name in RULES}
    assert Case.model_validate_json(case.model_dump_json()) == case


THEIRS = """
from typing import Literal
from voicesim.judge.base import Finding
from voicesim.judge.code.decide import Rule

class Short(Rule):
    type: Literal["short"] = "short"
    seconds: float

    def decide(self, call):
        return Finding("hit" if call.transcript.duration <= self.seconds else "miss")
"""


def test_a_rule_of_another_package_loads_and_decides(
    write: Write, case_text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "their_rules.py").write_text(THEIRS)
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint("short", "their_rules:Short", "voicesim.rules")
    monkeypatch.setattr("voicesim.parts.entry_points", lambda group: [point] if group == "voicesim.rules" else [])
    RULES.__dict__.pop("rows", None)
    try:
        rule = "    kind: code\n    rule: {type: short, seconds: 60}\n"
        swap = (
            '    kind: avoid\n    weight: 0.2\n    expect: "Does not offer antibiotics."\n',
            f'{rule}    weight: 0.2\n    expect: "Is short."\n',
        )
        path = write("a.yaml", case_text, swap, ('    violation: "The agent offers antibiotics."\n', ""))
        check = load_case(path).rubric[2]
        assert check.rule is not None
        assert decide(check.rule, Call(shipped("cold-01"), transcript("A: Hello."))).outcome == "hit"
        broken = path.with_name("b.yaml")
        broken.write_text(path.read_text().replace("seconds: 60", "secnds: 60"))
        with pytest.raises(CatalogueError, match="Did you mean seconds"):
            load_case(broken)
    finally:
        RULES.__dict__.pop("rows", None)


def outcome(rule: ToolsSucceeded, *events: tuple[Event, ...]) -> str:
    flat = tuple(event for pair in events for event in pair)
    return rule.decide(Call(shipped("cold-01"), transcript("A: Hello."), flat)).outcome


def test_that_every_tool_call_succeeded_is_missed_by_any_refusal() -> None:
    listed, booked = tool(1, "list_slots", {"ok": True}), tool(2, "book", {"ok": True})
    refused = tool(3, "book", {"ok": False, "error": "the slot is taken"})
    unclear = tool(4, "book", {"slots": []})
    every = ToolsSucceeded()
    assert outcome(every, listed, booked) == "hit"
    assert outcome(every, listed, refused, booked) == "miss"
    assert outcome(every, listed, unclear) == "cannot_assess"
    assert outcome(every, refused, unclear) == "miss"
    assert outcome(every) == "cannot_assess"
    of_book = ToolsSucceeded(tools=("book",))
    assert outcome(of_book, listed) == "not_applicable"
    assert outcome(of_book, tool(1, "list_slots", {"ok": False}), booked) == "hit"


def test_the_refusals_are_shown_with_the_servers_words() -> None:
    finding = ToolsSucceeded().decide(
        Call(shipped("cold-01"), transcript("A: Hello."), tool(3, "book", {"ok": False, "error": "the slot is taken"}))
    )
    assert (finding.tag, finding.happened) == ("tool_not_used", True)
    assert "the slot is taken" in finding.reason
    assert [seen.start for seen in finding.seen] == [3]
