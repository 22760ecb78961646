"""Agents whose sound comes without a time of its own, at any pace: heard at 1x, and never later than it could be."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from rig import AnsweringAgent, call, spans

from voicesim.audio.samples import TICK, TICK_SECONDS, Pcm, samples
from voicesim.caller.mind import PatientLine
from voicesim.recording.events import ToolCall, ToolResult
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.playout import PlayOut

LOUD = np.full(TICK, 8_000, np.int16)


class BurstLine:
    """Sends `(when, seconds)` of sound, ten times faster than it is heard, and remembers when it was."""

    name = "burst"
    receive_delay = 0.0

    def __init__(self, *bursts: tuple[float, float]) -> None:
        self._due = [(when + n * TICK_SECONDS / 10) for when, long in bursts for n in range(round(long * 50))]
        self._last = {when + (round(long * 50) - 1) * TICK_SECONDS / 10: when for when, long in bursts}
        self.heard: dict[float, float] = {}

    async def open(self, inbox: BoundedInbox) -> None:
        self._inbox, self._play = inbox, PlayOut(inbox)

    def send(self, pcm: Pcm) -> None:
        now = self._inbox.now()
        while self._due and self._due[0] <= now + 1e-9:
            due = self._due.pop(0)
            self._play.add(LOUD)
            if due in self._last:
                self._play.after(partial(self._was_heard, self._last[due]))
        self._play.tick()

    async def close(self) -> None:
        self._due = []

    def _was_heard(self, burst: float) -> None:
        self.heard[burst] = self._inbox.now()


def test_ten_seconds_sent_in_one_are_ten_seconds_and_then_comes_the_patient(tmp_path: Path) -> None:
    line = BurstLine((3.0, 10.0))
    rig = call(tmp_path / "c", line, heard=["A long speech."], lines=[PatientLine("One two three.")])
    (start, end), *_ = spans(rig.recording.agent)
    assert (start, end) == (3.0, 13.0)
    # The reply starts after the end of the turn (1 s of silence), not while the sound is still being heard.
    reply = next(at for at, text in rig.lines() if text == "One two three.")
    assert 14.0 <= reply <= 14.2
    assert line.heard[3.0] == pytest.approx(13.0, abs=TICK_SECONDS)


class AheadLine(BurstLine):
    """Answers 0.7 s after the caller's last sound with two seconds of sound, sent in 0.2 s."""

    def __init__(self) -> None:
        super().__init__()
        self._agent = AnsweringAgent(0.7, 2.0)
        self._held: list[Pcm] = []

    def send(self, pcm: Pcm) -> None:
        answer = self._agent.tick(pcm)
        if answer.any():
            self._play.add(answer)
        self._play.tick()


def test_a_latency_is_the_same_on_the_first_turn_and_on_the_last(tmp_path: Path) -> None:
    rig = call(
        tmp_path / "c", AheadLine(), lines=[PatientLine("One two three.")] * 19, heard=["Go on."], max_duration=300.0
    )
    agent, caller = spans(rig.recording.agent), spans(rig.recording.caller)
    assert len(agent) >= 20
    latencies = [begin - max(end for _, end in caller if end <= begin) for begin, _ in agent]
    assert latencies == pytest.approx([0.7] * len(latencies), abs=0.001)


def test_a_stream_with_jitter_has_no_holes_inside_a_talk_spurt(tmp_path: Path) -> None:
    class Jittering(BurstLine):
        def __init__(self) -> None:
            super().__init__()
            self._tick = 0

        def send(self, pcm: Pcm) -> None:
            self._tick += 1
            at = self._tick * TICK
            # Every third tick brings nothing and the next brings two: 20 ms late, as from a busy server.
            count = {0: 0, 1: 2, 2: 1}[self._tick % 3]
            if samples(3.0) <= at < samples(4.5):
                for _ in range(count):
                    self._play.add(LOUD)

    rig = call(tmp_path / "c", Jittering(), heard=["Yes."])
    assert len(spans(rig.recording.agent)) == 1


class ToolLine(BurstLine):
    """Takes a turn at 3 s that is only a tool call, and speaks from 6 s on."""

    def __init__(self) -> None:
        super().__init__((6.0, 1.0))
        self._told = False

    def send(self, pcm: Pcm) -> None:
        now = self._inbox.now()
        if now >= 3.0 and not self._told:
            self._told = True
            self._inbox.event(ToolCall(t=now, call_id="1", name="look_up", arguments={"name": "Andi"}))
            self._inbox.event(ToolResult(t=now, call_id="1", result={"found": True}))
        super().send(pcm)


def test_a_turn_that_is_only_a_tool_call_is_no_turn_to_the_patient(tmp_path: Path) -> None:
    with_tool = call(tmp_path / "tool", ToolLine(), heard=["Yes?"])
    without = call(tmp_path / "plain", BurstLine((6.0, 1.0)), heard=["Yes?"])
    assert [event.type for event in with_tool.recording.events if event.type.startswith("tool")] == [
        "tool_call",
        "tool_result",
    ]
    # Nothing was heard, so nothing is waited for: the patient says the same at the same time.
    assert with_tool.lines() == without.lines()
    assert np.array_equal(with_tool.recording.caller, without.recording.caller)
