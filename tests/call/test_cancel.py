"""A call that is cancelled: once, twice, or before it began. It ends in time and leaves a recording and no task."""

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from rig import make_call

from voicesim.audio.samples import Pcm
from voicesim.call import live_call
from voicesim.call.hanging_up import HungUp, hang_up
from voicesim.call.virtual import run_virtual
from voicesim.recording.read import open_recording
from voicesim.transports.bounded_inbox import BoundedInbox


class SlowLine:
    """Opens and closes as slowly as it is told, and remembers whether it was closed to the end."""

    name = "slow"
    receive_delay = 0.0

    def __init__(self, opens: float = 0.0, closes: float = 0.0) -> None:
        self._opens, self._closes = opens, closes
        self.open_ = self.closing = self.closed = False

    async def open(self, inbox: BoundedInbox) -> None:
        await asyncio.sleep(self._opens)
        self.open_ = True

    def send(self, pcm: Pcm) -> None:
        assert self.open_

    async def close(self) -> None:
        self.closing = True
        await asyncio.sleep(self._closes)
        self.closed = True


def cancelled(folder: Path, line: SlowLine, cancels: list[float]) -> float:
    """A call, on virtual time, that is cancelled at those seconds; returns after how many it was over."""
    return run_virtual(_cancelled(folder, line, cancels))


async def _cancelled(folder: Path, line: SlowLine, cancels: list[float]) -> float:
    before, loop = asyncio.all_tasks(), asyncio.get_running_loop()
    begun = loop.time()
    call = loop.create_task(make_call(folder, line))
    for at in cancels:
        await asyncio.sleep(begun + at - loop.time())
        call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert asyncio.all_tasks() - before == set()
    return loop.time() - begun


def test_a_cancelled_call_hangs_up_and_keeps_its_recording(tmp_path: Path) -> None:
    line = SlowLine(closes=0.1)
    cancelled(tmp_path / "c", line, [0.5])
    recording = open_recording(tmp_path / "c")
    assert recording.manifest.end_reason == "caller_hung_up"
    assert recording.manifest.validity is not None
    assert recording.manifest.validity.reason == "stopped"
    assert recording.duration == pytest.approx(0.5, abs=0.021)
    assert line.closed


def test_a_second_cancel_does_not_break_off_the_hanging_up(tmp_path: Path) -> None:
    line = SlowLine(closes=0.4)
    took = cancelled(tmp_path / "c", line, [0.3, 0.4, 0.5])
    assert line.closed
    assert took == pytest.approx(0.3 + 0.4)
    assert open_recording(tmp_path / "c").manifest.end_reason == "caller_hung_up"


def test_two_cancels_at_once_are_one(tmp_path: Path) -> None:
    line = SlowLine(closes=0.1)
    cancelled(tmp_path / "c", line, [0.3, 0.3])
    assert line.closed
    assert not open_recording(tmp_path / "c").manifest.repaired


def test_a_line_that_never_closes_does_not_hold_up_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_call, "STOP_LIMIT", 0.3)
    line = SlowLine(closes=60.0)
    took = cancelled(tmp_path / "c", line, [0.2, 0.3])
    assert took == pytest.approx(0.2 + 0.3)
    assert line.closing
    assert not line.closed


def test_a_cancel_before_the_call_began_leaves_nothing(tmp_path: Path) -> None:
    line = SlowLine(opens=60.0)
    took = cancelled(tmp_path / "c", line, [0.2])
    assert took == pytest.approx(0.2)
    assert not line.closing  # a line that could not be opened has closed itself
    assert not (tmp_path / "c").exists()


async def test_what_goes_wrong_while_hanging_up_is_told() -> None:
    async def fails() -> None:
        raise OSError("no such socket")

    async def leaves() -> None:
        sys.exit(0)

    assert await hang_up(fails(), 1.0) == HungUp("OSError: no such socket", False)
    assert await hang_up(leaves(), 1.0) == HungUp("SystemExit: 0", False)


def test_work_that_ignores_its_end_is_left_alone(tmp_path: Path) -> None:
    async def stubborn() -> None:
        for _ in range(100):
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(1.0)

    async def measured() -> tuple[HungUp, float]:
        begun = asyncio.get_running_loop().time()
        over = await hang_up(stubborn(), 0.5)
        return over, asyncio.get_running_loop().time() - begun

    over, took = run_virtual(measured())
    assert over == HungUp("not over after 0.5 s", False)
    assert took == pytest.approx(1.5)
