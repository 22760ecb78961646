"""The pacer keeps absolute deadlines, and tells how late it was."""

import asyncio
from typing import Any

import pytest

from voicesim.audio.samples import TICK_SECONDS
from voicesim.call.clock import CallClock, Pacer
from voicesim.call.virtual import VirtualLoop, run_virtual


class OversleepingLoop(VirtualLoop):
    """Every timer fires 3 ms after it should."""

    def call_at(self, when: Any, callback: Any, *args: Any, context: Any = None) -> Any:  # type: ignore[override]
        return super().call_at(when + 0.003, callback, *args, context=context)


async def pace(count: int) -> tuple[float, Pacer]:
    clock = CallClock()
    pacer = Pacer(clock)
    async for tick in pacer.ticks():
        if tick == count:
            break
    return clock.now(), pacer


def test_oversleeping_does_not_add_up() -> None:
    with asyncio.Runner(loop_factory=OversleepingLoop) as runner:
        elapsed, pacer = runner.run(pace(3000))
    assert elapsed == pytest.approx(60.0, abs=0.02)
    assert pacer.lateness().max == pytest.approx(0.003, abs=1e-6)


def test_virtual_time_is_exact_and_never_late() -> None:
    elapsed, pacer = run_virtual(pace(500))
    assert elapsed == pytest.approx(500 * TICK_SECONDS, abs=1e-9)
    lateness = pacer.lateness()
    assert (lateness.ticks, lateness.max, lateness.late_share) == (501, 0.0, 0.0)


def test_a_held_up_loop_is_reported_late_and_catches_up() -> None:
    async def main() -> tuple[float, Pacer]:
        clock = CallClock()
        pacer = Pacer(clock)
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        async for tick in pacer.ticks():
            if tick == 10:
                loop.skip(0.1)  # something blocked the loop for 100 ms
            if tick == 100:
                break
        return clock.now(), pacer

    elapsed, pacer = run_virtual(main())
    assert elapsed == pytest.approx(2.0, abs=1e-9)
    # Ticks 11 to 15 were due while the loop stood still: 80, 60, 40, 20 and 0 ms late.
    assert pacer.lateness().max == pytest.approx(0.08, abs=1e-6)
    assert pacer.lateness().late_share == pytest.approx(4 / 101, abs=1e-6)


@pytest.mark.parametrize(("after", "length", "late"), [(0.0, 0.021, 0.011), (0.010, 0.021, 0.011), (0.0, 0.020, 0.010)])
def test_a_loop_that_stands_still_for_a_tick_is_late_by_half_of_one(after: float, length: float, late: float) -> None:
    async def main() -> float:
        pacer, worst = Pacer(CallClock()), 0.0
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        async for tick in pacer.ticks():
            worst = max(worst, pacer.late)
            if tick == 10 and not after:
                loop.skip(length)
            await pacer.middle()
            worst = max(worst, pacer.late)
            if tick == 10 and after:
                loop.skip(length)
            if tick == 20:
                break
        return worst

    assert run_virtual(main()) == pytest.approx(late, abs=1e-9)


def test_work_in_threads_takes_no_virtual_time() -> None:
    async def main() -> tuple[str, float]:
        loop = asyncio.get_running_loop()
        started = loop.time()
        ticking = asyncio.create_task(asyncio.sleep(5.0))
        result = await loop.run_in_executor(None, _slow)
        took = loop.time() - started
        ticking.cancel()
        return result, took

    assert run_virtual(main()) == ("done", 0.0)


def _slow() -> str:
    import time

    time.sleep(0.05)
    return "done"
