from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from speechlike import placed, speechlike

from voicesim.audio.edges import levels_db, run_seconds, runs
from voicesim.audio.samples import RATE, TICK, Wave, to_pcm
from voicesim.stt.silero import WINDOW
from voicesim.stt.vad import StreamingVad, speech_regions, speech_spans, window_probabilities

PLACES = [
    pytest.param(18.0, [(0.0, 1.0), (8.0, 9.0), (16.0, 17.0)], id="speech from the first sample on"),
    pytest.param(5.0, [(1.0137, 2.3911), (3.2, 4.9003)], id="two stretches off the grid"),
    pytest.param(3.0, [(0.0, 3.0)], id="nothing but speech"),
    pytest.param(4.0, [(1.0, 2.35), (2.6, 2.7)], id="a short tail after a stop"),
]


@pytest.mark.parametrize(("total", "spans"), PLACES)
def test_edges_are_found_to_the_millisecond(total: float, spans: list[tuple[float, float]]) -> None:
    found = speech_spans(placed(total, *spans))
    assert len(found) == len(spans)
    for (start, end), (true_start, true_end) in zip(found, spans, strict=True):
        assert start == pytest.approx(true_start, abs=0.001)
        assert end == pytest.approx(true_end, abs=0.001)


@pytest.mark.parametrize("level_db", [-60.0, -40.0])
def test_noise_around_speech_moves_its_edges_by_less_than_5_ms(level_db: float) -> None:
    wave = placed(6.0, (1.0, 2.5), (4.0, 5.0))
    draws = np.random.default_rng(11).standard_normal(len(wave))
    found = speech_spans((wave + 10 ** (level_db / 20) * draws).astype(np.float32))
    assert np.ravel(found) == pytest.approx([1.0, 2.5, 4.0, 5.0], abs=0.005)


def test_a_tone_and_silence_are_no_speech() -> None:
    tone = (0.3 * np.sin(2 * np.pi * 440 * np.arange(3 * RATE) / RATE)).astype(np.float32)
    assert speech_spans(tone) == []
    assert speech_spans(np.zeros(RATE, dtype=np.float32)) == []
    assert speech_spans(np.zeros(0, dtype=np.float32)) == []


def test_a_stream_of_ticks_sees_what_the_whole_buffer_shows() -> None:
    wave = placed(4.0, (0.5, 1.7), (2.5, 3.4))
    pcm = to_pcm(wave)
    vad = StreamingVad()
    windows = [one for at in range(0, len(pcm), TICK) for one in vad.feed(pcm[at : at + TICK])]
    assert [one.end for one in windows] == [WINDOW * (n + 1) for n in range(len(windows))]
    # 4 s are 125 windows; at most 10 ms are still in the resampler
    assert len(windows) >= 124
    whole = window_probabilities(wave)[: len(windows)]
    assert np.array([one.speech for one in windows]) == pytest.approx(whole, abs=0.05)


@pytest.mark.parametrize("block", [1, 160, 479, 2400])
def test_the_size_of_the_blocks_does_not_matter(block: int) -> None:
    pcm = to_pcm(speechlike(0.3))
    ticks, blocks = StreamingVad(), StreamingVad()
    expected = [one for at in range(0, len(pcm), TICK) for one in ticks.feed(pcm[at : at + TICK])]
    found = [one for at in range(0, len(pcm), block) for one in blocks.feed(pcm[at : at + block])]
    assert [one.end for one in found] == [one.end for one in expected]
    assert [one.speech for one in found] == pytest.approx([one.speech for one in expected], abs=1e-4)


def test_a_reset_stream_starts_again_at_sample_0() -> None:
    pcm = to_pcm(speechlike(0.5))
    vad = StreamingVad()
    first = vad.feed(pcm)
    vad.reset()
    assert vad.feed(pcm) == first


def test_speech_is_seen_after_minutes_of_silence() -> None:
    vad = StreamingVad()
    for _ in range(0, 120 * RATE, 10 * RATE):
        vad.feed(np.zeros(10 * RATE, dtype=np.int16))
    windows = vad.feed(to_pcm(speechlike(1.0)))
    assert sum(one.speech > 0.5 for one in windows) >= 0.8 * len(windows)


def test_regions_join_over_short_pauses_and_end_by_the_lower_threshold() -> None:
    # a dip to 0.4 is still speech; two windows under 0.35 are bridged, three are a pause
    probabilities = np.array([0, 0.6, 0.4, 0.6, 0.1, 0.1, 0.7, 0.1, 0.1, 0.1, 0.9, 0.0], dtype=np.float32)
    assert speech_regions(probabilities) == [(1, 7), (10, 11)]


def test_levels_are_rms_in_db_of_full_scale() -> None:
    wave: Wave = np.full(240, 0.1, dtype=np.float32)
    assert levels_db(wave)[0] == pytest.approx(-20.0)
    # frame 6 begins at sample 144 and has 96 of its 120 samples in the sound: 10 log10(0.01 * 96 / 120)
    assert levels_db(wave)[6] == pytest.approx(-20.97, abs=0.01)
    assert levels_db(np.zeros(240, dtype=np.float32)).max() == -120.0


@given(st.lists(st.booleans(), max_size=60), st.integers(0, 8))
def test_runs_cover_every_loud_frame_and_stay_apart(loud: list[bool], bridge: int) -> None:
    found = runs(np.array(loud, dtype=bool), bridge)
    assert all(loud[first] and loud[last - 1] for first, last in found)
    assert all(any(first <= n < last for first, last in found) for n, one in enumerate(loud) if one)
    assert all(after[0] - before[1] > bridge for before, after in pairwise(found))


@given(st.integers(0, 300), st.integers(1, 300), st.integers(0, 8000))
def test_a_run_in_seconds_lies_in_its_sound_and_has_a_length(first: int, count: int, length: int) -> None:
    start, end = run_seconds(first, first + count, length)
    assert 0 <= start <= end <= length / RATE
