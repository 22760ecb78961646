"""The worker processes from outside: replaced when one dies, never left behind.

There are two: one understands, the other thinks and speaks, so that a reply in the making never keeps the ear from
the agent's next words.
"""

import asyncio
import multiprocessing
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.context import SpawnContext, SpawnProcess
from os import _exit as _end  # the real one: in a worker with an agent, that name may come to raise an exception
from typing import Any, ParamSpec, TypeVar

from voicesim.errors import UsageError

P = ParamSpec("P")
T = TypeVar("T")

LEAVES = 0.5
"""Seconds an idle worker gets to end by itself; one that works is ended at once."""


@dataclass(frozen=True)
class Processes:
    """Where the patient's slow work runs."""

    ear: Executor
    voice: Executor

    async def understand(self, work: Callable[P, T], *args: P.args, **_: P.kwargs) -> T:
        """Have something done in the ear's process."""
        return await asyncio.get_running_loop().run_in_executor(self.ear, work, *args)

    async def prepare(self, work: Callable[P, T], *args: P.args, **_: P.kwargs) -> T:
        """Have something done in the voice's process, where the mind thinks as well."""
        return await asyncio.get_running_loop().run_in_executor(self.voice, work, *args)


@contextmanager
def worker_processes() -> Iterator[Processes]:
    """Two worker processes, each started at first use; gone at the end, whatever they were doing.

    When one dies, what it was doing fails with BrokenProcessPool, and the next work starts a fresh one. Raises
    UsageError where the system has no room for them.
    """
    with worker() as ear, worker() as voice:
        yield Processes(ear, voice)


@contextmanager
def worker() -> "Iterator[WorkerPool]":
    """One worker process; see `worker_processes`."""
    pool = WorkerPool()
    try:
        yield pool
    finally:
        pool.shutdown()


class WorkerPool(Executor):
    """An executor of one process, which outlives the death of that process."""

    def __init__(self) -> None:
        self._start()

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        """As Executor.submit."""
        try:
            return self._pool.submit(work, *args, **kwargs)
        except BrokenProcessPool:
            self.shutdown()
            self._start()
            return self._pool.submit(work, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """End the worker, whatever it is doing."""
        self._pool.shutdown(wait=False, cancel_futures=cancel_futures)
        for process in self._context.started:
            process.join(LEAVES)
            process.kill()
        self._pool.shutdown(wait=wait)

    def interrupt(self) -> None:
        """Send SIGTERM to the worker, which may finish what it is doing."""
        for process in self._context.started:
            if process.is_alive():
                process.terminate()

    def _start(self) -> None:
        self._context = _Context()
        try:
            self._pool = ProcessPoolExecutor(max_workers=1, mp_context=self._context, initializer=_settle)
        except OSError as error:  # its queues need semaphores, which Linux keeps there
            raise UsageError(
                f"no worker process could be prepared: /dev/shm is full, missing or closed to voicesim ({error}). "
                "Containers are given more of it with --shm-size"
            ) from error


class _Process(SpawnProcess):
    """A process that does not run the caller's script again, so that a script needs no `__main__` guard."""

    @staticmethod
    def _Popen(process: Any) -> Any:  # noqa: N802 (multiprocessing's name)
        main = sys.modules["__main__"]
        spec, file = getattr(main, "__spec__", None), getattr(main, "__file__", None)
        main.__spec__ = main.__file__ = None
        try:
            return SpawnProcess._Popen(process)
        finally:
            main.__spec__, main.__file__ = spec, file


class _Context(SpawnContext):
    """Starts such processes, and remembers them."""

    def __init__(self) -> None:
        super().__init__()
        self.started: list[_Process] = []

    def Process(self, *args: Any, **kwargs: Any) -> _Process:  # type: ignore[override]  # noqa: N802
        process = _Process(*args, **kwargs)
        self.started.append(process)
        return process


def _settle() -> None:
    """A worker leaves Ctrl-C to the main process, and does not outlive it.

    It has the priority of everybody. One that gave way would give way to everything else on the machine too: beside
    two busy loops at nice 5, understanding a question takes twice as long, and the pacing thread gains nothing, since
    it goes first by itself (`priority.py`).
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        _end(1)
