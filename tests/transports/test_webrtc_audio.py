"""The audio edge of WebRTC: samples, not padding; frame times, not wall time; no pitch change."""

import asyncio
from fractions import Fraction

import numpy as np
from av import AudioFrame

from voicesim.audio.samples import TICK, Pcm
from voicesim.transports.webrtc_audio import QUEUE_LIMIT, Outgoing, samples_of


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
