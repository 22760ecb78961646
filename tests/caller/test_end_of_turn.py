"""How long the patient waits before it takes the turn: by words, and by the tune of the voice."""

import pytest

from voicesim.caller.end_of_turn import ASKED, ASKED_BEFORE, turn_end

LONGEST = 2.6


@pytest.mark.parametrize(
    ("text", "finished", "silence"),
    [
        ("How long have you had the cough?", 0.98, ASKED),
        ("I'm sorry to hear that. Have you had a fever, or felt hot?", 0.9, ASKED),
        ("Tell me about your symptoms.", 0.9, ASKED),
        ("What are you taking it for?", 0.9, ASKED),
        ("Goodbye, and get well soon.", 0.97, ASKED),
        ("Sorry, I didn't catch that.", 0.97, ASKED),
        ("Do you smoke? I ask because it matters for your lungs.", 0.97, ASKED_BEFORE),
        # Its words are whole, and its tune is not.
        ("Have you missed any doses?", 0.05, ASKED_BEFORE),
        ("Take care and get well soon. Goodbye", 0.03, ASKED_BEFORE),
        # It asked nothing: there may be more.
        ("This is probably a cold.", 0.99, LONGEST),
        ("I will write a note for your doctor.", 0.99, LONGEST),
        ("", 1.0, LONGEST),
        # It broke off: by its tune, by its last word, by its last sign.
        ("How long have you had", 0.2, LONGEST),
        ("Do you have a fever or", 0.9, LONGEST),
        ("Can you tell me about the...", 0.9, LONGEST),
        ("Have you noticed that your,", 0.9, LONGEST),
    ],
)
def test_silence_that_ends_a_turn(text: str, finished: float, silence: float) -> None:
    assert turn_end(text, finished, LONGEST).silence == silence


def test_the_silence_of_the_persona_is_the_longest() -> None:
    assert turn_end("Do you smoke?", 0.9, 0.4).silence == 0.4
    assert turn_end("Do you smoke? I ask for a reason.", 0.9, 1.0).silence == 1.0


@pytest.mark.parametrize(
    ("text", "finished", "called_for"),
    [("Do you smoke?", 0.9, True), ("Do you", 0.1, True), ("This is a cold.", 0.9, False), ("", 1.0, False)],
)
def test_whether_the_words_call_for_a_reply(text: str, finished: float, called_for: bool) -> None:
    assert turn_end(text, finished, LONGEST).called_for == called_for
