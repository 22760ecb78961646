"""The audio edge of WebRTC: samples, not padding; frame times, not wall time; no pitch change."""

import asyncio
import itertools
from fractions import Fraction

import numpy as np
import pytest
from av import AudioFrame

from voicesim.lines.rate import DELAY, Doubler, Halver
from voicesim.lines.webrtc import QUEUE_LIMIT, Outgoing, samples_of
from voicesim.sound import TICK, Pcm


def sine(rate: int, seconds: float, hz: float = 1000.0) -> Pcm:
    t = np.arange(round(rate * seconds)) / rate
    wave: Pcm = np.rint(10_000 * np.sin(2 * np.pi * hz * t)).astype(np.int16)
    return wave


def test_stereo_frames_give_their_samples_and_no_padding() -> None:
    read = []
    for n in range(50):
        frame = AudioFrame.from_ndarray(np.full((1, 1920), n, np.int16), format="s16", layout="stereo")
        frame.sample_rate = 48_000
        assert frame.planes[0].buffer_size >= 1920 * 2  # the plane may be longer than its sound
        read.append(samples_of(frame))
    assert [len(pcm) for pcm in read] == [960] * 50
    assert all(np.all(pcm == n) for n, pcm in enumerate(read))


def test_planar_frames_mix_the_same() -> None:
    planes = np.stack([np.full(960, 100, np.int16), np.full(960, 300, np.int16)])
    frame = AudioFrame.from_ndarray(planes, format="s16p", layout="stereo")
    assert np.all(samples_of(frame) == 200)


async def test_presentation_times_step_by_exactly_one_frame_however_late_the_producer() -> None:
    source = Outgoing()
    times = []
    jitter = np.random.default_rng(1).uniform(0, 0.005, 20)
    for late in jitter:
        source.put(np.zeros(TICK, np.int16))
        await asyncio.sleep(late)
        frame = await source.next_frame()
        assert frame.time_base == Fraction(1, 48_000)
        times.append(frame.pts)
    assert np.diff(times).tolist() == [960] * 19


async def test_silence_flows_before_the_call_starts() -> None:
    source = Outgoing()
    frame = await source.next_frame()
    assert not samples_of(frame).any()


async def test_a_peer_that_takes_nothing_does_not_grow_the_queue() -> None:
    source = Outgoing()
    for n in range(10 * QUEUE_LIMIT):
        source.put(np.full(TICK, n, np.int16))
    assert len(source._blocks) == QUEUE_LIMIT


def test_both_ways_keep_pitch_and_level_and_delay_is_as_stated() -> None:
    tone = sine(24_000, 0.5)
    double, halve = Doubler(), Halver()
    there = np.concatenate([double.feed(tone[at : at + TICK]) for at in range(0, len(tone), TICK)])
    back = np.concatenate([halve.feed(there[at : at + 960]) for at in range(0, len(there), 960)])
    assert len(there) == 2 * len(tone)
    assert len(back) == len(tone)
    # Both filters hold the sound back by 31 samples of 48 kHz: 31 of 24 kHz in all.
    assert round(2 * DELAY * 24_000) == 31
    settled = slice(1000, 11_000)
    assert np.abs(back[31:][settled].astype(int) - tone[settled]).max() < 30


def test_what_lies_above_twelve_kilohertz_does_not_fold_down() -> None:
    halve = Halver()
    high = sine(48_000, 0.5, 17_000.0)
    folded = np.concatenate([halve.feed(high[at : at + 960]) for at in range(0, len(high), 960)])
    assert np.sqrt(np.mean(folded[1000:].astype(float) ** 2)) < 10_000 / np.sqrt(2) * 10 ** (-60 / 20)


@pytest.mark.parametrize("sizes", [[480] * 10, [100] * 48, [4800]])
def test_block_size_does_not_change_the_sound(sizes: list[int]) -> None:
    tone = sine(24_000, 0.2)
    double = Doubler()
    cuts = np.cumsum([0, *sizes])
    parts = [double.feed(tone[a:b]) for a, b in itertools.pairwise(cuts)]
    assert np.array_equal(np.concatenate(parts), Doubler().feed(tone))
