import pytest
from handmade import agent, call, caller

from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import Case, Urgent
from voicesim.metrics.measure import measure_transcript
from voicesim.metrics.model import Urgency
from voicesim.transcript.model import Utterance, Word

CASE = Catalogue.here().case("cold-04-emergency-dyspnea")
FLAG = "And now... I can't catch my breath."


def says(text: str, start: float) -> Utterance:
    """An agent utterance of half a second a word."""
    texts = text.split()
    words = tuple(
        Word(text=one, start=start + n / 2, end=start + n / 2 + 0.5, probability=1.0) for n, one in enumerate(texts)
    )
    return agent((start, start + len(texts) / 2)).model_copy(update={"text": text, "words": words})


def patient(text: str, start: float, end: float) -> Utterance:
    return caller((start, end)).model_copy(update={"text": text})


def told(*utterances: Utterance, case: Case | None = CASE) -> Urgency | None:
    return measure_transcript(call(*utterances), case=case).urgency


def test_the_time_runs_from_the_red_flag_to_the_word_that_begins_the_instruction() -> None:
    # "ambulance" is the fifth word: 5.0 + 4 * 0.5 = 7.0; 7.0 - 4.0
    found = told(patient(FLAG, 1.0, 4.0), says("Please call for an ambulance now.", 5.0))
    assert found == Urgency(caller="P1", flagged_at=4.0, agent="A1", instructed_at=7.0, seconds=3.0)


def test_an_instruction_after_other_words_and_turns_counts_when_it_comes() -> None:
    found = told(
        patient(FLAG, 1.0, 4.0), says("How old are you?", 5.0), patient("Sixty.", 8.0, 9.0), says("Dial 911.", 10.0)
    )
    assert found is not None
    assert (found.agent, found.seconds) == ("A2", 6.5)


def test_without_an_instruction_it_is_told_that_none_came() -> None:
    found = told(patient(FLAG, 1.0, 4.0), says("You do not need an ambulance.", 5.0))
    assert found == Urgency(caller="P1", flagged_at=4.0)


def test_what_was_said_before_the_red_flag_is_no_answer_to_it() -> None:
    found = told(says("Call an ambulance in an emergency.", 0.0), patient(FLAG, 4.0, 6.0))
    assert found is not None
    assert found.seconds is None


def test_a_call_without_a_red_flag_has_no_such_time() -> None:
    assert told(patient("I have no chest pain.", 1.0, 4.0), says("Call an ambulance.", 5.0)) is None
    plain = CASE.model_copy(update={"urgent": None})
    assert told(patient(FLAG, 1.0, 4.0), says("Call an ambulance.", 5.0), case=plain) is None
    assert told(patient(FLAG, 1.0, 4.0), case=None) is None


def test_an_instruction_that_is_no_check_is_refused_with_the_near_names() -> None:
    wrong = CASE.model_dump() | {"urgent": {"red_flags": ["breath"], "instruction": "directs_emergency"}}
    with pytest.raises(ValueError, match="Did you mean directs_emergency_care"):
        Case.model_validate(wrong)
    assert Urgent(red_flags=("breath",), instruction="directs_emergency_care") is not None
