import pytest
from handmade import agent, call, caller

from voicesim.metrics.measure import measure_transcript
from voicesim.metrics.turns import turns
from voicesim.transcript.model import Utterance


def outcomes(*utterances: Utterance) -> list[tuple[str, str, float | None]]:
    return [(one.caller, one.outcome, one.latency) for one in turns(call(*utterances))]


def test_latency_runs_from_the_last_caller_sample_to_the_first_agent_sample() -> None:
    # 2.8 - 2.0
    (turn,) = turns(call(caller((1.0, 2.0)), agent((2.8, 3.5))))
    assert (turn.latency, turn.agent, turn.agent_start, turn.caller_end) == (0.8, "A1", 2.8, 2.0)


def test_an_agent_that_starts_before_the_caller_ends_cuts_in_and_is_left_out_of_every_mean() -> None:
    metrics = measure_transcript(call(caller((1.0, 2.0)), agent((1.9, 3.0)), caller((4.0, 5.0)), agent((5.5, 6.0))))
    assert metrics.cut_ins == 1
    assert [turn.outcome for turn in metrics.turns] == ["cut_in", "answered"]
    assert metrics.response_latency.values == (0.5,)


@pytest.mark.parametrize(("onset", "outcome"), [(1.9, "cut_in"), (3.4, "answered")])
def test_speaking_into_a_hesitation_is_a_cut_in_and_speaking_after_it_is_not(onset: float, outcome: str) -> None:
    (turn,) = turns(call(caller((0.0, 1.5), (2.2, 3.0)), agent((onset, 5.0))))
    assert turn.outcome == outcome
    assert turn.latency == (None if outcome == "cut_in" else 0.4)


def test_speech_that_was_running_before_is_no_answer() -> None:
    # the agent talks over the whole line and answers at 4.0: 4.0 - 2.0
    assert outcomes(agent((0.0, 3.0)), caller((1.0, 2.0)), agent((4.0, 5.0))) == [("P1", "answered", 2.0)]
    assert outcomes(agent((0.0, 3.0)), caller((1.0, 2.0))) == [("P1", "unanswered", None)]


def test_of_two_lines_before_an_answer_the_last_has_the_latency() -> None:
    assert outcomes(caller((1.0, 2.0)), caller((10.0, 11.0)), agent((12.0, 13.0))) == [
        ("P1", "unanswered", None),
        ("P2", "answered", 1.0),
    ]


def test_backchannels_and_interruptions_have_no_latency_and_hide_no_answer() -> None:
    found = outcomes(
        caller((1.0, 2.0)),
        caller((2.5, 2.8), intent="ignore"),
        agent((3.0, 9.0)),
        caller((5.0, 5.5), intent="stop"),
    )
    assert found == [("P1", "answered", 1.0)]


def test_three_answers_and_one_aborted_after_100_ms() -> None:
    metrics = measure_transcript(
        call(
            *(
                part
                for n in range(3)
                for part in (caller((10.0 * n, 10.0 * n + 1)), agent((10.0 * n + 1.9, 10.0 * n + 4)))
            ),
            caller((30.0, 31.0)),
            agent((31.9, 32.0)),
        )
    )
    assert (metrics.response_latency.n, metrics.response_latency.median) == (3, 0.9)
    assert [turn.outcome for turn in metrics.turns].count("aborted") == 1


def test_a_blip_before_the_answer_is_not_its_onset() -> None:
    assert outcomes(caller((1.0, 2.0)), agent((2.3, 2.4)), agent((4.0, 6.0))) == [("P1", "answered", 2.0)]


def test_a_slow_turn_is_the_maximum() -> None:
    starts = (0.8, 0.8, 5.0, 0.8)
    parts = [
        part
        for n, latency in enumerate(starts)
        for part in (caller((10.0 * n, 10.0 * n + 1)), agent((10.0 * n + 1 + latency, 10.0 * n + 7)))
    ]
    metrics = measure_transcript(call(*parts))
    assert metrics.response_latency.max == 5.0
    assert [turn.caller for turn in metrics.turns if turn.latency == 5.0] == ["P3"]


def test_a_call_without_speech_has_no_figures_rather_than_zeros() -> None:
    metrics = measure_transcript(call(duration=2.0))
    assert metrics.response_latency.model_dump() == {
        "n": 0, "median": None, "p90": None, "p95": None, "max": None, "values": (),
    }  # fmt: skip
    assert (metrics.talk_ratio, metrics.first_word) == (None, None)


def test_a_call_of_interruptions_alone_has_no_turns() -> None:
    assert outcomes(agent((0.0, 3.0)), caller((1.0, 2.0), intent="stop")) == []


@pytest.mark.parametrize(
    ("murmur", "text", "outcome"),
    [
        ((2.1, 2.6), "Mm-hmm.", "answered"),
        ((2.1, 2.6), "I see. Okay.", "answered"),
        ((2.1, 2.6), "Okay, and since when?", "cut_in"),
        ((2.1, 2.6), "", "cut_in"),
        ((2.1, 3.3), "Mm-hmm.", "cut_in"),  # longer than a second
        ((3.8, 4.4), "Okay.", "cut_in"),  # the patient does not go on after it
    ],
)
def test_a_murmur_while_the_patient_goes_on_is_no_cut_in(murmur: tuple[float, float], text: str, outcome: str) -> None:
    heard = agent(murmur).model_copy(update={"text": text})
    (turn,) = turns(call(caller((1.0, 2.0), (2.7, 4.0)), heard, agent((4.8, 6.0))))
    assert turn.outcome == outcome
    assert turn.latency == (0.8 if outcome == "answered" else None)
