"""The audit of the patient: what it may not have told, and a voice that nobody understands."""

from pathlib import Path

import numpy as np
import pytest

from voicesim.audio.samples import Wave
from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import Case
from voicesim.recording.events import CallerLine, Event, Heard
from voicesim.recording.manifest import Validity, bare_manifest
from voicesim.stt.model import Hearing
from voicesim.suite.audit import Audit, audit, audited, line_findings
from voicesim.testing import ScriptedAgent, run_call


@pytest.fixture
def case() -> Case:
    return Catalogue.here().case("cold-01-andi")


def heard(text: str) -> Heard:
    return Heard(t=5.0, text=text, start=4.0, end=5.0)


def line(text: str, *facts: str) -> CallerLine:
    return CallerLine(t=6.0, text=text, spoken=text, intent="respond", kind="line", facts=facts, start=6.0, end=7.0)


def reasons(case: Case, *events: Event) -> list[str]:
    return [finding.reason for finding in line_findings(events, case)]


def test_a_fact_that_was_asked_for_is_fine(case: Case) -> None:
    assert reasons(case, heard("Do you have any allergies?"), line("No allergies.", "allergies")) == []
    # A request without a mark, as transcribers write.
    assert reasons(case, heard("now your allergies"), line("No allergies.", "allergies")) == []


def test_a_fact_that_nobody_asked_for_was_leaked(case: Case) -> None:
    assert reasons(case, heard("I see."), line("No allergies.", "allergies")) == ["caller_leaked_fact"]


def test_words_of_a_fact_that_was_not_released_are_a_leak(case: Case) -> None:
    found = list(line_findings([heard("I see."), line("I have high blood pressure.")], case))
    assert [finding.reason for finding in found] == ["caller_leaked_fact"]
    assert found[0].text == "I have high blood pressure."


def test_what_the_case_does_not_have_and_the_agents_lines_are_found(case: Case) -> None:
    assert reasons(case, heard("What do you take?"), line("I take ibuprofen.")) == ["caller_invented_fact"]
    assert reasons(case, heard("Hello?"), line("How can I help you today?")) == ["caller_role_flip"]


def test_what_was_asked_before_the_last_line_asks_for_nothing_now(case: Case) -> None:
    events: list[Event] = [heard("Any allergies?"), line("Let me think."), line("No allergies.", "allergies")]
    assert reasons(case, *events) == ["caller_leaked_fact"]


class Understands:
    """Hears the same words in every stretch."""

    def __init__(self, text: str) -> None:
        self._text = text

    def transcribe(self, wave: Wave, language: str) -> Hearing:
        assert np.abs(wave).max() > 0
        return Hearing(self._text, (), language)


@pytest.mark.parametrize(
    ("understood", "valid"), [("one two three four five six seven eight nine ten", True), ("no", False)]
)
def test_a_voice_that_nobody_understands_spoils_the_call(
    tmp_path: Path, case: Case, understood: str, valid: bool
) -> None:
    opening = "One two three four five six seven eight nine ten."
    recording = run_call(tmp_path / "c", ScriptedAgent([(9.0, 10.0)]), opening=opening, max_duration=8.0).recording
    patient = case.patient.model_copy(update={"says_first": opening})
    found = audit(recording, case.model_copy(update={"patient": patient}), Understands(understood))
    assert found.valid is valid
    assert found.wer_clean == (0.0 if valid else 1.0)


def test_the_first_finding_makes_a_valid_call_invalid_with_its_line() -> None:
    manifest = bare_manifest("c", "cues", "virtual").model_copy(update={"validity": Validity(valid=True)})
    assert audited(manifest, Audit()) is manifest
    finding = {"t": 6.0, "text": "I have asthma.", "reason": "caller_invented_fact", "detail": "the case has none"}
    spoiled = audited(manifest, Audit.model_validate({"findings": [finding]}))
    assert spoiled.validity == Validity(
        valid=False, reason="caller_invented_fact", detail="at 6.00 s, 'I have asthma.': the case has none"
    )
    earlier = manifest.model_copy(update={"validity": Validity(valid=False, reason="late_harness")})
    assert audited(earlier, Audit.model_validate({"findings": [finding]})) is earlier


def test_a_line_that_the_agent_cut_by_hanging_up_is_no_word_that_was_not_understood(tmp_path: Path, case: Case) -> None:
    # 12 words of 0.3 s each: the line would end long after the agent has hung up at 2 s.
    words = "I have had a sore throat and a cough for three days"
    call = run_call(tmp_path / "c", ScriptedAgent(hang_up=2.0), opening=words)
    assert call.manifest.end_reason == "agent_hung_up"
    assert audit(call.recording, case, Understands("no")).wer_clean is None
