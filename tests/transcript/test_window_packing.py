import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicesim.audio.samples import RATE
from voicesim.stt.model import HeardWord
from voicesim.transcript.packing import GAP, PAD, WINDOW_SECONDS, Piece, pack, pieces_of, unpack


def ramp(duration: float) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    """Every sample is its own position, so that a copy shows where it came from."""
    return np.arange(round(duration * RATE), dtype=np.float32)


def test_short_utterances_share_a_window_and_words_go_back_to_their_own_time() -> None:
    (window,) = pack(ramp(40.0), [Piece(0, 2.0, 3.0), Piece(1, 30.0, 31.0)])
    first, second = window.slots
    # 0.15 s of pad; 1 s and its pad; 0.5 s of silence; 0.15 s of pad
    assert (first.at, second.at) == pytest.approx((PAD, 3 * PAD + 1.0 + GAP))
    assert window.wave[round(second.at * RATE)] == 30 * RATE
    heard = [HeardWord("one", first.at, first.at + 1, 1.0), HeardWord("two", second.at + 0.2, second.at + 0.4, 1.0)]
    found = unpack(heard, window.slots)
    assert [(n, word.text) for n, word in found] == [(0, "one"), (1, "two")]
    assert [(word.start, word.end) for _, word in found] == [pytest.approx((2.0, 3.0)), pytest.approx((30.2, 30.4))]


def test_a_word_dragged_over_the_silence_goes_where_it_sounds() -> None:
    (window,) = pack(ramp(40.0), [Piece(0, 2.0, 3.0), Piece(1, 30.0, 31.0)])
    first, second = window.slots
    early = HeardWord("two", first.until, second.at + 0.3, 1.0)
    late = HeardWord("one", first.until - 0.3, second.at, 1.0)
    assert [n for n, _ in unpack([late, early], window.slots)] == [0, 1]


def test_windows_stay_under_30_s_and_lose_nothing() -> None:
    pieces = [Piece(n, 10.0 * n, 10.0 * n + 8.0) for n in range(9)]
    windows = pack(ramp(100.0), pieces)
    assert [slot.piece for window in windows for slot in window.slots] == pieces
    assert all(len(window.wave) <= 30 * RATE for window in windows)


def test_a_monologue_is_cut_at_its_pauses_and_only_without_any_in_the_middle() -> None:
    assert pieces_of(3, [(0.0, 20.0), (20.3, 28.0), (28.3, 40.0)]) == [Piece(3, 0.0, 28.0), Piece(3, 28.3, 40.0)]
    longest = WINDOW_SECONDS - 2 * PAD
    assert pieces_of(0, [(5.0, 50.0)]) == [Piece(0, 5.0, 5.0 + longest), Piece(0, 5.0 + longest, 50.0)]


def test_the_pad_ends_with_the_recording() -> None:
    (window,) = pack(ramp(3.0), [Piece(0, 0.05, 2.95)])
    assert window.slots[0].at == pytest.approx(0.05)
    assert len(window.wave) == round((3.0 + GAP) * RATE)


@given(st.lists(st.tuples(st.floats(0.02, 4.0), st.floats(0.1, 60.0)), min_size=1, max_size=8))
def test_pieces_cover_the_voiced_time_and_fit_a_window(lengths: list[tuple[float, float]]) -> None:
    at, voiced = 0.0, []
    for pause, duration in lengths:
        voiced.append((at + pause, at + pause + duration))
        at += pause + duration
    pieces = pieces_of(0, voiced)
    assert all(piece.end - piece.start <= WINDOW_SECONDS - 2 * PAD + 1e-9 for piece in pieces)
    assert (pieces[0].start, pieces[-1].end) == (voiced[0][0], voiced[-1][1])
    for start, end in voiced:
        covered = sum(max(0.0, min(end, p.end) - max(start, p.start)) for p in pieces)
        assert covered == pytest.approx(end - start)
