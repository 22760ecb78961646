"""A patient changes its mind where its case says so: another fact stands for the first, asked again or after a turn."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from model_server import FakeServer, model_server
from patients import CASES, begun, shipped

from voicesim.caller.divergence import RecordedLine, mismatch
from voicesim.caller.mind import PatientLine, Said
from voicesim.caller.mind_openai import OpenAIMind
from voicesim.caller.minds import make_mind
from voicesim.catalog.check import check
from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import Case, Fact
from voicesim.recording.events import CallerLine, Event, Heard
from voicesim.suite.audit import line_findings

NO = Fact(id="smoking", says="No, I don't smoke.", cues=("smok", "cigarette"))
YES = Fact(id="smokes", says="Well, to be honest, five a day.", replaces="smoking")
LATE = YES.model_copy(update={"after_turn": 3})


def case_with(*facts: Fact) -> Case:
    case = shipped("cold-01")
    return case.model_copy(update={"patient": case.patient.model_copy(update={"reveal_only_if_asked": facts})})


async def asked(case: Case, *turns: str) -> list[PatientLine]:
    """What the offline patient says to these turns of the agent, one after the other."""
    mind, memory, lines = make_mind("cues", case), begun(case), []
    for heard in turns:
        line = await mind.reply(heard, memory)
        lines.append(line)
        memory.turns += [Said("agent", heard), Said("caller", line.text)]
        memory.released.update(line.facts)
    return lines


async def test_asked_again_the_patient_says_something_else_and_keeps_to_it() -> None:
    lines = await asked(case_with(NO, YES), "Do you smoke?", "Really, you never smoke?", "So you smoke, do you?")
    assert [line.facts for line in lines] == [("smoking",), ("smokes",), ("smokes",)]
    assert [line.text for line in lines[:2]] == [NO.says, YES.says]
    assert lines[2].text.endswith("five a day.")
    assert lines[2].text != YES.says


async def test_after_a_turn_the_patient_never_says_the_first() -> None:
    # The greeting was the first turn that was answered.
    lines = await asked(case_with(NO, LATE), "How are you feeling?", "Is it getting better?", "Do you smoke?")
    assert lines[2] == PatientLine(YES.says, facts=("smokes",))
    lines = await asked(case_with(NO, LATE), "Do you smoke?", "Is it getting better?", "Any cigarettes at all?")
    assert [line.facts for line in lines] == [("smoking",), (), ("smokes",)]


async def test_a_second_change_of_mind_follows_the_first() -> None:
    more = Fact(id="smokes_more", says="All right, it is a pack.", replaces="smokes")
    lines = await asked(case_with(NO, YES, more), *["Do you smoke?"] * 4)
    assert [line.facts for line in lines] == [("smoking",), ("smokes",), ("smokes_more",), ("smokes_more",)]


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with model_server() as fake:
        yield fake


async def test_a_model_is_offered_the_fact_that_stands_and_nothing_of_the_other(server: FakeServer) -> None:
    case = case_with(NO, YES)
    mind = OpenAIMind(case, server.model())
    server.decides("smoking").says("No, I don't smoke.")
    memory = begun(case)
    assert (await mind.reply("Do you smoke?", memory)).facts == ("smoking",)
    assert [fact["id"] for fact in server.data(0)["facts"]] == ["smoking"]
    memory.turns += [Said("agent", "Do you smoke?"), Said("caller", "No, I don't smoke.")]
    memory.released.add("smoking")
    server.decides("smokes").says("Well, honestly, five a day.")
    assert (await mind.reply("You never smoke?", memory)).facts == ("smokes",)
    assert server.data(2)["facts"] == [{"id": "smokes", "says": YES.says, "about": list(NO.cues), "given": False}]
    assert server.data(3)["told_before"] == [NO.says]
    memory.released.add("smokes")
    server.decides().says("Okay.")
    await mind.reply("I see.", memory)
    assert server.data(5)["told_before"] == [YES.says]


def test_the_change_is_not_given_away_before_its_moment() -> None:
    case = case_with(NO, Fact(id="smokes", says="Twenty cigarettes a day, Marlboro.", replaces="smoking"))
    line = PatientLine("Twenty cigarettes a day.", facts=("smoking",))
    found = list(line_findings(spoken("Do you smoke?", line), case))
    assert found[0].reason == "caller_leaked_fact"


def spoken(heard: str, line: PatientLine) -> list[Event]:
    said = CallerLine(t=1, text=line.text, spoken="", intent="respond", kind="line", facts=line.facts, start=1, end=2)
    return [Heard(t=0.9, text=heard, start=0.0, end=0.5), said]


def test_the_audit_takes_a_change_at_its_moment_and_finds_one_before_it() -> None:
    case = case_with(NO, YES)
    first, second = PatientLine(NO.says, facts=("smoking",)), PatientLine(YES.says, facts=("smokes",))
    events = [*spoken("Do you smoke?", first), *spoken("Really never?", second)]
    assert list(line_findings(events, case)) == []
    (early,) = line_findings(spoken("Do you smoke?", second), case)
    assert (early.reason, early.text) == ("caller_leaked_fact", YES.says)
    assert "before the patient was to change its mind" in early.detail


def test_a_recorded_change_of_mind_answers_the_same_question() -> None:
    line = RecordedLine("You never smoke?", YES.says, ("smokes",))
    assert mismatch(line, "Do you smoke at all?", case_with(NO, YES), {"smoking"}, set()) is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"id": "fever_2", "says": "A little.", "replaces": "fevr"},
            "replaces 'fevr', which is no fact before it. Did you mean fever?",
        ),
        ({"id": "fever_2", "says": "A little.", "replaces": "fever_2"}, "is no fact before it"),
        ({"id": "fever_2", "says": "A little.", "after_turn": 2}, "after_turn, which says when it `replaces` another"),
        ({"id": "fever_2", "says": "A little.", "replaces": "fever", "after_turn": 0}, "greater than or equal to 1"),
    ],
)
def test_check_says_what_is_wrong_with_a_change(tmp_path: Path, change: dict[str, object], message: str) -> None:
    data = yaml.safe_load((CASES / "cold-01-andi.yaml").read_text())
    data["patient"]["reveal_only_if_asked"].append(change)
    path = tmp_path / "case.yaml"
    path.write_text(yaml.safe_dump(data))
    (problem,) = check([path], Catalogue.here()).problems
    assert message in str(problem)


def test_two_facts_cannot_replace_the_same(tmp_path: Path) -> None:
    data = yaml.safe_load((CASES / "cold-01-andi.yaml").read_text())
    data["patient"]["reveal_only_if_asked"] += [
        {"id": name, "says": "A little.", "replaces": "fever"} for name in ("fever_2", "fever_3")
    ]
    (tmp_path / "case.yaml").write_text(yaml.safe_dump(data))
    (problem,) = check([tmp_path / "case.yaml"], Catalogue.here()).problems
    assert "'fever_2' and 'fever_3' both replace 'fever'" in str(problem)
