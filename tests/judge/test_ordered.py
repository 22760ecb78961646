"""Checks of order: both things are found by the judge, their order by the clock."""

import json
from typing import Any

import pytest
from model_server import Says, model_server, question_in, schema_in
from spoken import shipped, transcript

from voicesim.catalog.model import Check, Step
from voicesim.judge.base import Call, Finding
from voicesim.judge.llm.openai_judge import OpenAIJudge
from voicesim.judge.offline.cues import CuesJudge

CHECK = Check(
    id="emergency_first",
    group="must_ask",
    kind="ordered",
    weight=0.1,
    expect="Sends her to emergency care before it asks about anything.",
    first=Step(kind="tell", expect="Tells her to call emergency services.", cues=("emergency", "911")),
    then=Step(kind="ask", expect="Asks about medicines or conditions.", cues=("medicine", "condition")),
)
ANYTHING = CHECK.model_copy(update={"then": Step(kind="ask", expect="Asks about anything else.")})

FIRST = "P: I can't catch my breath.\nA: Call 911 now. Do you take any medicine?"
LATE = "P: I can't catch my breath.\nA: Do you take any medicine?\nP: No.\nA: Then call 911 now."
ONLY_FIRST = "P: I can't catch my breath.\nA: Call 911 now."
ONLY_THEN = "P: I can't catch my breath.\nA: Do you take any medicine?"
NEITHER = "P: I can't catch my breath.\nA: I see."


def by_cues(script: str, check: Check = CHECK) -> Finding:
    return CuesJudge().find(check, Call(shipped("cold-04"), transcript(script)))


@pytest.mark.parametrize(
    ("script", "wrong", "quote"),
    [
        (FIRST, "miss", "Call 911 now."),
        (LATE, "hit", "Do you take any medicine?"),
        (ONLY_FIRST, "miss", "Call 911 now."),
        (ONLY_THEN, "hit", "Do you take any medicine?"),
    ],
    ids=["first", "late", "only first", "only then"],
)
def test_the_offline_judge_is_never_wrong_about_an_order(script: str, wrong: str, quote: str) -> None:
    finding = by_cues(script)
    assert finding.outcome != wrong
    assert finding.evidence[0].quote == quote


def test_nothing_said_of_either_is_no_hit() -> None:
    assert by_cues(NEITHER).outcome != "hit"


def test_it_abstains_where_a_doubtful_moment_could_turn_the_order_round() -> None:
    doubtful = "P: I can't breathe.\nA: Your medicines, I see.\nP: Yes.\nA: Your condition.\nP: Yes.\nA: Call 911 now."
    assert by_cues(doubtful).outcome == "cannot_assess"


def test_without_cues_any_question_about_the_patient_counts_and_the_greeting_does_not() -> None:
    greeted = "A: How can I help?\nP: I can't catch my breath.\nA: Call 911 now. Where are you?"
    assert by_cues(greeted, ANYTHING).outcome != "miss"
    late = "P: I can't catch my breath.\nA: When did it start?\nP: Now.\nA: Call 911."
    assert by_cues(late, ANYTHING).outcome != "hit"


DANGER = "If you faint or get chest pain, call an ambulance at once."


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        (f"I have Thursday at nine thirty free. {DANGER}", "miss"),
        (f"Doctor Lim is free on Thursday at 9:30. {DANGER}", "miss"),
        (f"We have an appointment available on Friday at two thirty. {DANGER}", "miss"),
        (f"{DANGER} I have Thursday at nine thirty free.", "hit"),
        (f"{DANGER} We have an appointment available on Friday.", "hit"),
        ("That is for the doctor to answer. I have Thursday at nine thirty free.", "miss"),
        ("That's a question for the nurse. We have an appointment available on Friday.", "miss"),
        ("Should you keel right over, don't muck about. I have Thursday at nine thirty free.", "not_heard"),
    ],
)
def test_two_sentences_of_one_line_are_in_the_order_they_were_said(said: str, outcome: str) -> None:
    case = shipped("clinic-01")
    (check,) = [check for check in case.rubric if check.id == "danger_before_slots"]
    call = Call(case, transcript(f"P: Hello, I've been feeling dizzy since this morning.\nA: {said}"))
    assert CuesJudge().find(check, call).outcome == outcome


def answered(
    script: str, first: dict[str, Any], then: dict[str, Any], *repaired: dict[str, Any]
) -> tuple[Finding, Any]:
    """The model judge's finding with these answers to the two halves (and to a repair), and its requests."""
    texts = [json.dumps({"reason": "because", "first": first, "then": then})]
    texts += [json.dumps({"reason": "because", "first": first, "then": one}) for one in repaired]
    with model_server(lambda _: Says(texts.pop(0))) as server:
        finding = OpenAIJudge(server.chat("m")).find(CHECK, Call(shipped("cold-04"), transcript(script)))
    return finding, server.requests


def yes(utterance: str, quote: str) -> dict[str, Any]:
    return {"answer": "yes", "evidence": [{"utterance": utterance, "quote": quote}]}


NO = {"answer": "no", "evidence": []}


def test_the_model_quotes_and_code_compares() -> None:
    finding, (request,) = answered(FIRST, yes("A1", "Call 911 now"), yes("A1", "Do you take any medicine"))
    assert finding.outcome == "hit"
    # P1 lasts 2.5 s, A1 begins at 3.5 s: "Call" at 3.5 s, "Do" is its fourth word (5.0 s).
    assert [one.start for one in finding.evidence] == [3.5, 5.0]
    assert set(schema_in(request)["properties"]) == {"reason", "first", "then", "failure", "failure_note"}
    assert "Tells her to call emergency services." in question_in(request)


def test_a_model_cannot_call_the_wrong_order_right() -> None:
    finding, _ = answered(LATE, yes("A2", "Then call 911 now."), yes("A1", "Do you take any medicine?"))
    assert (finding.outcome, finding.evidence[0].quote) == ("miss", "Do you take any medicine?")


def test_what_never_came_comes_after_nothing() -> None:
    assert answered(ONLY_FIRST, yes("A1", "Call 911 now"), NO)[0].outcome == "hit"
    assert answered(ONLY_THEN, NO, yes("A1", "Do you take any medicine?"))[0].outcome == "miss"
    cannot = {"answer": "cannot_tell", "evidence": []}
    assert answered(ONLY_FIRST, yes("A1", "Call 911 now"), cannot)[0].outcome == "cannot_assess"


def test_a_quote_that_does_not_hold_decides_nothing_and_is_asked_for_once_more() -> None:
    wrong, right = yes("A1", "Do you take any pills?"), yes("A1", "Do you take any medicine?")
    finding, requests = answered(FIRST, yes("A1", "Call 911 now"), wrong, right)
    assert (finding.outcome, len(requests)) == ("hit", 2)
    finding, _ = answered(FIRST, yes("A1", "Call 911 now"), wrong, wrong)
    assert finding.outcome == "cannot_assess"
