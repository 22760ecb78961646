"""Latencies, yields and cut-ins of an agent that sends packets only while it speaks, on exact time."""

from pathlib import Path

import numpy as np
import pytest

from voicesim.audio.samples import Pcm
from voicesim.call.virtual import run_virtual
from voicesim.selftest.agent import TimedAgent
from voicesim.selftest.call import make_call
from voicesim.selftest.measurements import measure_call
from voicesim.selftest.timing import pair, script
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.jitter_buffer import JitterBuffer, RtpPacket


class SparseSender:
    """A transport of packets of 20 ms, with timestamps that count the sound only or go on with the clock."""

    name, receive_delay = "sparse", 0.08

    def __init__(self, agent: TimedAgent, *, counting: bool) -> None:
        self._agent, self._counting = agent, counting
        self._buffer = JitterBuffer()
        self._sent = self._ticks = 0

    async def open(self, inbox: BoundedInbox) -> None:
        self._box = inbox

    def send(self, pcm: Pcm) -> None:
        block, now = self._agent.tick(pcm), self._box.now()
        ready = self._buffer.idle(now)
        if block.any():
            number = self._sent if self._counting else self._ticks
            ready += self._buffer.add(RtpPacket(self._sent, number * 960, block.tobytes()), 48_000, now)
            self._sent += 1
        self._ticks += 1
        for payload, media in ready:
            self._box.audio(np.frombuffer(payload, np.int16), media)

    async def close(self) -> None:
        pass


@pytest.mark.parametrize("counting", [True, False])
def test_an_agent_that_sends_only_while_it_speaks_is_timed_like_any_other(tmp_path: Path, counting: bool) -> None:
    agent = TimedAgent(script(8))
    run_virtual(make_call(SparseSender(agent, counting=counting), 8, tmp_path / "call"))
    instants = pair(agent.truths, measure_call(tmp_path / "call"))
    assert {instant.kind for instant in instants} == {"latency", "yield", "cut_in"}
    measured = [instant.measured for instant in instants]
    assert measured == pytest.approx([instant.truth for instant in instants], abs=0.02)
