"""Where a sentence ends, and which ones ask."""

import pytest

from voicesim.language.sentences import is_question, split


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Rest. Drink water! Any fever?", ["Rest.", "Drink water!", "Any fever?"]),
        ("Dr. Smith says 38.5 is high. Go.", ["Dr. Smith says 38.5 is high.", "Go."]),
        ("And now... I can't breathe. Help.", ["And now... I can't breathe.", "Help."]),
        (
            "At 10 a.m. every day. At 10 a.m. Then rest.",
            ["At 10 a.m. every day.", "At 10 a.m.", "Then rest."],
        ),
        ("1. Rest. 2. Fluids.", ["1. Rest.", "2. Fluids."]),
        ("I'm 54. St. John's wort?", ["I'm 54.", "St. John's wort?"]),
        ("He said “Go now.” And left", ["He said “Go now.”", "And left"]),
        ("One\nTwo", ["One", "Two"]),
        ("What?! Really", ["What?!", "Really"]),
        ("", []),
        ("  ", []),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, sentences: list[str]) -> None:
    assert split(text) == sentences


@pytest.mark.parametrize(
    "sentence",
    [
        "You smoke?",
        "Have you had a fever",
        "Okay, and are you taking any medicines",
        "Any allergies",
        "Tell me about your medicines.",
        "Please tell me how long you have had this.",
        "Could you describe the cough.",
        "Can you breathe normally",
        "What medicines do you take",
        "Which symptoms are bothering you",
        "Which tablet did you take",
        "How long have you been coughing",
        "When did it start",
        "You're nine weeks pregnant, right",
        "Before I advise you, do you have any other conditions",
        "First, I need to ask, are you short of breath",
        "Let me know if you have any allergies.",
        "I would like to know if you smoke.",
        "Thank you. How old is she",
    ],
)
def test_a_sentence_that_asks(sentence: str) -> None:
    assert is_question(split(sentence)[-1])


@pytest.mark.parametrize(
    "sentence",
    [
        "When you cough, drink water.",
        "What you have is a cold.",
        "What happens next is that you rest.",
        "Do not take it.",
        "Have some water.",
        "Call an ambulance now.",
        "Should it get worse, call.",
        "Had you told me, fine.",
        "I recommend rest, which is best.",
        "Let me know if it gets worse.",
        "Any fever above 39 needs a doctor.",
        "If you have trouble breathing, call 911.",
        "I'm going to ask a few questions.",
        "Thank you.",
        "",
    ],
)
def test_a_sentence_that_does_not_ask(sentence: str) -> None:
    assert not is_question(sentence)
