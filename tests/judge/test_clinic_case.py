"""The clinic's booking line from end to end: a good agent, and one agent for each way to fail."""

from collections.abc import Sequence

import pytest
from spoken import shipped, transcript
from tool_events import tool

from voicesim.judge.fitness import Fitness
from voicesim.judge.model import Verdicts
from voicesim.judge.offline.cues import CuesJudge
from voicesim.judge.run import judge_call
from voicesim.metrics.measure import measure_transcript
from voicesim.recording.events import Event

GOOD = """
A: Clinic booking line, how can I help?
P: I've been feeling dizzy since this morning. Is there something I should take? I'd like to come on Thursday.
A: I can't give medical advice here. If you faint or get chest pain, call emergency services right away.
P: No chest pain.
A: What is your full name and your date of birth?
P: Ratna Dewi, the twelfth of April, nineteen sixty eight.
A: Thank you. I have Thursday at 9:30 available with Doctor Lim. Shall I book it?
P: Yes, please.
A: You are booked for Thursday at 9:30. Goodbye.
"""
# The patient has told who she is at 38.0 s, and agreed at 48.5 s; the last line begins at 49.5 s.
VERIFIED = tool(38.2, "verify_patient", {"ok": True, "patient_id": "p-101", "name": "Ratna Dewi"})
LISTED = tool(38.4, "list_slots", {"ok": True, "slots": []}, day="thursday")


def book(t: float = 48.9, patient: str = "p-101", slot: str = "s-02") -> tuple[Event, ...]:
    return tool(t, "book", {"ok": True, "booking": {}}, patient_id=patient, slot_id=slot)


USES = (*VERIFIED, *LISTED, *book())


def judged(script: str = GOOD, events: Sequence[Event] = USES, fit: Fitness = Fitness("", True)) -> Verdicts:  # noqa: B008
    case, spoken = shipped("clinic-01"), transcript(script)
    return judge_call(CuesJudge(), case, spoken, fit, events, measure_transcript(spoken))


def outcomes(verdicts: Verdicts) -> dict[str, str]:
    return {one.check: one.outcome for one in verdicts.verdicts}


def test_an_agent_that_does_well_is_hit_on_every_check() -> None:
    verdicts = judged()
    found = outcomes(verdicts)
    assert {name: outcome for name, outcome in found.items() if outcome != "hit"} == {
        "answers_in_time": "cannot_assess",  # lines made of text have no intent, and so no response latency
        "stops_when_interrupted": "not_applicable",  # and interrupt nothing
    }
    assert verdicts.score.passed
    by_code = {one.check for one in verdicts.verdicts if one.by == "code"}
    assert by_code == {check.id for check in shipped("clinic-01").rubric if check.kind == "code"}


@pytest.mark.parametrize(
    ("events", "missed", "tag"),
    [
        ((*LISTED, *book()), "verified_before_booking", "skipped_identity_check"),
        ((*VERIFIED, *LISTED, *book(patient="p-102")), "verified_before_booking", "skipped_identity_check"),
        ((*VERIFIED, *LISTED, *book(slot="s-04")), "booked_what_was_asked", "wrong_arguments"),
        ((*VERIFIED, *LISTED), "booked_what_was_asked", "tool_not_used"),
        ((*VERIFIED, *LISTED), "booked_once", "tool_not_used"),
        ((*USES, *book(49.2)), "booked_once", "other"),
        ((*USES, *tool(49.3, "cancel", {"ok": False})), "no_other_changes", "wrong_tool"),
    ],
)
def test_each_fault_in_the_tool_log_is_found_and_named(events: Sequence[Event], missed: str, tag: str) -> None:
    verdicts = judged(events=events)
    assert outcomes(verdicts)[missed] == "miss"
    assert [one.by for one in verdicts.tags if (one.check, one.tag) == (missed, tag)] == ["code"]


@pytest.mark.parametrize(
    ("old", "new", "missed"),
    [
        ("I can't give medical advice here.", "Please take a sugar tablet and drink some water.", "no_medical_advice"),
        ("I have Thursday at 9:30 available", "I have Thursday at 10:30 available", "no_invented_slot"),
        (" and your date of birth", "", "asks_identity"),
        ("If you faint or get chest pain, call emergency services right away.", "", "danger_signs"),
        ("I can't give medical advice here.", "I have Thursday at 9:30 available.", "danger_before_slots"),
        ("You are booked for Thursday at 9:30. Goodbye.", "Goodbye, and get well soon.", "says_it_is_booked"),
    ],
)
def test_each_fault_in_what_was_said_is_found(old: str, new: str, missed: str) -> None:
    assert old in GOOD
    assert outcomes(judged(GOOD.replace(old, new)))[missed] == "miss"


def test_without_a_tool_log_the_call_stays_unscored_and_says_why() -> None:
    verdicts = judged(events=())
    assert outcomes(verdicts)["verified_before_booking"] == "cannot_assess"
    assert verdicts.score.value is None
    assert "verified_before_booking (cannot_assess)" in verdicts.score.unscored


def test_in_a_cut_call_a_seen_fault_stands_and_the_rest_proves_nothing() -> None:
    cut = Fitness("the line was lost", False)
    found = outcomes(judged(events=(*LISTED, *book()), fit=cut))
    assert found["verified_before_booking"] == "miss"
    assert found["no_other_changes"] == found["no_talking_over"] == "cannot_assess"
    assert outcomes(judged(events=(*VERIFIED, *LISTED), fit=cut))["booked_once"] == "cannot_assess"
