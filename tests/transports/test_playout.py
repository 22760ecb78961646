"""Sound that comes ahead of its time: when a reply begins to arrive, and how much of it nobody heard."""

import numpy as np
from inboxes import Playing

from voicesim.audio.samples import Pcm, samples
from voicesim.recording.events import AgentMetric, Event, Unheard
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.playout import PlayOut


def sound(duration: float) -> Pcm:
    return np.full(samples(duration), 8000, np.int16)


def arrivals(events: list[Event]) -> list[float]:
    return [event.t for event in events if isinstance(event, AgentMetric) and event.name == "first_byte"]


def test_the_first_chunk_of_every_reply_is_noted_and_no_other() -> None:
    box = Playing()
    play = PlayOut(BoundedInbox(box))
    for at, duration in ((1.0, 0.5), (1.01, 0.5), (1.9, 0.02), (2.1, 0.02), (5.0, 0.02), (5.1, 0.02)):
        box.time = at
        play.add(sound(duration))
    # Until 2.02 and 2.12 s sound waits or has just been heard; then nothing comes for almost three seconds.
    assert arrivals(box.events) == [1.0, 5.0]


def test_an_agent_that_sends_all_the_time_has_one_arrival() -> None:
    box = Playing()
    play = PlayOut(BoundedInbox(box))
    for tick in range(100):
        box.time = 0.02 * tick
        play.add(sound(0.02))
    assert arrivals(box.events) == [0.0]


def test_what_is_dropped_is_told_by_its_length_and_what_waits_for_it_is_done() -> None:
    box, done = Playing(), list[str]()
    play = PlayOut(BoundedInbox(box))
    play.add(sound(4.0))
    play.after(lambda: done.append("mark"))
    box.time = 1.5
    play.clear()
    play.clear()
    assert done == ["mark"]
    assert [event for event in box.events if isinstance(event, Unheard)] == [Unheard(t=1.5, text="", seconds=2.5)]


def test_a_call_that_ends_in_a_reply_leaves_its_rest_unheard_and_nothing_happens_after_it() -> None:
    box, done = Playing(), list[str]()
    play = PlayOut(BoundedInbox(box))
    play.add(sound(4.0))
    play.after(lambda: done.append("hung up"))
    box.time = 1.0
    play.stop()
    assert done == []
    assert [event for event in box.events if isinstance(event, Unheard)] == [Unheard(t=1.0, text="", seconds=3.0)]
