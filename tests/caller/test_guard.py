"""Lines that would spoil a call are found before they are spoken; honest ones pass."""

import pytest
from patients import all_shipped, begun, shipped

from voicesim.caller.cleaning import first_line
from voicesim.caller.guard import problem
from voicesim.caller.opening import check_opening, opening_problem
from voicesim.catalog.model import Case
from voicesim.errors import CatalogueError


def reason(case: Case, text: str, heard: str = "I see.", facts: tuple[str, ...] = ()) -> str | None:
    found = problem(text, case, begun(case), heard, facts)
    return found.reason if found else None


@pytest.mark.parametrize(
    "text",
    [
        "How can I help you today?",
        "Sure. What can I do for you?",
        "I am an AI language model.",
        "As an AI, I don't get sick.",
        "You should rest and drink plenty of water.",
        "I recommend you see a doctor.",
        "Do you have any allergies?",
        "Are you taking anything for it?",
        "Your symptoms are mild.",
        "Thank you for calling the nurse line.",
        "I will stay in character.",
    ],
)
def test_the_other_sides_words_are_a_role_flip(text: str) -> None:
    assert reason(shipped("cold-01"), text) == "caller_role_flip"


@pytest.mark.parametrize(
    "text",
    [
        "*coughs* It hurts.",
        "(coughs) It hurts.",
        "[sighs] It hurts.",
        "It hurts <break/>",
        "**It hurts.**",
        "Patient: It hurts.",
        "Andi: It hurts.",
        "Here is the line:",
        "- It hurts.",
        "It hurts 😷",
        '{"line": "It hurts."}',
        "See https://example.org",
    ],
)
def test_what_cannot_be_spoken_is_markup(text: str) -> None:
    assert reason(shipped("cold-01"), text) == "caller_markup"


@pytest.mark.parametrize(
    ("start", "text"),
    [
        ("cold-01", "I have high blood pressure."),
        ("cold-01", "I take metformin."),
        ("cold-09", "I take losartan."),
        ("cold-01", "No allergies."),
        ("cold-01", "I skipped a dose last night, I wasn't hungry."),
        ("cold-03", "It was 38.6."),
        ("cold-03", "It was thirty eight point six."),
        ("cold-04", "My daughter isn't here, I'm alone."),
        ("cold-07", "She weighs 12 kilos."),
        ("cold-09", "My sugar was one hundred eighty."),
        ("cold-10", "I smoke, for twenty years now."),
    ],
)
def test_a_fact_that_nobody_asked_for_is_a_leak(start: str, text: str) -> None:
    assert reason(shipped(start), text) == "caller_leaked_fact"


def test_a_leak_names_the_fact_and_the_words() -> None:
    case = shipped("cold-01")
    found = problem("I have high blood pressure.", case, begun(case), "I see.", ())
    assert found is not None
    assert found.detail == "'conditions' was not asked for (high, blood, pressure)"


def test_a_fact_released_now_or_before_is_no_leak() -> None:
    case = shipped("cold-03")
    assert reason(case, "It was 38.6.", facts=("temperature",)) is None
    assert problem("It was 38.6.", case, begun(case, released=("temperature",)), "I see.", ()) is None


def test_a_fact_may_be_called_by_its_cues() -> None:
    case = shipped("cold-10")
    assert reason(case, "I smoke a pack a day, for twenty years.", facts=("smoking",)) is None
    assert reason(shipped("cold-03"), "I smoke a pipe.") == "caller_invented_fact"


@pytest.mark.parametrize(
    ("start", "text", "heard"),
    [
        ("cold-01", "No allergies.", "Do you have allergies?"),
        ("cold-01", "Okay, I'll take the metformin.", "Take your metformin as usual."),
        ("cold-02", "I just want to get better.", "I see."),
        ("cold-01", "Three days now.", "How long?"),
        ("cold-01", "I'm 54.", "How old are you?"),
    ],
)
def test_words_that_the_call_has_already_heard_are_no_leak(start: str, text: str, heard: str) -> None:
    assert reason(shipped(start), text, heard) is None


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("I took ibuprofen for it.", "What did you take?"),
        ("They gave me atorvastatin.", "What do you take?"),
        ("It was 39.2 this morning.", "What was it?"),
        ("For twelve days.", "How long?"),
        ("Yes, I have asthma.", "Do you have asthma?"),
        ("I've been vomiting a lot.", "Anything unusual?"),
    ],
)
def test_what_the_case_does_not_have_is_invented(text: str, heard: str) -> None:
    assert reason(shipped("cold-02"), text, heard) == "caller_invented_fact"


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("No, I don't have asthma.", "Do you have asthma?"),
        ("I'm not sure if I have asthma.", "Do you have asthma?"),
        ("Should I worry about pneumonia?", "See a doctor."),
        ("Okay, I'll call 911.", "Call emergency services."),
        ("So no ibuprofen, okay.", "Do not take ibuprofen."),
        ("Just one thing, I can't sleep.", "Go on."),
        ("Hi, I have to go now.", "Go on."),
    ],
)
def test_denials_questions_and_the_agents_own_words_are_not_invented(text: str, heard: str) -> None:
    assert reason(shipped("cold-02"), text, heard) is None


