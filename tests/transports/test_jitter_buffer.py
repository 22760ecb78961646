"""Where RTP audio belongs when its sender pauses, jumps, is held up by the network, or sends out of order."""

import random
from collections.abc import Iterable, Sequence

import numpy as np
import pytest

from voicesim.audio.samples import samples, seconds
from voicesim.call.timeline import Timeline
from voicesim.transports.jitter_buffer import JitterBuffer, RtpPacket

CLOCK = 48_000
FRAME, STEP = 0.02, 960
RECEIVE_DELAY = 0.08


class Sender:
    """Makes packets of 20 ms of sound, sent at real time; `arrivals` are (packet, second of its arrival)."""

    def __init__(self, timestamp: int = 4_294_960_000, sequence: int = 65_520) -> None:
        self.timestamp, self.sequence, self.now = timestamp, sequence, 0.0
        self.arrivals: list[tuple[RtpPacket, float]] = []

    def speak(self, duration: float) -> None:
        for _ in range(round(duration / FRAME)):
            packet = RtpPacket(self.sequence % 65_536, self.timestamp % 2**32, b"sound")
            self.arrivals.append((packet, self.now))
            self.sequence += 1
            self.timestamp += STEP
            self.now += FRAME

    def pause(self, duration: float, stamped: float) -> None:
        """Nothing is sent; the timestamp goes on by `stamped` seconds."""
        self.now += duration
        self.timestamp += round(stamped * CLOCK)


def heard(
    arrivals: Iterable[tuple[RtpPacket, float]], lateness: Sequence[tuple[float, float]] = (), *, steady: bool = False
) -> np.ndarray:
    """The agent's channel of a call: what the buffer gives goes onto a real timeline when it is given.

    `lateness` are spans (start, end) of seconds in which our own loop does nothing.
    """
    buffer, timeline = JitterBuffer(), Timeline(RECEIVE_DELAY)
    buffer.steady = steady
    queue = sorted(arrivals, key=lambda arrival: arrival[1])
    end = queue[-1][1] + 1.0
    tick = 0.0
    moments = sorted(
        [(at, packet) for packet, at in queue] + [(n * FRAME, None) for n in range(int(end / FRAME))],
        key=lambda moment: moment[0],
    )
    for at, packet in moments:
        now = next((until for start, until in lateness if start <= at < until), at)
        tick = max(tick, now)
        ready = buffer.idle(tick) if packet is None else buffer.add(packet, CLOCK, tick)
        for _, media in ready:
            timeline.place(np.full(samples(FRAME), 8000, np.int16), tick, media)
    return timeline.read(0, samples(end))


