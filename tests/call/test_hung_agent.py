"""An agent in Python whose tick() never returns: its call ends with the cause, and whatever comes next goes on."""

import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from rig import call

from voicesim.audio.samples import TICK, Pcm
from voicesim.transports import hung
from voicesim.transports.inprocess import InProcess


def loops() -> None:
    while True:
        pass


def swallows() -> None:
    while True:
        try:
            time.sleep(60)
        except Exception:  # noqa: BLE001
            continue


WAYS: dict[str, Callable[[], object]] = {
    "loops": loops,
    "sleeps": swallows,
    "waits": lambda: threading.Event().wait(),
}


class Hangs:
    """Is silent for a second, and then does not return."""

    def __init__(self, how: Callable[[], object]) -> None:
        self._how, self._ticks = how, 0

    def tick(self, caller: Pcm) -> Pcm:
        self._ticks += 1
        if self._ticks == 50:
            self._how()
        return np.zeros(TICK, np.int16)


@pytest.mark.parametrize("way", WAYS)
def test_a_tick_that_never_returns_is_a_lost_line_with_its_cause(
    tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hung, "LIMIT", 0.3)
    before = signal.getsignal(signal.SIGURG)
    rig = call(tmp_path / "c", InProcess(Hangs(WAYS[way])))
    assert (rig.manifest.end_reason, rig.manifest.end_detail) == (
        "line_lost",
        "the agent's tick() hangs: it was not over after 0.3 s",
    )
    assert rig.recording.duration == pytest.approx(1.0, abs=0.05)
    assert rig.manifest.repaired is False
    assert signal.getsignal(signal.SIGURG) == before


def test_slow_ticks_are_no_hung_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hung, "LIMIT", 1.0)
    rig = call(tmp_path / "c", InProcess(Hangs(lambda: time.sleep(0.2))), max_duration=2.0)
    assert rig.manifest.end_reason == "max_duration"
