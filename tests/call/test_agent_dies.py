"""An agent in Python that dies, hangs or leaves: told as the agent's end, with a whole recording, and never a pass."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from rig import call

from voicesim.audio.samples import TICK, Pcm
from voicesim.errors import TransportError, UsageError
from voicesim.recording.events import Warning_
from voicesim.transports import inprocess
from voicesim.transports.inprocess import InProcess, load_agent

SILENCE = np.zeros(TICK, np.int16)


class Agent:
    """Silent, but for what a test puts in the place of one of its methods."""

    def __init__(self, **methods: Callable[..., object]) -> None:
        self.__dict__.update(methods)

    def tick(self, caller: Pcm) -> Pcm | None:
        return SILENCE


def raising(error: BaseException) -> Callable[..., object]:
    def tick(caller: Pcm) -> Pcm:
        raise error

    return tick


@pytest.mark.parametrize(
    "error", [SystemExit(0), SystemExit("done"), KeyboardInterrupt(), asyncio.CancelledError(), GeneratorExit()]
)
def test_an_agent_that_leaves_in_the_middle_of_a_call_has_lost_the_line(tmp_path: Path, error: BaseException) -> None:
    agent = Agent(tick=raising(error))
    rig = call(tmp_path / "c", InProcess(agent))
    assert rig.manifest.end_reason == "line_lost"
    assert f"the agent's tick() failed: {type(error).__name__}" in rig.manifest.end_detail
    assert not rig.manifest.repaired


@pytest.mark.parametrize("answer", [[0] * TICK, np.zeros(TICK), np.zeros(10, np.int16), b"\0" * 960, 5])
def test_an_agent_that_gives_something_else_than_sound_is_at_fault_itself(tmp_path: Path, answer: object) -> None:
    rig = call(tmp_path / "c", InProcess(Agent(tick=lambda caller: answer)))
    assert rig.manifest.end_reason == "line_lost"
    assert "not int16 (480,)" in rig.manifest.end_detail
    assert rig.manifest.validity is not None
    assert rig.manifest.validity.valid


def coroutine(work: Callable[[], object]) -> Callable[[], object]:
    async def method() -> None:
        work()

    return method


@pytest.mark.parametrize("work", [lambda: sys.exit(0), lambda: 1 / 0])
def test_a_start_that_fails_is_told_and_leaves_nothing(tmp_path: Path, work: Callable[[], object]) -> None:
    with pytest.raises(TransportError, match=r"start\(\) failed: (SystemExit: 0|ZeroDivisionError)"):
        call(tmp_path / "c", InProcess(Agent(start=coroutine(work))))
    assert list(tmp_path.iterdir()) == []


def test_a_start_that_never_ends_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inprocess, "START_LIMIT", 0.2)

    async def forever() -> None:
        await asyncio.get_running_loop().create_future()

    with pytest.raises(TransportError, match=r"start\(\) was not over after 0\.2 s"):
        call(tmp_path / "c", InProcess(Agent(start=forever)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("work", [lambda: sys.exit(0), lambda: 1 / 0])
def test_a_stop_that_fails_is_told_and_costs_nothing(tmp_path: Path, work: Callable[[], object]) -> None:
    rig = call(tmp_path / "c", InProcess(Agent(stop=coroutine(work))), max_duration=10.0)
    assert rig.manifest.end_reason == "max_duration"
    last = rig.recording.events[-1]
    assert isinstance(last, Warning_)
    assert "stop() failed: " in last.message


def test_a_stop_that_never_ends_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inprocess, "STOP_LIMIT", 0.2)

    async def forever() -> None:
        await asyncio.to_thread(asyncio.run, asyncio.sleep(0.5))

    rig = call(tmp_path / "c", InProcess(Agent(stop=forever)), max_duration=10.0)
    last = rig.recording.events[-1]
    assert isinstance(last, Warning_)
    assert "stop() was not over after 0.2 s" in last.message


def test_a_task_of_the_agents_that_leaves_ends_the_call_not_the_process(tmp_path: Path) -> None:
    async def background() -> None:
        await asyncio.sleep(1.0)
        sys.exit(0)

    agent = Agent()

    async def start() -> None:
        agent.__dict__["task"] = asyncio.get_running_loop().create_task(background())

    agent.__dict__["start"] = start
    rig = call(tmp_path / "c", InProcess(agent))
    assert rig.manifest.end_reason == "line_lost"
    assert "SystemExit: 0" in rig.manifest.end_detail
    assert rig.recording.duration == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize("line", ["raise SystemExit(0)", "def build(): raise SystemExit(0)"])
def test_a_module_or_factory_that_leaves_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    name = f"leaves_{abs(hash(line)) % 10_000}_{os.getpid()}"
    (tmp_path / f"{name}.py").write_text(line + "\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(UsageError, match="SystemExit: 0"):
        load_agent(f"{name}:build")


def test_os_exit_of_an_agent_is_no_end_of_the_process_and_still_ends_a_forked_one(tmp_path: Path) -> None:
    # In a process of its own: what is caught stays caught.
    code = """
import os, threading
from voicesim.transports.inprocess import catch_exits
catch_exits()
catch_exits()
for leave in (os._exit, lambda status: os._exit(status)):
    try:
        leave(0)
    except SystemExit as error:
        assert error.code == 0
if (child := os.fork()) == 0:
    os._exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
print("alive")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout == "alive\n", done.stderr
