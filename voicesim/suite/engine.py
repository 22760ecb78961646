"""Where calls are made: an engine is given the calls of a plan one by one; the local one uses this machine."""

import asyncio
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Protocol

from voicesim.call.assembly import Order
from voicesim.call.worker_pool import WorkerPool, worker
from voicesim.errors import HarnessError
from voicesim.judge.judges import Panel
from voicesim.suite.after import Result
from voicesim.suite.plan import Plan
from voicesim.suite.worker import Job, Made, finish, make


class Site(Protocol):
    """An engine that is ready for calls."""

    async def make(self, line: int, job: Job) -> Made:
        """Make a call on one of the lines, whose recording is in the order's folder then.

        Raises HarnessError when whatever made it has died.
        """
        ...

    async def finish(self, order: Order, panel: Panel, live: bool) -> Result:
        """All that follows a call; raises HarnessError as `make`. It gives way to calls that are `live`."""
        ...

    def interrupt(self) -> None:
        """Let every call hang up, and keep its recording."""
        ...


class Engine(Protocol):
    """What makes many calls. `agents_beside`: an agent that voicesim starts has to run where its calls are made."""

    agents_beside: bool

    def width(self, plan: Plan) -> int:
        """How many calls are made at once to begin with. Raises UsageError for a plan that cannot be made there."""
        ...

    def fetch(self, folder: Path) -> None:
        """Bring the folder of a suite up to date with what was made before."""
        ...

    def opened(self, plan: Plan, lines: int) -> AbstractContextManager[Site]:
        """Be ready for so many calls at once."""
        ...

    def publish(self, folder: Path) -> None:
        """Put the files about a suite where its recordings are."""
        ...


class Local:
    """This machine: each line in a process of its own, and one for what follows the calls."""

    agents_beside = False

    def width(self, plan: Plan) -> int:
        """As many as this machine has room for."""
        return plan.width()

    def fetch(self, folder: Path) -> None:
        """Everything is here."""

    def publish(self, folder: Path) -> None:
        """Everything is here."""

    @contextmanager
    def opened(self, plan: Plan, lines: int) -> Iterator[Site]:
        """See Engine."""
        with ExitStack() as stack:
            yield _Processes(stack.enter_context(worker()), [stack.enter_context(worker()) for _ in range(lines)])


class _Processes:
    """Processes of this machine."""

    def __init__(self, finisher: WorkerPool, lines: list[WorkerPool]) -> None:
        self._finisher, self._lines = finisher, lines

    async def make(self, line: int, job: Job) -> Made:
        """See Site."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._lines[line], make, job)
        except BrokenProcessPool:
            raise HarnessError("the process that made it has died") from None

    async def finish(self, order: Order, panel: Panel, live: bool) -> Result:
        """See Site."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._finisher, finish, order, panel, live)
        except BrokenProcessPool:
            raise HarnessError("its process has died") from None

    def interrupt(self) -> None:
        """See Site."""
        for pool in self._lines:
            pool.interrupt()
