"""What the transcriber made out of next to nothing proves nothing, for any judge."""

import pytest
from spoken import call, check_of, transcript

from voicesim.judge.base import Call
from voicesim.judge.evidence import verify
from voicesim.judge.offline.cues import CuesJudge

UNDECIDED = ("not_heard", "cannot_assess")


def unsure(call: Call, *guesses: str, probability: float = 0.05) -> Call:
    """The call with a probability for some words of the agent; without any, for all."""
    utterances = tuple(
        utterance.model_copy(
            update={
                "words": tuple(
                    word.model_copy(update={"probability": probability})
                    if not guesses or word.text.strip(".,?!").lower() in guesses
                    else word
                    for word in utterance.words
                )
            }
        )
        if utterance.side == "agent"
        else utterance
        for utterance in call.transcript.utterances
    )
    return Call(call.case, call.transcript.model_copy(update={"utterances": utterances}), call.events)


PROVED = [
    ("cold-04", "directs_emergency_care", "hit", "P: I feel ill.\nA: Call an ambulance right now.", ("ambulance",)),
    ("cold-01", "breathing_now", "hit", "P: I have a cold.\nA: Are you short of breath?", ("short", "breath")),
    ("cold-09", "no_nsaid_combo", "miss", "P: My body aches.\nA: Take some ibuprofen tonight.", ("ibuprofen",)),
    ("cold-01", "fever", "hit", "P: I have a cold.\nA: Have you had a fever?", ("fever",)),
    ("cold-08", "avoids_decongestant", "miss", "P: My nose is blocked.\nA: Please take Sudafed.", ("sudafed",)),
    ("cold-02", "smoking", "hit", "P: I cough.\nA: Do you smoke?", ("smoke",)),
]


@pytest.mark.parametrize(("case", "check", "outcome", "script", "cue"), PROVED, ids=[row[1] for row in PROVED])
def test_a_guess_decides_nothing(case: str, check: str, outcome: str, script: str, cue: tuple[str, ...]) -> None:
    heard = call(case, script)
    judge, asked = CuesJudge(), check_of(heard.case, check)
    assert judge.find(asked, heard).outcome == outcome
    assert judge.find(asked, unsure(heard)).outcome in UNDECIDED
    assert judge.find(asked, unsure(heard, *cue)).outcome in UNDECIDED
    assert judge.find(asked, unsure(heard, probability=0.4)).outcome == outcome


@pytest.mark.parametrize("probability", [0.0, 0.05, 0.09])
def test_a_quote_of_guesses_is_refused(probability: float) -> None:
    script = "P: I can't breathe.\nA: Call an ambulance right now."
    (guess,) = unsure(call("cold-04", script), probability=probability).transcript.of("agent")
    assert verify("Call an ambulance right now", guess) is None
    (sure,) = transcript(script).of("agent")
    assert verify("Call an ambulance right now", sure) is not None


def test_one_doubtful_word_leaves_a_quote_standing() -> None:
    heard = unsure(call("cold-04", "P: I can't breathe.\nA: Call an ambulance right now."), "right")
    assert verify("Call an ambulance right now", heard.transcript.of("agent")[0]) is not None
