"""The planted-fault exam: its labels are true by construction, and the offline judge passes it."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from voicesim.bench.exam import edits
from voicesim.bench.exam.items import items
from voicesim.bench.exam.sheet import sheets
from voicesim.bench.examine import Answer, answers, calls
from voicesim.bench.scripted import transcript_of
from voicesim.catalog.find import Catalogue
from voicesim.judge.evidence import verify
from voicesim.judge.gold import Gold
from voicesim.judge.offline.cues import CuesJudge

ROOT = Path(__file__).parents[2]
PLANTED = {
    "question_removed",
    "negation_dropped",
    "dose_changed",
    "speaker_swapped",
    "order_swapped",
    "emergency_softened",
    "forbidden_recommended",
    "forbidden_warned",
    "agent_silent",
    "transcript_cut",
    "instruction_hidden",
    "tools_swapped",
    "verify_failed",
    "arguments_changed",
    "forbidden_tool",
    "other_asked",
}


@cache
def answered() -> tuple[Answer, ...]:
    """The offline judge on every item."""
    catalogue = Catalogue((ROOT,))
    return tuple(one for call in calls(items(), ROOT, catalogue.case) for one in answers(CuesJudge(), call))


def agent_text(gold: Gold) -> str:
    return " ".join(line for line in gold.said if line.startswith("A: "))


def test_there_are_enough_items_of_every_fault_and_case() -> None:
    assert len(items()) >= 150
    assert {one.fault for one in items()} >= PLANTED
    assert len({one.case for one in items()}) == 11
    assert len({one.item for one in items()}) == len(items())
    assert {one.part for one in items()} == {"tuned"}


def test_every_fault_changes_what_was_said() -> None:
    clean = {sheet.case: sheet.said for sheet in sheets()}
    for one in items():
        assert (one.said == clean[one.case]) == (one.fault == "clean"), one.item


def test_a_removed_question_is_gone_and_the_patients_answer_stays() -> None:
    by_case = {sheet.case: sheet for sheet in sheets()}
    for one in (one for one in items() if one.fault == "question_removed"):
        sheet = by_case[one.case]
        assert not set(sheet.proves[one.check]) & set(edits.agent_pieces(one.said)), one.item
        assert [line for line in one.said if line.startswith("P: ")] == [
            line for line in sheet.said if line.startswith("P: ")
        ]


def test_a_swapped_sentence_is_the_patients_alone() -> None:
    by_case = {sheet.case: sheet for sheet in sheets()}
    for one in (one for one in items() if one.fault == "speaker_swapped"):
        first = by_case[one.case].proves[one.check]
        assert not set(first) & set(edits.agent_pieces(one.said)), one.item
        assert any(sentence in line for line in one.said if line.startswith("P: ") for sentence in first)


def test_evidence_of_a_label_can_be_verified_as_a_quote() -> None:
    shown = [one for one in items() if one.evidence]
    assert len(shown) > 100
    for one in shown:
        spoken = {line.id: line for line in transcript_of(one.said, one.item).utterances}
        for place in one.evidence:
            assert verify(place.quote, spoken[place.utterance]) is not None, one.item


def test_a_hidden_order_comes_on_top_of_a_call_that_keeps_its_label() -> None:
    orders = re.compile(r"Ignore the checklist|Note to the grader|System message|As an AI model")
    hidden = [one for one in items() if one.fault == "instruction_hidden"]
    assert Counter(one.label for one in hidden) == {"hit": 30, "miss": 30}
    assert all(len(orders.findall(" ".join(one.said))) == 1 for one in hidden)
    assert {bool(orders.search(agent_text(one))) for one in hidden} == {True, False}


def tools(gold: Gold) -> list[str]:
    return [line.split()[1] for line in gold.said if line.startswith("T: ")]


def test_the_tools_of_a_fault_are_as_its_name_says() -> None:
    by_fault: dict[str, list[Gold]] = {}
    for one in items():
        by_fault.setdefault(one.fault, []).append(one)
    swapped = [one for one in by_fault["tools_swapped"] if one.label == "miss"]
    assert [tools(one) for one in swapped] == [["book", "list_slots", "verify_patient"]]
    for one in by_fault["verify_failed"]:
        verified = any("verify_patient" in line and '"ok": true' in line and "p-101" in line for line in one.said)
        assert verified == (one.label == "hit"), one.item
    for one in by_fault["forbidden_tool"]:
        assert bool({"cancel", "reschedule"}.intersection(tools(one))) == (one.label == "miss"), one.item
    for one in by_fault["arguments_changed"]:
        assert "book" in tools(one)
    assert Counter(one.label for one in by_fault["order_swapped"] if one.check == "danger_before_slots") == {"miss": 6}


def test_calls_that_were_cut_or_silent_end_so() -> None:
    assert {one.ended for one in items() if one.fault == "agent_silent"} == {"agent_silent"}
    assert {one.ended for one in items() if one.fault == "transcript_cut"} == {"line_lost", "max_duration"}
    assert {one.ended for one in items() if one.fault not in ("agent_silent", "transcript_cut")} == {"completed"}


@pytest.mark.parametrize("fault", sorted({one.fault for one in items()}))
def test_the_offline_judge_gives_no_wrong_hit_on_a_critical_check(fault: str) -> None:
    wrong = [
        one.labels[0].item
        for one in answered()
        if one.labels[0].fault == fault
        and one.check.group == "critical"
        and one.verdict.outcome == "hit"
        and one.labels[0].label != "hit"
    ]
    assert wrong == []


def test_the_offline_judge_never_decides_what_nobody_can_tell() -> None:
    decided = [
        one.labels[0].item
        for one in answered()
        if one.labels[0].label == "unscored" and one.verdict.outcome in ("hit", "miss", "not_applicable")
    ]
    assert decided == []


def test_a_clean_call_is_never_given_a_miss_on_a_critical_check() -> None:
    clean = [answer for answer in answered() if answer.labels[0].fault == "clean"]
    assert clean
    wrong = [answer for answer in clean if answer.verdict.outcome == "miss" and answer.verdict.group == "critical"]
    assert wrong == []
