from handmade import agent, call, caller

from voicesim.metrics.interruptions import false_yields, interruptions
from voicesim.metrics.measure import measure_transcript


def test_yield_time_runs_from_the_interruption_to_the_last_sample_of_the_reply() -> None:
    # 2.35 - 2.0; both sound from 2.0 to 2.35
    (one,), warnings = interruptions(call(agent((1.0, 2.35)), caller((2.0, 3.0), intent="stop")))
    assert (one.yielded, one.yield_time, one.overlap) == (True, 0.35, 0.35)
    assert (one.agent, one.start, warnings) == ("A1", 2.0, ())


def test_a_reply_that_runs_to_its_end_did_not_yield() -> None:
    (one,), _ = interruptions(call(agent((1.0, 4.0)), caller((2.0, 3.0), intent="stop")))
    assert (one.yielded, one.yield_time, one.overlap) == (False, None, 1.0)


def test_giving_way_after_a_short_stop_has_ended_is_still_yielding() -> None:
    # the patient needs 0.4 s for "Stop", the agent 0.9 s to fall silent
    (one,), _ = interruptions(call(agent((1.0, 2.9)), caller((2.0, 2.4), intent="stop")))
    assert (one.yielded, one.yield_time, one.overlap) == (True, 0.9, 0.4)


def test_pausing_and_talking_on_is_not_yielding() -> None:
    # overlap 2.0-2.3 and 3.2-4.0
    spoken = call(agent((1.0, 2.3)), agent((3.2, 9.0)), caller((2.0, 4.0), intent="stop"))
    (one,), _ = interruptions(spoken)
    assert (one.yielded, one.yield_time, one.overlap) == (False, None, 1.1)


def test_an_answer_after_the_interruption_is_not_part_of_the_interrupted_reply() -> None:
    spoken = call(agent((1.0, 2.3)), caller((2.0, 3.0), intent="stop"), agent((3.5, 9.0)))
    (one,), _ = interruptions(spoken)
    assert one.yield_time == 0.3


def test_a_recording_that_ends_under_the_reply_shows_no_yield() -> None:
    (one,), _ = interruptions(call(agent((1.0, 2.5)), caller((2.0, 2.5), intent="stop"), duration=2.5))
    assert (one.yielded, one.yield_time) == (False, None)


def test_an_interruption_into_silence_is_none_and_is_told_once() -> None:
    metrics = measure_transcript(call(caller((1.9, 2.9), intent="stop"), agent((7.3, 9.0))))
    assert metrics.interruptions == ()
    assert metrics.warnings == ("P1 at 1.90 s was meant to interrupt, but the agent was not speaking",)


def test_stopping_for_a_backchannel_is_a_false_yield_and_talking_on_is_not() -> None:
    aside = caller((2.0, 2.4), intent="ignore")
    assert false_yields(call(agent((1.0, 2.6), cut=True), aside)) == 1
    assert false_yields(call(agent((1.0, 9.0)), aside)) == 0
    # it came to its own end
    assert false_yields(call(agent((1.0, 2.6)), aside)) == 0
    # cut much later, by something else
    assert false_yields(call(agent((1.0, 9.0), cut=True), aside)) == 0
    # said into silence
    assert false_yields(call(agent((5.0, 9.0), cut=True), aside)) == 0


def test_asides_and_answers_are_no_interruptions() -> None:
    spoken = call(agent((1.0, 5.0)), caller((2.0, 2.4), intent="ignore"), caller((4.8, 6.0)))
    assert interruptions(spoken) == ((), ())


def test_a_reply_sent_in_a_moment_is_interrupted_while_it_is_heard_and_not_after() -> None:
    # Ten seconds of sound came in 0.4 s; they are heard from 0.5 to 10.5 s.
    _, warnings = interruptions(call(agent((0.5, 10.5)), caller((11.0, 12.0), intent="stop")))
    assert len(warnings) == 1
    (one,), _ = interruptions(call(agent((0.5, 10.5)), caller((9.0, 10.0), intent="stop")))
    assert one.yield_time == 1.5
