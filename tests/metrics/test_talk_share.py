import pytest
from handmade import agent, call, caller

from voicesim.metrics.measure import measure_transcript
from voicesim.metrics.model import DeadAir
from voicesim.metrics.talk_share import dead_air, first_word, overlap, talk, talk_ratio
from voicesim.recording.events import Hangup


def test_talk_counts_sound_and_leaves_pauses_out() -> None:
    spoken = call(agent((0.0, 1.0), (1.5, 3.0)), caller((4.0, 5.0)))
    # agent 1.0 + 1.5, caller 1.0; 2.5 / 3.5
    assert (talk(spoken, "agent"), talk(spoken, "caller")) == (2.5, 1.0)
    assert talk_ratio(2.5, 1.0) == pytest.approx(0.7143)
    assert talk_ratio(0.0, 0.0) is None
    assert talk_ratio(0.0, 2.0) == 0.0


def test_overlap_is_the_time_both_sound() -> None:
    # 2.0-2.35 is shared; the agent's pause 2.35-2.6 is not
    assert overlap(call(agent((1.0, 2.35), (2.6, 2.7)), caller((2.0, 2.65)))) == pytest.approx(0.4)
    assert overlap(call(agent((1.0, 2.0)), caller((2.0, 3.0)))) == 0.0


def test_dead_air_names_who_is_waited_for() -> None:
    spoken = call(agent((4.0, 5.0)), caller((9.0, 10.0)), agent((13.5, 14.0)), duration=20.0)
    assert dead_air(spoken) == (
        DeadAir(start=0.0, end=4.0, waiting_for="agent"),
        DeadAir(start=5.0, end=9.0, waiting_for="caller"),
        DeadAir(start=10.0, end=13.5, waiting_for="agent"),
        DeadAir(start=14.0, end=20.0, waiting_for="caller"),
    )


def test_a_silence_of_exactly_the_limit_is_not_dead_air() -> None:
    assert dead_air(call(agent((0.0, 1.0)), caller((4.0, 5.0)), duration=6.0)) == ()


def test_the_limit_of_dead_air_can_be_set_and_is_told() -> None:
    spoken = call(agent((0.0, 1.0)), caller((3.0, 4.0)), duration=4.5)
    metrics = measure_transcript(spoken, dead_air_limit=1.5)
    assert [(one.start, one.end) for one in metrics.dead_air] == [(1.0, 3.0)]
    assert metrics.dead_air_limit == 1.5
    assert measure_transcript(spoken).dead_air == ()


def test_a_long_pause_inside_an_utterance_waits_for_its_speaker() -> None:
    (one,) = dead_air(call(caller((0.0, 1.0), (5.0, 6.0)), duration=7.0))
    assert (one.start, one.end, one.waiting_for) == (1.0, 5.0, "caller")


def test_a_silent_call_is_one_dead_air_for_the_agent() -> None:
    assert dead_air(call(duration=9.0)) == (DeadAir(start=0.0, end=9.0, waiting_for="agent"),)


def test_after_the_goodbye_that_completes_a_call_nobody_is_waited_for() -> None:
    spoken = call(agent((0.0, 1.0)), caller((5.0, 6.0)), duration=14.0)
    completed = Hangup(t=14.0, by="caller", reason="completed", detail="goodbye said")
    lost = Hangup(t=14.0, by="agent", reason="line_lost", detail="")
    told = measure_transcript(spoken, [completed])
    assert [(one.start, one.end) for one in told.dead_air] == [(1.0, 5.0)]
    assert [turn.outcome for turn in told.turns] == ["farewell"]
    told = measure_transcript(spoken, [lost])
    assert [(one.start, one.end) for one in told.dead_air] == [(1.0, 5.0), (6.0, 14.0)]
    assert [turn.outcome for turn in told.turns] == ["unanswered"]


def test_the_first_word_counts_from_connection() -> None:
    assert first_word(call(caller((0.5, 1.0)), agent((1.7, 2.0)))) == 1.7
