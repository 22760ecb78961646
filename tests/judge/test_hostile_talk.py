"""What a stranger's transcript holds can keep no step busy: each goes over a long text once."""

import time
from pathlib import Path

import pytest
from spoken import shipped, transcript

from voicesim.errors import RecordingError
from voicesim.judge.base import Call
from voicesim.judge.offline.cues import CuesJudge
from voicesim.language.values import read_line
from voicesim.metrics.measure import measure_transcript
from voicesim.recording import files
from voicesim.transcript.model import LONGEST_TEXT, MOST_TEXT, Transcript

SLOW = ("yes? ", "yes. ", "? ", "a@a.", "take 5 mg ", "if you ", "not ")
"""In each of these some step looked from every place at every other."""


@pytest.mark.parametrize("piece", SLOW)
def test_a_long_turn_is_judged_and_measured_in_seconds(piece: str) -> None:
    text = piece * (4_000 // len(piece))
    call = Call(shipped("cold-01"), transcript(f"A: Hello.\nP: Can I take something?\nA: {text}\nP: Okay."))
    judge = CuesJudge()
    begun = time.thread_time()
    outcomes = [judge.find(check, call) for check in call.case.rubric]
    measure_transcript(call.transcript)
    assert len(outcomes) == len(call.case.rubric)
    assert time.thread_time() - begun < 10


def test_a_list_of_numbers_is_read_once() -> None:
    begun = time.thread_time()
    _, values = read_line("1," * 6_000)
    assert len(values) == 6_000
    assert time.thread_time() - begun < 5


def test_a_bound_is_found_right_before_its_number_only() -> None:
    _, values = read_line(f"at least {'well ' * 40}5 mg, and not more than 8 mg")
    assert [getattr(place.value, "bound", "") for place in values] == ["", "<="]


@pytest.mark.parametrize("texts", [1, MOST_TEXT // LONGEST_TEXT + 1])
def test_a_transcript_of_more_than_can_be_said_is_refused(tmp_path: Path, texts: int) -> None:
    made = transcript("\n".join(["A: Hello."] * texts))
    length = LONGEST_TEXT + 1 if texts == 1 else LONGEST_TEXT
    long = made.model_copy(
        update={"utterances": tuple(each.model_copy(update={"text": "a" * length}) for each in made.utterances)}
    )
    files.save(tmp_path, files.TRANSCRIPT, long)
    with pytest.raises(RecordingError, match=r"transcript\.json"):
        files.load(tmp_path, files.TRANSCRIPT, Transcript)