def test_the_opening_line_is_not_said_twice() -> None:
    case = shipped("cold-01")
    first = case.patient.says_first
    assert reason(case, first) == "caller_repeats"
    assert reason(case, f"Well, {first.lower().replace(',', '')}") == "caller_repeats"
    assert reason(case, "As I said, a dry cough that gets worse at night.") is None


def test_the_agents_question_does_not_come_back() -> None:
    case = shipped("cold-01")
    heard = "Thank you. And where does it hurt the most?"
    assert reason(case, "Where does it hurt the most?", "Where does it hurt the most?") == "caller_repeats"
    assert reason(case, "Hmm. And where does it hurt the most?", heard) == "caller_repeats"
    assert reason(case, "Okay. Thank you.", "Okay. Thank you.") is None


def test_a_line_may_be_sixty_words_long_and_the_facts_come_on_top() -> None:
    case = shipped("cold-01")
    assert reason(case, "well " * 60) is None
    assert reason(case, "well " * 61) == "caller_too_long"
    # The fact `allergies` is two words long.
    assert reason(case, "well " * 61, facts=("allergies",)) is None
    assert reason(case, "...") == "caller_silent"


@pytest.mark.parametrize("case", all_shipped(), ids=lambda case: case.id)
def test_the_words_of_the_case_pass_when_they_are_due(case: Case) -> None:
    for fact in case.patient.reveal_only_if_asked:
        assert reason(case, fact.says, facts=(fact.id,)) is None
    for line in case.patient.insists.says if case.patient.insists else ():
        assert reason(case, line) is None


def test_only_the_first_line_of_what_a_model_writes_is_speech() -> None:
    assert first_line("\n  Yes  please. \nStay in character.") == "Yes please."
    assert first_line('"Yes please."') == "Yes please."
    assert first_line('"Yes" and "no".') == '"Yes" and "no".'
    assert first_line(" \n ") == ""


@pytest.mark.parametrize("case", all_shipped(), ids=lambda case: case.id)
def test_every_shipped_opening_line_may_be_spoken(case: Case) -> None:
    assert opening_problem(case) is None


@pytest.mark.parametrize(
    ("start", "says_first", "fact"),
    [
        ("cold-01", "I have a cold, high blood pressure and type two diabetes.", "conditions"),
        ("cold-01", "I have a cold. I take amlodipine and metformin.", "medicines"),
        ("cold-01", "I have a cold, and I skipped the metformin last night.", "skipped_metformin"),
        ("cold-01", "I have a cold and no allergies.", "allergies"),
        ("cold-03", "I had a fever of 38.6 yesterday.", "temperature"),
        ("cold-09", "I have a cold, and my sugar was 180.", "sugar"),
        ("cold-10", "I've smoked a pack a day for twenty years.", "smoking"),
    ],
)
def test_an_opening_line_that_gives_a_fact_away_is_refused(start: str, says_first: str, fact: str) -> None:
    case = shipped(start)
    case = case.model_copy(update={"patient": case.patient.model_copy(update={"says_first": says_first})})
    with pytest.raises(CatalogueError, match=f"it gives away the fact '{fact}'") as caught:
        check_opening(case)
    assert (caught.value.file, caught.value.key) == (case.id, "patient.says_first")


def test_an_opening_line_may_touch_on_a_fact_without_telling_it() -> None:
    case = shipped("cold-01")
    for says_first in (
        "I have diabetes and a cold.",
        "I have a cold. One of my tablets is metformin.",
        "Allergies, maybe?",
    ):
        touched = case.model_copy(update={"patient": case.patient.model_copy(update={"says_first": says_first})})
        assert opening_problem(touched) is None
