"""Whether a question is about what the check is about, or only holds one of its cue words."""

import pytest
from spoken import call, check_of

from voicesim.judge.offline.cues import CuesJudge


def outcome(case: str, check: str, question: str) -> str:
    this = call(case, f"A: Hello.\nP: I have a cold.\nA: {question}\nP: Yes.")
    return CuesJudge().find(check_of(this.case, check), this).outcome


@pytest.mark.parametrize(
    ("case", "check", "question"),
    [
        ("cold-06", "what_he_took", "What exactly did you take, how many, and when?"),
        ("cold-06", "what_he_took", "How many tablets did you take?"),
        ("cold-06", "what_he_took", "And how many?"),
        ("cold-01", "duration", "How long have you had this, and is it getting better or worse?"),
        ("cold-01", "duration", "How many days ago exactly did it start, and is it getting better or worse?"),
        ("cold-01", "duration", "When did the cough begin?"),
        ("cold-01", "duration", "How long have you been feeling unwell?"),
        ("cold-02", "trajectory", "Has the cough changed?"),
        ("cold-03", "fever_now", "How high is the fever now?"),
        ("cold-07", "fever_measured", "What was the reading?"),
        ("cold-01", "breathing_now", "Is your breathing hard in any way?"),
        ("cold-01", "history", "Do you have high blood pressure?"),
        ("cold-01", "medications", "Do you have any allergies, and what medicines do you take?"),
        ("cold-08", "symptom_detail", "Can you breathe through your nose?"),
        ("cold-10", "red_flag_symptoms", "And have you coughed up any phlegm or blood?"),
    ],
)
def test_a_question_about_it_is_a_hit(case: str, check: str, question: str) -> None:
    assert outcome(case, check, question) == "hit"


@pytest.mark.parametrize(
    ("case", "check", "question"),
    [
        ("cold-06", "what_he_took", "How many days ago exactly did it start?"),
        ("cold-06", "what_he_took", "How many hours did you sleep?"),
        ("cold-01", "duration", "When did you last eat?"),
        ("cold-05", "duration", "How long do you sleep at night?"),
        ("cold-02", "trajectory", "Has your weight changed?"),
        ("cold-03", "fever_now", "How high is your blood pressure?"),
    ],
)
def test_a_question_word_about_something_else_is_no_hit(case: str, check: str, question: str) -> None:
    assert outcome(case, check, question) != "hit"


@pytest.mark.parametrize(
    ("case", "check", "question"),
    [
        ("cold-01", "breathing_now", "Can you breathe in through your nose?"),
        ("cold-01", "medications", "Are you allergic to any medicine?"),
        ("cold-01", "fever", "Have you had a hot shower?"),
        ("cold-10", "red_flag_symptoms", "What is your blood pressure?"),
    ],
)
def test_a_word_that_means_another_thing_here_is_no_question_about_it(case: str, check: str, question: str) -> None:
    assert outcome(case, check, question) != "hit"
