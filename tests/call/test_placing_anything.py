"""Whatever the sizes, the pace and the order in which an agent's sound comes, and whatever is taken back: one timeline,
and a recording that says the same."""

import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from voicesim.audio.samples import RATE, TICK, TICK_SECONDS, Pcm, samples, seconds
from voicesim.call.recorder import Recorder
from voicesim.call.timeline import JOINED, Timeline
from voicesim.recording.live import LiveRecording
from voicesim.recording.manifest import bare_manifest

sizes = st.lists(st.integers(1, 5_000), min_size=1, max_size=30)
pauses = st.lists(st.booleans(), min_size=1, max_size=8)


def numbered(count: int) -> Pcm:
    """Loud samples, each told from its neighbours."""
    return (1_000 + np.arange(count) % 20_000).astype(np.int16)


def spoken(count: int, silent: list[bool]) -> Pcm:
    """Numbered samples with pauses of a quarter of a second between them, by turns as told."""
    quiet = np.resize(np.repeat(silent, samples(0.25)), count)
    return np.where(quiet, np.int16(0), numbered(count))


def cut(pcm: Pcm, into: list[int]) -> list[Pcm]:
    return [pcm[a:b] for a, b in pairwise(np.cumsum([0, *into]))]


@given(sizes, pauses, st.floats(0.0, 5.0))
def test_a_burst_is_heard_the_same_however_it_is_cut(into: list[int], silent: list[bool], now: float) -> None:
    speech = spoken(sum(into), silent)
    whole, parts = Timeline(), Timeline()
    whole.place(speech, now)
    for part in cut(speech, into):
        parts.place(part, now)
    assert np.array_equal(whole.read(0, whole.end), parts.read(0, parts.end))
    assert whole.end == samples(now) + len(speech)


@given(sizes, pauses, st.data())
def test_sound_without_a_time_of_its_own_keeps_its_length_and_order(
    into: list[int], silent: list[bool], data: st.DataObject
) -> None:
    waits = data.draw(st.lists(st.floats(0.0, 0.3), min_size=len(into), max_size=len(into)))
    timeline, speech, ended = Timeline(), spoken(sum(into), silent), 0
    for part, now in zip(cut(speech, into), np.cumsum(waits).tolist(), strict=True):
        placed = timeline.place(part, now)
        assert placed is not None
        # After what came before, and when it came; inside a talk-spurt up to 40 ms earlier, to close a hole.
        assert placed.start == ended or placed.start == samples(now) > ended
        assert placed.start >= samples(now - JOINED) - 1
        ended = placed.start + len(part)
    track = timeline.read(0, timeline.end)
    assert np.array_equal(track[track != 0], speech[speech != 0])


@given(st.lists(st.integers(240, 2_000), min_size=1, max_size=30), st.data())
def test_late_packets_of_a_talk_spurt_lie_at_their_own_time(into: list[int], data: st.DataObject) -> None:
    late = data.draw(st.lists(st.floats(0.0, 3.0), min_size=len(into) - 1, max_size=len(into) - 1))
    timeline, speech, media, arrived = Timeline(), numbered(sum(into)), 0.0, 1.0
    for part, delay in zip(cut(speech, into), [0.0, *late], strict=True):
        arrived = max(arrived, 1.0 + media + delay)
        timeline.place(part, arrived, media)
        media += len(part) / RATE
    # The first came in time; the others lie behind it, without a hole, whenever they came.
    assert timeline.end == RATE + len(speech)
    assert np.array_equal(timeline.read(RATE, timeline.end), speech)


@given(st.integers(1, 50_000), st.integers(0, 60_000), st.integers(1, 5_000))
def test_what_is_taken_back_leaves_silence_and_room(length: int, position: int, after: int) -> None:
    timeline, speech = Timeline(), numbered(length)
    timeline.place(speech, 0.0)
    assert timeline.drop_after(position) == max(0, length - position)
    kept = min(length, position)
    assert np.array_equal(timeline.read(0, kept), speech[:kept])
    assert not timeline.read(kept, length + 1).any()
    now = seconds(position)
    placed = timeline.place(numbered(after), now)
    assert placed is not None
    assert position - samples(JOINED) <= placed.start <= max(position, kept)


step = st.one_of(
    st.just("tick"),
    st.just("flush"),
    st.tuples(st.integers(1, 3_000), st.booleans(), st.floats(0.0, 0.3)),
)


@settings(max_examples=60)
@given(st.lists(step, min_size=1, max_size=60), st.booleans())
def test_the_recording_is_the_timeline_whenever_sound_comes_and_goes(
    steps: list[str | tuple[int, bool, float]], with_media: bool
) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        timeline, media, ticks = Timeline(), 0.0, 0
        with LiveRecording(Path(scratch), bare_manifest("c", "made")) as live:
            recorder = Recorder(live, timeline, delay=0)
            for one in [*steps, "tick"]:
                now = max(0.0, ticks * TICK_SECONDS - 0.008)  # a tick is recorded before its end has come
                if one == "tick":
                    recorder.tick(np.zeros(TICK, np.float32), np.zeros(TICK, np.int16))
                    ticks += 1
                elif one == "flush":
                    if timeline.drop_after(samples(now)):
                        recorder.flushed(samples(now))
                elif isinstance(one, tuple):
                    size, loud, gap = one
                    media += gap
                    placed = timeline.place(numbered(size) * np.int16(loud), now, media if with_media else None)
                    media += size / RATE
                    assert placed is not None
                    recorder.placed(placed.start, timeline.end)
        recorded = np.fromfile(Path(scratch) / "live" / "agent.pcm", "<i2")
        assert np.array_equal(recorded, timeline.read(0, ticks * TICK))
