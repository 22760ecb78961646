"""Where the agent's sound goes on the call clock, whatever order, size and pace it comes in."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from voicesim.audio.samples import Pcm, samples
from voicesim.call.timeline import AHEAD_LIMIT, Placed, Timeline

TONE = 5000


def loud(count: int) -> Pcm:
    return np.full(count, TONE, np.int16)


def placed(timeline: Timeline, pcm: Pcm, now: float, media: float) -> Placed:
    """Where a chunk goes that is not too far ahead."""
    where = timeline.place(pcm, now=now, media=media)
    assert where is not None
    return where


def onsets(timeline: Timeline) -> list[float]:
    """Seconds at which sound starts after silence."""
    track = timeline.read(0, timeline.end) != 0
    edges = np.flatnonzero(np.diff(np.concatenate([[False], track]).astype(np.int8)) == 1)
    return [float(edge) / 24_000 for edge in edges]


def test_missing_frames_become_zeros() -> None:
    timeline = Timeline()
    for media in (0, 960, 1920, 4800, 5760):  # 48 kHz times; frames 3 and 4 never came
        timeline.place(loud(480), now=media / 48_000, media=media / 48_000)
    assert timeline.end == 7 * 480
    track = timeline.read(0, timeline.end)
    assert not track[3 * 480 : 5 * 480].any()
    assert track[: 3 * 480].all()
    assert track[5 * 480 :].all()


def test_talk_spurts_are_heard_when_they_arrive() -> None:
    timeline = Timeline()
    for second in (0, 8, 16):
        for tick in range(50):
            timeline.place(loud(480), now=second + tick * 0.02)
    assert onsets(timeline) == [0.0, 8.0, 16.0]
    assert timeline.end == samples(17.0)


def test_chunks_with_one_and_the_same_time_are_heard_one_after_the_other() -> None:
    timeline = Timeline()
    for _ in range(100):
        timeline.place(loud(2400), now=2.0, media=2.0)
    assert onsets(timeline) == [2.0]
    assert timeline.end == samples(12.0)


def test_late_packets_keep_their_media_time() -> None:
    timeline = Timeline()
    for tick in range(100):
        stalled = 0.4 if 50 <= tick < 60 else 0.0  # ten packets come in a burst, 0.4 s late
        timeline.place(loud(480), now=tick * 0.02 + stalled, media=tick * 0.02)
    assert onsets(timeline) == [0.0]
    assert timeline.end == samples(2.0)


def test_lateness_of_a_packet_is_told() -> None:
    timeline = Timeline()
    assert timeline.place(loud(480), now=0.0, media=0.0) == Placed(0, 0.0, 0.0)
    where = placed(timeline, loud(480), now=0.5, media=0.02)
    assert where.start == 480
    assert abs(where.late - 0.46) < 1e-9  # its place ended at 0.04 s


def test_a_talk_spurt_after_a_stalled_sender_is_placed_by_arrival() -> None:
    timeline = Timeline()
    for tick in range(50):
        timeline.place(loud(480), now=tick * 0.02, media=tick * 0.02)
    # The sender stood still for 2 s and its media time with it; 30 quiet packets, then speech.
    for tick in range(50, 80):
        timeline.place(np.zeros(480, np.int16), now=2.0 + tick * 0.02, media=tick * 0.02)
    timeline.place(loud(480), now=2.0 + 80 * 0.02, media=80 * 0.02)
    assert onsets(timeline) == [0.0, 3.6]


def test_one_late_wake_up_does_not_move_a_talk_spurt() -> None:
    timeline = Timeline()
    for tick in range(50):
        timeline.place(np.zeros(480, np.int16), now=tick * 0.02, media=tick * 0.02)
    timeline.place(loud(480), now=50 * 0.02 + 0.05, media=50 * 0.02)  # we woke 50 ms late
    assert onsets(timeline) == [1.0]


def test_what_the_receiver_holds_back_is_taken_out() -> None:
    timeline = Timeline(receive_delay=0.089)
    for tick in range(50):  # each packet is handed over 89 ms after it came
        packet = loud(480) if tick >= 10 else loud(480) * 0
        assert placed(timeline, packet, now=1.089 + tick * 0.02, media=tick * 0.02).late == 0.0
    assert onsets(timeline) == [1.2]


def test_what_belongs_before_the_call_is_left_out() -> None:
    timeline = Timeline(receive_delay=0.089)
    for tick in range(100):
        timeline.place(loud(480) if tick < 50 else loud(480) * 0, now=tick * 0.02, media=tick * 0.02)
    # Media time 0.089 is heard at 0; the sound that ends at media time 1.0 ends at 0.911.
    sound = timeline.read(0, timeline.end) != 0
    assert int(np.flatnonzero(sound)[-1]) + 1 == samples(0.911)


def test_a_spurt_moves_earlier_into_the_quiet_before_it() -> None:
    timeline = Timeline()
    timeline.place(loud(480) * 0, now=0.015, media=0.0)  # the first packet came 15 ms late
    for tick in range(1, 60):
        timeline.place(loud(480) if tick >= 50 else loud(480) * 0, now=tick * 0.02, media=tick * 0.02)
    assert onsets(timeline) == [1.0]
    assert timeline.end == samples(1.2)


def test_a_slow_remote_clock_is_followed_and_told() -> None:
    timeline = Timeline()
    ppm = 200e-6
    for tick in range(50 * 120):  # two minutes; every five seconds a second of sound
        quiet = tick * 0.02 % 5 >= 1
        arrival = tick * 0.02 * (1 + ppm) + (0.004 if tick % 3 else 0.0)  # and a little jitter
        timeline.place(loud(480) * (0 if quiet else 1), now=arrival, media=tick * 0.02)
    true = [second * (1 + ppm) for second in range(0, 120, 5)]
    # The shortest transit of ten seconds is at most 10 s * 200 ppm = 2 ms old.
    assert max(abs(a - b) for a, b in zip(onsets(timeline), true, strict=True)) <= 0.0021
    drift = timeline.transit.drift_ppm()
    assert drift is not None
    assert abs(drift - 200) < 5


def test_gaps_in_the_senders_time_are_told() -> None:
    timeline = Timeline()
    assert placed(timeline, loud(480), now=0.0, media=0.0).gap == 0.0
    assert placed(timeline, loud(480), now=0.02, media=0.02).gap == 0.0
    assert abs(placed(timeline, loud(480), now=0.10, media=0.10).gap - 0.06) < 1e-9


def test_what_is_flushed_was_never_heard() -> None:
    timeline = Timeline()
    timeline.place(loud(samples(10.0)), now=1.0)
    assert timeline.drop_after(samples(3.0)) == samples(8.0)
    assert timeline.end == samples(3.0)
    assert not timeline.read(samples(3.0), samples(11.0)).any()
    assert timeline.drop_after(samples(5.0)) == 0


def test_what_lies_too_far_ahead_is_left_out_whole() -> None:
    timeline = Timeline()
    assert timeline.place(loud(AHEAD_LIMIT), now=1.0) == Placed(24_000, 0.0, 0.0)  # ends exactly 120 s ahead
    assert timeline.place(loud(1), now=1.0) is None
    assert timeline.place(loud(480), now=1.02) == Placed(24_000 + AHEAD_LIMIT, 0.0, 0.0)
    assert timeline.end == 24_000 + AHEAD_LIMIT + 480


def test_a_senders_clock_that_jumps_by_years_fills_no_memory() -> None:
    timeline = Timeline()
    timeline.place(loud(480), now=0.0, media=0.0)
    assert timeline.place(loud(480), now=0.02, media=1e9) is None
    timeline.place(loud(480), now=0.04, media=0.04)
    assert timeline.end == 3 * 480


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=40), st.integers(0, 3))
def test_any_sizes_of_chunks_give_the_same_timeline(sizes: list[int], origin: int) -> None:
    speech = np.arange(1, sum(sizes) + 1, dtype=np.int64).astype(np.int16) | 1
    whole, cut = Timeline(), Timeline()
    whole.place(speech, now=1.0)
    begin = 0
    for size in sizes:
        media = origin + begin / 24_000
        cut.place(speech[begin : begin + size], now=1.0 + begin / 24_000, media=media)
        begin += size
    assert whole.end == cut.end
    assert np.array_equal(whole.read(0, whole.end), cut.read(0, cut.end))
