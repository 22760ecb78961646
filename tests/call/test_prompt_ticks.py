"""Each tick leaves at its deadline: nothing that takes time stands before it, and no timer is rounded."""

import asyncio
import time
from pathlib import Path

import pytest
from rig import PeakVad, PeakWindow, ScriptedAgent, call

from voicesim.audio.samples import TICK_SECONDS, Pcm
from voicesim.call.real import run_real
from voicesim.call.virtual import VirtualLoop
from voicesim.transports.inprocess import InProcess


class TimedLine(InProcess):
    """Notes when each tick of the caller comes."""

    def __init__(self) -> None:
        super().__init__(ScriptedAgent([(0.5, 1.5)]))
        self.times: list[float] = []

    def send(self, pcm: Pcm) -> None:
        self.times.append(asyncio.get_running_loop().time())
        super().send(pcm)


def test_hearing_that_takes_a_third_of_a_tick_delays_no_tick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(self: PeakVad, block: Pcm) -> list[PeakWindow]:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        loop.skip(0.007)
        return quick(self, block)

    quick = PeakVad.feed
    monkeypatch.setattr(PeakVad, "feed", slow)
    line = TimedLine()
    rig = call(tmp_path / "c", line, max_duration=3.0)
    assert len(line.times) == 150
    assert [at - line.times[0] for at in line.times] == pytest.approx([n * TICK_SECONDS for n in range(150)], abs=1e-9)
    assert rig.manifest.lateness is not None
    assert rig.manifest.lateness.max == 0.0


def test_a_short_sleep_is_not_rounded_up_to_a_millisecond() -> None:
    async def sleeps() -> list[float]:
        took = []
        for _ in range(50):
            begun = time.perf_counter()
            await asyncio.sleep(0.0003)
            took.append(time.perf_counter() - begun)
        return took

    took = run_real(sleeps())
    # epoll alone never takes less than 1 ms; the best of fifty is what a machine can do, however busy it is.
    assert 0.0003 <= min(took) < 0.0009


def test_messages_wake_a_loop_that_waits_for_a_timer() -> None:
    async def answered() -> float:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(await reader.readexactly(4))
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server:
            begun = time.perf_counter()
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
            writer.write(b"ping")
            assert await asyncio.wait_for(reader.readexactly(4), 30.0) == b"ping"
            writer.close()
            return time.perf_counter() - begun

    assert run_real(answered()) < 15.0
