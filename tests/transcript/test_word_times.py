from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicesim.stt.model import HeardWord
from voicesim.transcript.words import SHORTEST_WORD, clamp, fit, without_loops


def words(*spans: tuple[float, float], texts: str = "") -> list[HeardWord]:
    names = texts.split() or [f"w{n}" for n in range(len(spans))]
    return [HeardWord(text, a, b, 0.9) for text, (a, b) in zip(names, spans, strict=True)]


def test_disordered_and_empty_words_become_monotone_and_at_least_20_ms_long() -> None:
    fitted = fit(words((27.4, 27.4), (27.4, 27.54), (27.9, 27.7)), [(27.0, 28.5)])
    # the first begins at the onset 27.0 (0.4 s away) and keeps its end; the last ends 0.02 s after its start
    assert [(word.start, word.end) for word in fitted] == [(27.0, 27.4), (27.4, 27.54), (27.9, 27.92)]
    assert [word.text for word in fitted] == ["w0", "w1", "w2"]


def test_a_word_dragged_over_32_s_of_silence_ends_with_its_utterance() -> None:
    (word,) = fit(words((2.0, 36.0)), [(2.0, 4.0)])
    assert (word.start, word.end) == (2.0, 4.0)


def test_a_word_that_ends_after_the_file_ends_with_it() -> None:
    fitted = fit(words((29.0, 29.5), (29.5, 30.02)), [(29.1, 30.0)])
    assert fitted[-1].end == 30.0


def test_first_and_last_word_lie_on_the_edges_of_the_sound() -> None:
    fitted = fit(words((0.8, 1.4), (1.4, 1.7)), [(1.0, 2.0)])
    assert [(word.start, word.end) for word in fitted] == [(1.0, 1.4), (1.4, 2.0)]


def test_a_first_word_far_from_the_onset_is_not_dragged_to_it() -> None:
    assert fit(words((3.0, 3.4)), [(1.0, 6.0)])[0].start == 3.0


def test_words_keep_out_of_the_pause_between_voiced_spans() -> None:
    # Whisper let the first word end, and the second begin, in the middle of the pause from 2.0 to 3.0 s
    fitted = fit(words((1.0, 2.3), (2.6, 3.5)), [(1.0, 2.0), (3.0, 4.0)])
    assert [(word.start, word.end) for word in fitted] == [(1.0, 2.0), (3.0, 4.0)]


def test_the_same_word_twelve_times_in_300_ms_is_kept_once_and_told() -> None:
    kept, loops = without_loops(
        words(*[(5.0 + n * 0.025, 5.025 + n * 0.025) for n in range(12)], texts="no " * 12), 5.0, 5.3
    )
    assert [word.text for word in kept] == ["no"]
    assert [(loop.phrase, loop.times) for loop in loops] == [("no", 12)]


def test_no_no_no_over_1_2_s_stays() -> None:
    said = words((0.0, 0.4), (0.4, 0.8), (0.8, 1.2), texts="No, no, no.")
    assert without_loops(said, 0.0, 1.2) == (said, [])


def test_a_phrase_that_runs_past_the_utterance_is_a_loop() -> None:
    # "thank you" five times, of which 0.4 s lie in the utterance: 40 ms a word
    said = words(*[(0.6 + n * 0.5, 1.1 + n * 0.5) for n in range(10)], texts="Thank you. " * 5)
    kept, loops = without_loops([*words((0.0, 0.6), texts="Yes."), *said], 0.0, 1.0)
    assert [word.text for word in kept] == ["Yes.", "Thank", "you."]
    assert (loops[0].phrase, loops[0].times) == ("Thank you.", 5)


def test_nothing_heard_gives_no_words() -> None:
    assert fit([], [(1.0, 2.0)]) == ()
    assert without_loops([], 1.0, 2.0) == ([], [])


moments = st.floats(-5.0, 40.0)


@given(st.lists(st.tuples(moments, moments), max_size=40), st.floats(0.0, 10.0), st.floats(0.0, 20.0))
def test_clamped_words_are_ordered_disjoint_and_inside(
    spans: list[tuple[float, float]], low: float, room: float
) -> None:
    high = low + room
    found = clamp(spans, low, high)
    assert len(found) == len(spans)
    least = min(SHORTEST_WORD, room / len(spans)) if spans else 0.0
    for start, end in found:
        assert low - 1e-9 <= start <= end <= high + 1e-9
        assert end - start >= least - 1e-9
    for (_, end), (start, _) in pairwise(found):
        assert end <= start + 1e-9


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=20))
def test_words_that_are_in_order_already_stay_where_they_are(lengths: list[float]) -> None:
    at, spans = 0.0, []
    for length in lengths:
        spans.append((at, at + length + SHORTEST_WORD))
        at = spans[-1][1]
    for found, given_ in zip(clamp(spans, 0.0, at), spans, strict=True):
        assert found == pytest.approx(given_)
