"""How a call ends decides if it can be scored at all."""

import pytest
from made_manifest import manifest
from made_recording import line
from spoken import shipped, transcript

from voicesim.judge.fitness import fitness
from voicesim.judge.offline.cues import CuesJudge
from voicesim.judge.run import judge_call
from voicesim.recording.manifest import Validity
from voicesim.transcript.model import Transcript

WHOLE = transcript("A: Hello.\nP: I have a cold.\nA: Are you short of breath? Any fever?\nP: No.\nA: Rest. Goodbye.")
SILENT = transcript("P: Hello?\nP: Is anybody there?")
EMPTY = transcript("")


@pytest.mark.parametrize("end", ["completed", "caller_hung_up", "agent_hung_up"])
def test_a_call_that_one_side_ended_can_be_scored(end: str) -> None:
    found = fitness(manifest(end_reason=end), WHOLE, ())
    assert (found.unscored, found.whole) == ("", True)


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        ("max_turns", "the call was cut off at its limit of turns"),
        ("max_duration", "the call was cut off at its limit of time"),
        ("agent_silent", "the agent fell silent"),
        ("line_lost", "the line was lost"),
        ("harness_error", "voicesim failed in the middle of the call"),
    ],
)
def test_any_other_end_leaves_it_unscored_with_its_reason(end: str, reason: str) -> None:
    found = fitness(manifest(end_reason=end, end_detail="at 9 s"), WHOLE, ())
    assert (found.unscored, found.whole) == (f"{reason} (at 9 s)", False)


def test_a_call_that_never_ended_is_unscored() -> None:
    assert fitness(manifest(end_reason=None, validity=None), WHOLE).unscored == "the call was never finished"


def test_an_invalid_call_is_unscored_and_its_verdicts_stand() -> None:
    spoilt = Validity(valid=False, reason="late_harness", detail="p99 40 ms")
    found = fitness(manifest(validity=spoilt), WHOLE)
    assert (found.unscored, found.whole) == ("the call is invalid: late_harness (p99 40 ms)", True)


def test_an_empty_transcript_is_unscored() -> None:
    assert fitness(manifest(), EMPTY).unscored == "the transcript is empty"


def test_a_transcript_that_stops_in_the_middle_is_unscored() -> None:
    # WHOLE lasts 0.5 + 2.0 + 3.5 + 0.5 + 1.0 s of words and five gaps of 1 s: 12.5 s; the recording is 30 s long.
    found = fitness(manifest(duration=30.0), WHOLE)
    assert (found.unscored, found.whole) == ("the transcript stops at 12.5 s of 30.0 s", False)
    later = [line(4.0, 5.0), line(20.0, 21.0)]
    found = fitness(manifest(), WHOLE, later)
    assert found.unscored == "the transcript stops at 11.5 s, and the patient spoke at 20.0 s"


def judged(words: Transcript, name: str, **changes: object) -> dict[str, str]:
    made = manifest(name, **changes)
    verdicts = judge_call(CuesJudge(), shipped(name), words, fitness(made, words))
    assert verdicts.score.value is None
    assert verdicts.score.unscored
    assert not verdicts.score.passed
    return {one.check: one.outcome for one in verdicts.verdicts}


@pytest.mark.parametrize("words", [EMPTY, SILENT], ids=["empty", "silent agent"])
@pytest.mark.parametrize("name", ["cold-04", "cold-07", "cold-08", "cold-09"])
def test_an_agent_that_said_nothing_earns_nothing_for_what_it_did_not_say(name: str, words: Transcript) -> None:
    assert set(judged(words, name, end_reason="agent_silent").values()) == {"cannot_assess"}
    assert set(judged(words, name).values()) == {"cannot_assess"}


def test_in_a_cut_call_what_was_said_counts_and_what_was_not_said_proves_nothing() -> None:
    outcomes = judged(WHOLE, "cold-01", end_reason="line_lost")
    assert outcomes["breathing_now"] == outcomes["fever"] == "hit"
    assert outcomes["duration"] == outcomes["chronic_meds_not_blanket"] == "cannot_assess"
    said = transcript("P: Hello.\nA: Take ibuprofen.\nP: Okay.")
    outcomes = judged(said, "cold-09", end_reason="max_duration")
    assert outcomes["no_nsaid_combo"] == "miss"
