"""The worker process: a dead one is replaced, one that is busy does not hold up the end, none outlives its parent."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool

import pytest
from processes import alive, gone_within

from voicesim.call import worker_pool
from voicesim.call.worker_pool import worker
from voicesim.errors import UsageError


def test_a_killed_worker_fails_its_own_work_and_the_next_gets_a_fresh_one() -> None:
    with worker() as pool:
        first = pool.submit(os.getpid).result()
        asleep = pool.submit(time.sleep, 60)
        os.kill(first, signal.SIGKILL)
        with pytest.raises(BrokenProcessPool):
            asleep.result(timeout=20)
        second = pool.submit(os.getpid).result(timeout=60)
    assert second != first
    assert not alive(second)


def test_a_worker_that_dies_idle_is_replaced_without_a_word() -> None:
    with worker() as pool:
        first = pool.submit(os.getpid).result()
        os.kill(first, signal.SIGKILL)
        assert gone_within(first, 10)
        time.sleep(0.2)  # the pool's own thread has to notice
        assert pool.submit(abs, -3).result(timeout=60) == 3


def test_a_busy_worker_does_not_hold_up_the_end() -> None:
    with worker() as pool:
        process = pool.submit(os.getpid).result()
        pool.submit(time.sleep, 60)
        begun = time.monotonic()
    assert time.monotonic() - begun < 10
    assert gone_within(process, 1)


def test_the_pool_serves_an_event_loop() -> None:
    async def work() -> int:
        with worker() as pool:
            return await asyncio.get_running_loop().run_in_executor(pool, abs, -5)

    assert asyncio.run(work()) == 5


PARENT = """
import os, time
from voicesim.call.worker_pool import worker
with worker() as pool:
    print(pool.submit(os.getpid).result(), flush=True)
    pool.submit({work})
    time.sleep(60)
"""


@pytest.mark.parametrize("work", ["abs, -1", "time.sleep, 60"])
def test_a_worker_ends_when_voicesim_is_killed(work: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT.format(work=work)], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        process = int(parent.stdout.readline())
        assert alive(process)
        parent.kill()
    assert gone_within(process, 5)


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), FileNotFoundError(2, "No such file")])
def test_a_full_or_missing_dev_shm_is_named(monkeypatch: pytest.MonkeyPatch, error: OSError) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise error

    monkeypatch.setattr(worker_pool, "ProcessPoolExecutor", refuse)
    with pytest.raises(UsageError, match="/dev/shm is full, missing or closed to voicesim"), worker():
        pass