def blocks(track: np.ndarray) -> list[tuple[float, float]]:
    """Begin and end of each block of sound, in seconds after the begin of the first."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], track != 0, [0]])))
    first = int(edges[0])
    return [(seconds(int(a) - first), seconds(int(b) - first)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def close(found: list[tuple[float, float]], wanted: list[tuple[float, float]]) -> bool:
    return np.shape(found) == np.shape(wanted) and bool(np.allclose(found, wanted, atol=0.02))


@pytest.mark.parametrize("jumping", [False, True])
@pytest.mark.parametrize(
    ("speech", "pauses", "wanted"),
    [
        ((2, 2), (3,), [(0, 2), (5, 7)]),
        ((1, 3), (7,), [(0, 1), (8, 11)]),
        ((0.5, 0.5, 0.5), (1.5, 10), [(0, 0.5), (2.0, 2.5), (12.5, 13.0)]),
        ((1, 1), (0.3,), [(0, 1), (1.3, 2.3)]),
        ((0.06, 1), (2.0,), [(0, 0.06), (2.06, 3.06)]),  # a block shorter than what is held back
        ((1, 0.04, 1), (4, 4), [(0, 1), (5, 5.04), (9.04, 10.04)]),
        ((1, 1), (90,), [(0, 1), (91, 92)]),
    ],
)
def test_a_sender_that_pauses_is_heard_when_it_speaks(
    jumping: bool, speech: Sequence[float], pauses: Sequence[float], wanted: list[tuple[float, float]]
) -> None:
    sender = Sender()
    for duration, pause in zip(speech, (*pauses, 0), strict=True):
        sender.speak(duration)
        sender.pause(pause, pause if jumping else 0)
    assert close(blocks(heard(sender.arrivals)), wanted)


@pytest.mark.parametrize("stamped", [1.0, 3_000_000_000 / CLOCK, -3_000_000_000 / CLOCK, 4.5, 60.0, -0.5])
def test_timestamps_that_jump_by_anything_else_do_not_count(stamped: float) -> None:
    sender = Sender()
    sender.speak(1)
    sender.pause(5, stamped)
    sender.speak(1)
    assert close(blocks(heard(sender.arrivals)), [(0, 1), (6, 7)])


def test_a_sequence_that_starts_anew_is_heard_too() -> None:
    sender = Sender()
    sender.speak(1)
    sender.pause(2, 0)
    sender.sequence -= 30_000
    sender.speak(1)
    assert close(blocks(heard(sender.arrivals)), [(0, 1), (3, 4)])


def test_a_steady_stream_whose_packets_come_a_little_late_has_no_holes() -> None:
    sender, late = Sender(), random.Random(3)
    sender.speak(20)
    track = heard((packet, at + late.uniform(0, 0.015)) for packet, at in sender.arrivals)
    assert close(blocks(track), [(0, 20)])


@pytest.mark.parametrize("stall", [0.15, 0.4, 3.0])
def test_what_a_network_held_back_keeps_its_place(stall: float) -> None:
    """Packets of the seconds from 2 on come in a burst, when the network goes on."""
    sender = Sender()
    sender.speak(10)
    track = heard(
        (packet, max(at, 2 + stall + at / 1000) if 2 <= at < 2 + stall else at) for packet, at in sender.arrivals
    )
    assert close(blocks(track), [(0, 10)])


@pytest.mark.parametrize(("stall", "pace"), [(0.15, 0.019), (0.3, 0.015), (0.9, 0.018)])
def test_a_steady_sender_that_catches_up_slowly_keeps_its_place(stall: float, pace: float) -> None:
    """Packets from the second 2 on wait for `stall`, and then come every `pace` seconds until they have caught up."""
    sender = Sender()
    sender.speak(12)
    arrivals = [
        (packet, max(at, 2 + stall + (at - 2) / FRAME * pace) if at >= 2 else at) for packet, at in sender.arrivals
    ]
    assert close(blocks(heard(arrivals, steady=True)), [(0, 12)])


@pytest.mark.parametrize("late", [0.03, 0.08, 0.12])
def test_a_loop_that_was_held_up_takes_the_end_of_a_pause_for_no_burst(late: float) -> None:
    sender = Sender()
    sender.speak(1)
    sender.pause(3, 0)
    sender.speak(1)
    assert close(blocks(heard(sender.arrivals, [(4.0, 4.0 + late)])), [(0, 1), (4, 5)])


def test_packets_out_of_order_are_put_in_order_and_lost_ones_leave_a_hole() -> None:
    sender = Sender()
    sender.speak(2)
    arrivals = list(sender.arrivals)
    arrivals[30] = (arrivals[30][0], arrivals[30][1] + 0.05)
    twice = [*arrivals[:50], arrivals[49], *arrivals[51:]]  # one twice, one (at 1.0 s) never
    assert close(blocks(heard(twice)), [(0, 1.0), (1.02, 2)])


def test_nothing_is_given_out_twice_or_out_of_order() -> None:
    buffer, chance = JitterBuffer(), random.Random(5)
    now, times = 0.0, []
    for _ in range(5_000):
        now += chance.choice([0, 0.02, 0.02, 0.5])
        packet = RtpPacket(chance.randrange(65_536), chance.randrange(2**32), b"")
        times += [time for _, time in buffer.add(packet, CLOCK, now)] + [time for _, time in buffer.idle(now)]
    assert times == sorted(times)
    assert len(times) <= 5_000
