"""The realtime agent's small parts: turn detection, transcription in pieces, play-out, pacing."""

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from voicesim.audio.samples import RATE, Wave
from voicesim.reference_agents.realtime.dictation import Dictation
from voicesim.reference_agents.realtime.listening import Tape
from voicesim.reference_agents.realtime.playout import WIRE_TICK, Pace, Playout, outgoing_track
from voicesim.reference_agents.realtime.turns import Moment, Paused, Started, Stopped, TurnDetector
from voicesim.reference_agents.voice import trimmed
from voicesim.stt.silero import WINDOW
from voicesim.stt.vad import Window


def run(detector: TurnDetector, *stretches: tuple[float, int]) -> list[Moment]:
    """Feeds stretches of (probability, windows) from the sample the detector is at."""
    at, found = 0, []
    for speech, count in stretches:
        for _ in range(count):
            at += WINDOW
            moment = detector.feed(Window(at, speech))
            if moment is not None:
                found.append(moment)
    return found


def test_a_turn_starts_with_padding_pauses_and_stops_after_its_silence() -> None:
    # 20 windows of quiet, 31 of speech, quiet. Three windows of speech start the turn: it is known at
    # window 23 and kept from window 20 less 0.3 s. Quiet is counted from window 51: a pause after
    # ceil(0.25 / 0.032) = 8 windows, the end after ceil(0.5 / 0.032) = 16.
    found = run(TurnDetector(0.5, 0.3, 0.5), (0.01, 20), (0.9, 31), (0.01, 40))
    assert found == [Started(20 * WINDOW - 7200), Paused(59 * WINDOW), Stopped(67 * WINDOW)]


def test_a_click_starts_no_turn() -> None:
    assert run(TurnDetector(0.5, 0.3, 0.5), (0.01, 5), (0.9, 2), (0.01, 30)) == []


def test_speech_that_goes_on_after_a_pause_is_the_same_turn() -> None:
    found = run(TurnDetector(0.5, 0.3, 0.9), (0.9, 10), (0.01, 12), (0.9, 10), (0.01, 12), (0.9, 5), (0.01, 40))
    assert [type(one) for one in found] == [Started, Paused, Paused, Paused, Stopped]


def test_a_faint_window_does_not_end_a_turn_that_began_clearly() -> None:
    # 0.4 is under the threshold of 0.5, but above 0.5 - 0.15
    assert run(TurnDetector(0.5, 0.3, 0.3), (0.9, 10), (0.4, 60)) == [Started(0)]


def test_the_padding_of_a_turn_never_reaches_into_the_turn_before() -> None:
    found = run(TurnDetector(0.5, 1.0, 0.3), (0.9, 10), (0.01, 11), (0.9, 10))
    assert isinstance(found[2], Stopped)
    assert found[3] == Started(found[2].at)


def test_a_tape_keeps_sample_numbers_when_it_forgets() -> None:
    tape = Tape()
    tape.add(np.arange(100, dtype=np.int16))
    tape.forget(40)
    tape.add(np.arange(100, 150, dtype=np.int16))
    assert tape.end == 150
    assert tape.cut(90, 120).tolist() == list(range(90, 120))
    assert tape.cut(0, 42).tolist() == [40, 41]


async def test_pieces_that_wait_for_the_transcriber_go_in_together() -> None:
    asked: list[int] = []
    first = asyncio.Event()
    loop = asyncio.get_running_loop()

    def hear(wave: Wave) -> str:
        asked.append(len(wave))
        loop.call_soon_threadsafe(first.set)
        return f" {len(wave)} "

    with ThreadPoolExecutor(1) as workers:
        gate = workers.submit(lambda: asyncio.run_coroutine_threadsafe(asyncio.sleep(0.1), loop).result())
        dictation = Dictation(hear, workers)
        dictation.add(np.zeros(1000, np.int16))
        await asyncio.sleep(0)
        dictation.add(np.zeros(200, np.int16))
        dictation.add(np.zeros(30, np.int16))
        assert await dictation.finish() == "1000 230"
        gate.result()
    assert asked == [1000, 230]


async def test_a_turn_without_pieces_has_no_words() -> None:
    with ThreadPoolExecutor(1) as workers:
        assert await Dictation(lambda _: "x", workers).finish() == ""


async def test_playout_gives_every_sample_once_and_then_silence() -> None:
    playout = Playout()
    playout.put(np.arange(1, 1501, dtype=np.int16))
    playout.put(np.arange(1501, 2001, dtype=np.int16))
    assert playout.waiting == pytest.approx(2000 / 48_000)
    frames = [playout.take() for _ in range(4)]
    # 2000 samples are two frames of 960 and 80 of the third
    joined = np.concatenate(frames)
    assert joined[:2000].tolist() == list(range(1, 2001))
    assert not joined[2000:].any()
    assert playout.played == pytest.approx(2000 / 48_000)


async def test_what_is_cleared_was_never_played() -> None:
    playout = Playout()
    playout.put(np.ones(5 * WIRE_TICK, np.int16))
    playout.take()
    playout.clear()
    assert not playout.take().any()
    assert playout.waiting == 0.0
    assert playout.played == pytest.approx(0.02)


async def test_presentation_times_step_by_one_frame_whatever_the_clock_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = random.Random(3)
    slept: list[float] = []

    async def late_sleep(delay: float) -> None:
        slept.append(delay)
        now[0] += delay + chance.random() * 0.005

    now = [100.0]
    monkeypatch.setattr("voicesim.reference_agents.realtime.playout.asyncio.sleep", late_sleep)
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now[0])
    track = outgoing_track(Playout())
    frames: list[Any] = [await track.recv() for _ in range(500)]
    assert [frame.pts for frame in frames] == [960 * n for n in range(500)]
    assert {(frame.samples, frame.sample_rate) for frame in frames} == {(960, 48_000)}
    # 499 frames later, late by at most one oversleep, never by their sum (which would be 1.2 s)
    assert now[0] == pytest.approx(100.0 + 499 * 0.02, abs=0.006)
    assert max(slept) <= 0.02 + 1e-9


async def test_a_late_loop_catches_up_without_moving_the_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    async def sleep(delay: float) -> None:
        now[0] += delay

    monkeypatch.setattr("voicesim.reference_agents.realtime.playout.asyncio.sleep", sleep)
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now[0])
    pace = Pace()
    await pace.next()
    now[0] = 0.1
    assert [await pace.next() for _ in range(5)] == [1, 2, 3, 4, 5]
    assert now[0] == 0.1
    await pace.next()
    assert now[0] == pytest.approx(0.12)


def test_the_voice_has_no_silence_of_its_own_at_its_ends() -> None:
    wave = np.zeros(RATE, np.float32)
    wave[6_000:12_000] = 0.1
    # 20 ms are left before and after the 250 ms that sound
    assert len(trimmed(wave)) == 6_000 + 2 * 480
    assert len(trimmed(np.zeros(RATE, np.float32))) == 0
