"""Planted faults: what counts as found, as a false alarm, and as voicesim's own fault."""

from pathlib import Path

import pytest
from suite_on_disk import LATE, Made, make_suite

from voicesim.reference_agents.planted import CLEAN, PLANTED
from voicesim.selftest.faults import DETECTORS, examined, fault_plan

AGENT = "python:voicesim.reference_agents.in_process:"


def test_every_fault_has_a_detector_and_a_call_beside_a_clean_one(tmp_path: Path) -> None:
    assert set(DETECTORS) == set(PLANTED)
    calls = fault_plan(tmp_path / "s", (0, 1, 2)).calls
    agents = [call.order.agent for call in calls]
    assert {agents.count(f"{AGENT}{name}") for name in PLANTED} == {3}
    clean = {(c.order.case.id, c.order.persona.id) for c in calls if c.order.agent == f"{AGENT}{CLEAN.name}"}
    assert {(c.order.case.id, c.order.persona.id) for c in calls} == clean


def test_found_false_and_invalid_are_counted_apart(tmp_path: Path) -> None:
    suite = make_suite(
        tmp_path / "s",
        Made(agent=f"{AGENT}slower", seed=0, latencies=[2.9] * 3),
        Made(agent=f"{AGENT}slower", seed=1, latencies=[1.0] * 3),
        Made(agent=f"{AGENT}slower", seed=2, latencies=[2.9] * 3, validity=LATE),
        Made(agent=f"{AGENT}cuts_patient_off", cut_ins=2),
        Made(agent=f"{AGENT}clean", seed=0, latencies=[1.0] * 3),
        Made(agent=f"{AGENT}clean", seed=1, latencies=[2.5] * 3),
    )
    result = examined(suite)
    rows = {row.fault: row for row in result.rows}
    slower = rows["slower"]
    # Found in one of two valid calls, and once in a clean one: precision 1 / 2, F1 = 2 / (2 + 1 + 1).
    assert (slower.n, slower.found, slower.false, slower.invalid) == (2, 1, 1, 1)
    assert (slower.precision, slower.recall, slower.f1) == (0.5, 0.5, 0.5)
    assert rows["cuts_patient_off"].by == ("measure cut_ins",)
    # F1 of 0.5 and 1.
    assert result.macro_f1 == pytest.approx(0.75)
    assert result.blamed is not None
    assert result.blamed.value == 0.5
    assert not result.passed


def test_all_found_and_nobody_blamed_passes(tmp_path: Path) -> None:
    suite = make_suite(
        tmp_path / "s",
        Made(agent=f"{AGENT}never_asks_breathing", score=None, checks={"breathing_now": "not_heard"}),
        Made(agent=f"{AGENT}clean", checks={"breathing_now": "hit"}, latencies=[1.0]),
    )
    assert examined(suite).passed


def test_without_a_clean_call_nothing_is_said_of_false_alarms(tmp_path: Path) -> None:
    result = examined(make_suite(tmp_path / "s", Made(agent=f"{AGENT}slower", latencies=[2.9])))
    assert result.blamed is None
    assert not result.passed


def test_an_agent_may_hang_up_first_when_it_has_said_goodbye(tmp_path: Path) -> None:
    suite = make_suite(
        tmp_path / "s",
        Made(agent=f"{AGENT}drops_call", end_reason="agent_hung_up", last_words="How many days ago exactly did it"),
        Made(agent=f"{AGENT}clean", end_reason="agent_hung_up", last_words="Take care and get well soon. Goodbye."),
    )
    assert examined(suite).passed
