"""What a machine of a cluster does: a call, or what follows it, in processes of its own, and the way to the store.

A task of the cluster only waits for them. So a call that takes its process with it, or is to hang up, does so as on
one machine.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import ParamSpec, TypeVar

from voicesim import __version__
from voicesim.call.assembly import Order
from voicesim.call.worker_pool import WorkerPool
from voicesim.errors import UsageError
from voicesim.judge.judges import Panel
from voicesim.recording import files
from voicesim.results.model import SUITE
from voicesim.scratch import scratch_folder
from voicesim.suite.after import Result
from voicesim.suite.store import Store
from voicesim.suite.worker import Job, Made, finish, make

HANG_UP = 15.0
"""Seconds that a call has to hang up and become whole when it is stopped."""
_LISTENS = 0.2
"""Seconds after which a task that waits hears that it is to stop."""

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Terms:
    """What a machine has to know beside the call: the store, whether it is a folder that every machine should see,
    where the suite was started, and by which version of voicesim.
    """

    store: Store
    shared: bool
    folder: str
    voicesim: str


def make_there(job: Job, terms: Terms) -> Made:
    """Make one call and put its recording into the store, also when it was stopped, or went wrong, on the way."""
    if problem := _unlike(terms):
        return Made(problem, usage=True)
    with scratch_folder() as scratch:
        folder = scratch / job.order.folder.name
        try:
            made = _waited(
                _pools()[0], _below, terms.folder, make, replace(job, order=replace(job.order, folder=folder))
            )
        except BrokenProcessPool:
            return Made("the process that made it has died")
        try:
            if (folder / files.MANIFEST).is_file():
                terms.store.put(folder)
        except UsageError as error:
            return Made(str(error), usage=True)
        return made


def finish_there(order: Order, panel: Panel, live: bool, terms: Terms) -> Result:
    """All that follows a call whose recording is in the store; what is made of it goes there, too."""
    with scratch_folder() as scratch:
        folder = scratch / order.folder.name
        terms.store.get(folder.name, folder)
        result = _waited(_pools()[1], _below, terms.folder, finish, replace(order, folder=folder), panel, live)
        terms.store.put(folder, sound=False)
        return replace(
            result,
            folder=order.folder,
            scorecard=order.folder / result.scorecard.name if result.scorecard else None,
        )


def _unlike(terms: Terms) -> str:
    """Why no call can be made on this machine; "" where one can."""
    if terms.voicesim != __version__:
        return f"voicesim is {terms.voicesim} where the suite was started and {__version__} on {os.uname().nodename}"
    if terms.shared and not terms.store.holds(SUITE):
        return (
            f"{terms.store.url} is not the same folder on {os.uname().nodename}: put the recordings (--out) into a "
            "folder that all machines share, or name a --store that all of them reach"
        )
    return ""


def _waited(pool: WorkerPool, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """The result of some work in a process; a task that is to stop lets the work end well, and returns as ever."""
    future = pool.submit(work, *args, **kwargs)
    with _stopped_by(pool):
        while True:
            try:
                return future.result(timeout=_LISTENS)
            except TimeoutError:
                if future.done():
                    raise
    return future.result(timeout=HANG_UP)


@contextmanager
def _stopped_by(pool: WorkerPool) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:  # how a cluster tells a task that nobody wants it any more
        pool.interrupt()


def _below(folder: str, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Work in a process of this machine, in the folder where the suite was started, where there is such a folder."""
    if Path(folder).is_dir():
        os.chdir(folder)
    return work(*args, **kwargs)


@lru_cache(maxsize=1)
def _pools() -> tuple[WorkerPool, WorkerPool]:
    """The processes of this task's own: for calls, and for what follows them. They end with it."""
    return WorkerPool(), WorkerPool()
