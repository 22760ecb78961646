"""The thread that keeps time goes before other work while a call lasts, where the system lets it; nothing else does."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from rig import PeakVad, PeakWindow, ScriptedAgent, call

from voicesim.audio.samples import Pcm
from voicesim.call.priority import pacing_first
from voicesim.call.real import run_real

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_setscheduler"), reason="no scheduling classes here")


def own_class() -> int:
    return os.sched_getscheduler(0) & ~os.SCHED_RESET_ON_FORK


def allowed() -> bool:
    with pacing_first() as first:
        return first


def refuse(*_: object) -> None:
    raise PermissionError(1, "Operation not permitted")


def test_only_the_thread_itself_goes_first_and_only_meanwhile() -> None:
    if not allowed():
        pytest.skip("this user may not use the real-time class")
    others: list[int] = []
    with pacing_first():
        assert own_class() == os.SCHED_RR
        thread = threading.Thread(target=lambda: others.append(own_class()))
        thread.start()
        thread.join()
        told = subprocess.run(
            [sys.executable, "-c", "import os; print(os.sched_getscheduler(0))"], capture_output=True, check=True
        )
    assert others == [os.SCHED_OTHER]
    assert int(told.stdout) == os.SCHED_OTHER
    assert own_class() == os.SCHED_OTHER


def test_who_may_not_go_first_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    with pacing_first() as first:
        assert not first
        assert own_class() == os.SCHED_OTHER


@pytest.mark.parametrize("live", [True, False])
def test_a_live_call_goes_first_and_one_on_virtual_time_does_not(
    live: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not allowed():
        pytest.skip("this user may not use the real-time class")
    classes: set[int] = set()

    def feed(self: PeakVad, block: Pcm) -> list[PeakWindow]:
        classes.add(own_class())
        return quick(self, block)

    quick = PeakVad.feed
    monkeypatch.setattr(PeakVad, "feed", feed)
    agent = ScriptedAgent([(0.2, 0.4)])
    if live:
        call(tmp_path / "c", agent, max_duration=0.6, run=run_real)
    else:
        call(tmp_path / "c", agent, max_duration=0.6)
    assert classes == {os.SCHED_RR if live else os.SCHED_OTHER}
    assert own_class() == os.SCHED_OTHER
