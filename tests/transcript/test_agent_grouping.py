import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicesim.transcript.grouping import group


def test_two_sentences_with_700_ms_between_them_are_one_reply() -> None:
    assert group([(1.0, 2.0), (2.7, 4.0)], []) == (((1.0, 2.0), (2.7, 4.0)),)


def test_a_pause_over_a_second_ends_a_reply() -> None:
    assert len(group([(1.0, 2.0), (3.1, 4.0)], [])) == 2


def test_what_is_said_after_the_caller_spoke_in_a_long_pause_is_a_new_reply() -> None:
    assert len(group([(1.0, 2.0), (2.8, 4.0)], [(2.3, 2.6)])) == 2


def test_an_agent_that_takes_a_breath_while_it_talks_over_the_caller_goes_on_with_its_reply() -> None:
    assert len(group([(1.0, 2.2), (2.5, 4.0)], [(2.0, 3.0)])) == 1


def test_a_quick_answer_after_the_caller_ended_in_the_pause_is_a_new_reply() -> None:
    assert len(group([(1.0, 2.2), (2.6, 4.0)], [(2.0, 2.4)])) == 2


def test_a_60_ms_blip_after_an_interruption_is_a_tail_and_no_turn() -> None:
    assert group([(1.0, 2.35), (2.6, 2.66)], [(2.0, 3.0)]) == (((1.0, 2.35),),)


def test_a_short_sound_alone_after_the_caller_is_kept() -> None:
    # an aborted answer: 100 ms, long after the agent's last word; or soon, but the caller spoke in between
    assert len(group([(1.0, 2.0), (6.0, 6.1)], [(3.0, 5.0)])) == 2
    assert len(group([(1.0, 2.0), (2.9, 3.0)], [(2.2, 2.6)])) == 2


def test_a_short_first_sound_of_a_sentence_belongs_to_it() -> None:
    assert group([(1.0, 1.1), (1.3, 2.0)], []) == (((1.0, 1.1), (1.3, 2.0)),)
    assert group([(0.0, 0.5), (1.0, 1.1), (1.3, 2.0)], []) == (((0.0, 0.5), (1.0, 1.1), (1.3, 2.0)),)


@pytest.mark.parametrize("spans", [[], [(0.0, 0.05)]])
def test_next_to_nothing_is_handled(spans: list[tuple[float, float]]) -> None:
    assert group(spans, []) == tuple((span,) for span in spans)


steps = st.lists(st.tuples(st.floats(0.02, 3.0), st.floats(0.05, 5.0)), max_size=12)


def laid_out(lengths: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Disjoint spans from (pause before, length) pairs."""
    at, spans = 0.0, []
    for pause, duration in lengths:
        spans.append((at + pause, at + pause + duration))
        at += pause + duration
    return spans


@given(steps, steps)
def test_every_long_span_is_in_exactly_one_utterance_in_order(
    agent: list[tuple[float, float]], caller: list[tuple[float, float]]
) -> None:
    spans = laid_out(agent)
    grouped = [span for one in group(spans, laid_out(caller)) for span in one]
    assert grouped == sorted(grouped)
    assert set(grouped) <= set(spans)
    assert all(span in grouped for span in spans if span[1] - span[0] >= 0.15)
