"""How soon the patient answers: got - drawn, by hand; and whom it cuts off."""

import pytest
from handmade import agent, call, caller

from voicesim.metrics.measure import measure_transcript
from voicesim.metrics.reply_time import reply_time
from voicesim.metrics.turns import turns
from voicesim.recording.events import CallerLine


def line(start: float, end: float, drawn: float | None) -> CallerLine:
    return CallerLine(t=start, text="x", spoken="x", intent="respond", start=start, end=end, drawn=drawn)


def test_excess_is_what_the_patient_took_beyond_the_silence_it_drew() -> None:
    transcript = call(agent((1.0, 3.0)), caller((3.9, 5.0)), agent((6.0, 7.5), (7.9, 9.0)), caller((10.5, 12.0)))
    measured = reply_time(transcript, [line(3.89, 5.0, 0.4), line(10.49, 12.0, 1.2)])
    assert measured is not None
    # 3.9 - 3.0 - 0.4 and 10.5 - 9.0 - 1.2
    assert [reply.excess for reply in measured.replies] == pytest.approx([0.5, 0.3])
    assert [reply.got for reply in measured.replies] == pytest.approx([0.9, 1.5])
    assert (measured.excess.n, measured.excess.median, measured.excess.max) == (2, 0.4, 0.5)
    assert (measured.cut_off.count, measured.cut_off.n) == (0, 2)
    assert [(reply.caller, reply.agent) for reply in measured.replies] == [("P1", "A1"), ("P2", "A2")]


def test_lines_that_answer_nothing_and_older_recordings_have_no_reply_time() -> None:
    transcript = call(caller((2.0, 4.0)), agent((5.0, 7.0)))
    assert reply_time(transcript, [line(2.0, 4.0, None)]) is None
    assert reply_time(transcript, []) is None
    assert measure_transcript(transcript, [line(2.0, 4.0, None)]).reply_time is None


@pytest.mark.parametrize(
    ("goes_on", "cut_off"),
    [
        (5.5, True),  # still speaking at 6.0
        (6.2, True),  # 0.2 s after the patient began: nobody reacts so fast
        (6.4, False),  # 0.4 s after: an answer to the patient's voice, which is the agent's cut-in
    ],
)
def test_a_reply_into_a_turn_that_was_not_over_cut_it_off(goes_on: float, cut_off: bool) -> None:
    transcript = call(agent((1.0, 5.0)), caller((6.0, 8.0)), agent((goes_on, 9.0)))
    measured = reply_time(transcript, [line(6.0, 8.0, 0.3)])
    assert measured is not None
    (reply,) = measured.replies
    assert (reply.cut_off, reply.got is None, reply.excess is None) == (cut_off, cut_off, cut_off)
    assert (measured.cut_off.count, measured.cut_off.share) == (int(cut_off), float(cut_off))


def test_an_agent_that_was_cut_off_has_not_cut_in() -> None:
    went_on = call(agent((1.0, 5.0)), caller((6.0, 8.0)), agent((6.2, 9.0)))
    assert [turn.outcome for turn in turns(went_on)] == ["cut_off"]
    cut_in = call(agent((1.0, 5.0)), caller((6.0, 8.0)), agent((6.4, 9.0)))
    assert [turn.outcome for turn in turns(cut_in)] == ["cut_in"]
    # The patient was the last to speak: whatever comes into its next line is a cut-in.
    second = call(agent((1.0, 5.0)), caller((6.0, 8.0)), caller((9.0, 11.0)), agent((9.2, 12.0)))
    assert [turn.outcome for turn in turns(second)] == ["unanswered", "cut_in"]
    assert measure_transcript(went_on).cut_ins == 0


def test_a_slow_reply_is_told_in_a_warning_and_dead_air_waits_for_the_patient() -> None:
    transcript = call(agent((1.0, 3.0)), caller((6.2, 8.0)), agent((9.0, 10.0)), duration=10.0)
    metrics = measure_transcript(transcript, [line(6.2, 8.0, 0.5)])
    # 6.2 - 3.0 - 0.5 = 2.7
    assert "P1: the patient answered 2.7 s later than its persona does" in metrics.warnings
    (silence,) = metrics.dead_air
    assert silence.waiting_for == "caller"
