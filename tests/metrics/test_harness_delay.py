"""What voicesim itself may have spoiled by being late is not timed, and is told; everything else stays."""

import pytest
from handmade import agent, call, caller

from voicesim.metrics.measure import measure_transcript
from voicesim.metrics.model import Metrics
from voicesim.recording.events import Event, Late
from voicesim.transcript.model import Transcript

SPOKEN = call(
    agent((0.5, 0.9)),
    caller((1.0, 2.0)),
    agent((2.8, 6.0)),
    caller((5.0, 5.8), intent="stop"),
    caller((10.0, 12.0)),
    agent((11.0, 13.0)),
)


def late(at: float, by: float) -> Late:
    """A tick that left at `at`, `by` seconds after its deadline."""
    return Late(t=at, what="tick", seconds=by)


def measured(*events: Event, spoken: Transcript = SPOKEN) -> Metrics:
    return measure_transcript(spoken, events)


def test_without_late_ticks_everything_is_timed() -> None:
    metrics = measured(Late(t=2.5, what="audio", seconds=0.3), Late(t=2.5, what="gap", seconds=0.3))
    assert [turn.latency for turn in metrics.turns] == [0.8, None]  # 2.8 - 2.0, and a cut-in
    assert [one.yield_time for one in metrics.interruptions] == [1.0]
    assert (metrics.first_word, metrics.warnings) == (0.5, ())


# The tick before a late one left in time, and one of 50 ms late reaches back 70 ms.
@pytest.mark.parametrize("at", [2.0, 2.4, 2.86])
def test_a_latency_is_not_told_when_a_tick_was_late_in_it(at: float) -> None:
    metrics = measured(late(at, 0.05))
    turn = metrics.turns[0]
    assert (turn.outcome, turn.latency, turn.harness_late) == ("answered", None, 0.05)
    assert metrics.response_latency.n == 0
    assert metrics.warnings == ("P1 and A2: not timed, voicesim itself was 50 ms late",)


@pytest.mark.parametrize("at", [1.99, 2.88, 4.0])
def test_a_latency_is_told_when_ticks_were_late_before_or_after(at: float) -> None:
    assert measured(late(at, 0.05)).turns[0].latency == 0.8


def test_the_worst_of_several_is_told() -> None:
    assert measured(late(2.3, 0.05), late(2.3, 0.03), late(2.5, 0.2)).turns[0].harness_late == 0.2


def test_a_yield_time_is_not_told_when_a_tick_was_late_in_it() -> None:
    (one,) = measured(late(5.6, 0.1)).interruptions
    assert (one.yielded, one.yield_time, one.harness_late) == (True, None, 0.1)
    (one,) = measured(late(6.5, 0.1)).interruptions
    assert (one.yield_time, one.harness_late) == (1.0, None)


def test_a_reply_that_ran_to_its_end_did_so_however_late_a_tick_was() -> None:
    spoken = call(agent((1.0, 9.0)), caller((2.0, 3.0), intent="stop"))
    (one,) = measured(late(2.5, 0.1), spoken=spoken).interruptions
    assert (one.yielded, one.harness_late) == (False, None)


def test_a_cut_in_stays_one_and_is_marked() -> None:
    metrics = measured(late(10.5, 0.1))
    assert metrics.cut_ins == 1
    assert metrics.turns[1].harness_late == 0.1


def test_the_first_word_is_not_told_when_a_tick_was_late_before_it() -> None:
    assert measured(late(0.3, 0.1)).first_word is None
    assert measured(late(0.8, 0.1)).first_word == 0.5
