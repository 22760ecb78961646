"""What a sender's own time tells: a stall, a burst and a loss are three things, and the recording says which it was."""

from pathlib import Path

import numpy as np
from rig import Rig, call, spans

from voicesim.audio.samples import TICK, TICK_SECONDS, Pcm, seconds
from voicesim.recording.events import Late
from voicesim.transports.bounded_inbox import Inbox

LOUD = np.full(TICK, 8_000, np.int16)


class MediaLine:
    """Brings packets as `(arrives, media, sound)` in call seconds, in order; sound for 20 ms each."""

    name = "media"
    receive_delay = 0.0

    def __init__(self, packets: list[tuple[float, float, bool]]) -> None:
        self._due = sorted(packets, key=lambda one: one[0])

    async def open(self, inbox: Inbox) -> None:
        self._inbox = inbox

    def send(self, pcm: Pcm) -> None:
        while self._due and self._due[0][0] <= self._inbox.now() + 1e-9:
            _, media, sounds = self._due.pop(0)
            self._inbox.audio(LOUD * sounds, media)

    async def close(self) -> None:
        self._due = []


def stream(arrives: dict[int, float], lost: range = range(0), shifts: dict[int, float] | None = None) -> MediaLine:
    """Six seconds that sound from 2.0 to 4.0 s; some packets arrive later than they were sent, some never.

    From packet n on, the sender's clock is `shifts[n]` seconds behind: it stood still.
    """
    packets, behind, arrived = [], 0.0, 0.0
    for n in range(300):
        behind += (shifts or {}).get(n, 0.0)
        if n not in lost:
            arrived = max(arrived, n * TICK_SECONDS + behind, arrives.get(n, 0.0))
            packets.append((arrived, n * TICK_SECONDS, 100 <= n < 200))
    return MediaLine(packets)


def late(rig: Rig) -> list[tuple[str, float]]:
    return [(one.what, one.seconds) for one in rig.recording.events if isinstance(one, Late)]


def run(folder: Path, line: MediaLine) -> Rig:
    return call(folder, line, heard=["Yes?"], max_duration=6.0)


def test_a_stream_in_time_has_nothing_to_tell(tmp_path: Path) -> None:
    rig = run(tmp_path / "c", stream({}))
    assert spans(rig.recording.agent) == [(2.0, 4.0)]
    assert late(rig) == []


def test_packets_that_are_held_back_and_come_in_a_burst_leave_no_hole(tmp_path: Path) -> None:
    rig = run(tmp_path / "c", stream({130: 3.0}))  # due at 2.6 s; those behind it have to wait as well
    assert spans(rig.recording.agent) == [(2.0, 4.0)]
    told = late(rig)
    assert {what for what, _ in told} == {"audio"}
    # The first of them ends at 2.62 s; those less than 0.1 s late are not told.
    clearly = [round(one, 3) for _, one in told if one > 0.11]
    assert clearly == [0.38, 0.36, 0.34, 0.32, 0.3, 0.28, 0.26, 0.24, 0.22, 0.2, 0.18, 0.16, 0.14, 0.12]


def test_packets_that_never_come_leave_a_hole_of_their_length(tmp_path: Path) -> None:
    rig = run(tmp_path / "c", stream({}, lost=range(130, 135)))
    assert spans(rig.recording.agent) == [(2.0, 2.6), (2.7, 4.0)]
    ((what, missing),) = late(rig)
    assert (what, round(missing, 4)) == ("gap", 0.1)


def test_a_sender_that_stands_still_between_two_spurts_is_heard_when_it_goes_on(tmp_path: Path) -> None:
    # It stands still for half a second after one second; its own time knows nothing of it.
    rig = run(tmp_path / "c", stream({}, shifts={50: 0.5}))
    ((start, end),) = spans(rig.recording.agent)
    assert (start, end) == (2.5, 4.5)
    assert "gap" not in {what for what, _ in late(rig)}


def test_the_length_of_a_recording_does_not_depend_on_what_was_late(tmp_path: Path) -> None:
    rig = run(tmp_path / "c", stream({100: 5.9}))
    assert seconds(len(rig.recording.agent)) == 6.0
    assert spans(rig.recording.agent) == [(2.0, 4.0)]
