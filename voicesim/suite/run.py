"""Calls one after the other: each agent, each repeat, from the ring to the scorecard."""

import os
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from voicesim.call.assembly import Order, dial
from voicesim.call.virtual import run_virtual
from voicesim.call.worker_pool import Processes, worker_processes
from voicesim.errors import CatalogueError, TransportError, UsageError
from voicesim.recording.events import Event
from voicesim.suite.after import Result, Steps, unfinished
from voicesim.suite.plan import Plan
from voicesim.suite.reaching import reach
from voicesim.suite.stopping import run_until_stopped
from voicesim.transports.base import Transport
from voicesim.transports.spec import transport_spec
from voicesim.transports.tool_report_server import ReportingTransport, ToolReportServer, serving


class Watcher(Protocol):
    """Whoever follows the suite: the terminal, or nobody."""

    def agent_starts(self, agent: str) -> None:
        """A reference agent is being started, or an agent about to be reached."""
        ...

    def sink_listens(self, url: str) -> None:
        """Agents can POST tool reports to this URL until the suite ends."""
        ...

    def call_starts(self, order: Order, number: int, total: int) -> None: ...

    def event(self, event: Event) -> None:
        """Something happened in the call."""
        ...

    def step(self, name: str) -> None:
        """A step after the call begins."""
        ...

    def finished(self, result: Result) -> None:
        """A call is done: its scorecard is written, or the result says why there is none."""
        ...


async def run(plan: Plan, watcher: Watcher) -> AsyncIterator[Result]:
    """Make all calls of a plan and yield each one's result when its scorecard is written, or cannot be.

    What goes wrong in one call is told by its result, and the others are made. Raises UsageError and CatalogueError
    for what shows in the very first call, since it would be wrong in all; the calls made until then stay on disk.
    """
    steps = Steps(plan.orders[0].whisper, plan.panel)
    with _made(plan.folder), worker_processes() as processes:
        async with _sink(plan, watcher) as sunk:
            calls = _Calls(plan.total, watcher, steps, processes, sunk)
            for batch in plan.batches():
                watcher.agent_starts(batch.agent.label)
                left = list(plan.calls(batch))
                try:
                    async with reach(batch.agent, plan.log(batch), batch.case) as new_transport:
                        while left:
                            yield await calls.valid(left.pop(0), new_transport, plan.rerun_invalid)
                except TransportError as error:  # an agent that had to be started, and did not
                    for order in left:
                        yield calls.given_up(order, error)


class _Calls:
    """Makes one call after the other; a failure stays with its call."""

    def __init__(
        self, total: int, watcher: Watcher, steps: Steps, processes: Processes, sunk: Callable[[Transport], Transport]
    ) -> None:
        self._total, self._watcher, self._steps, self._processes, self._sunk = total, watcher, steps, processes, sunk
        self._number = 0

    async def valid(self, order: Order, new_transport: Callable[[], Transport], reruns: int) -> Result:
        """One call; an invalid one is made again up to `reruns` times, each in a folder of its own. The last counts."""
        result = await self.make(order, new_transport)
        for again in range(reruns):
            if result.summary["valid"]:
                break
            self._number -= 1
            folder = order.folder.with_name(f"{order.folder.name}-try{again + 2}")
            result = await self.make(replace(order, folder=folder), new_transport)
        return result

    async def make(self, order: Order, new_transport: Callable[[], Transport]) -> Result:
        """One call and the steps after it. Raises UsageError and CatalogueError in the first one."""
        self._starts(order)
        try:
            await dial(order, self._sunk(new_transport()), self._processes, self._watcher.event)
        except Exception as error:
            if self._number == 1 and isinstance(error, UsageError | CatalogueError):
                raise
            return self._finished(unfinished(order, "the call", error))
        return self._finished(self._steps.finish(order, self._watcher.step))

    def given_up(self, order: Order, error: Exception) -> Result:
        """A call that could not be made at all."""
        self._starts(order)
        return self._finished(unfinished(order, "reaching the agent", error))

    def _starts(self, order: Order) -> None:
        self._number += 1
        self._watcher.call_starts(order, self._number, self._total)

    def _finished(self, result: Result) -> Result:
        self._watcher.finished(result)
        return result


def runner(plan: Plan) -> Callable[[Coroutine[Any, Any, None]], None]:
    """What runs a plan's coroutine: real time, or virtual time for agents without a wire.

    Raises UsageError for an agent that cannot leave real time.
    """
    if plan.orders[0].clock == "live":
        return run_until_stopped
    bound = [agent.label for agent in plan.agents if not transport_spec(agent.name.transport).in_process]
    if bound:
        raise UsageError(
            f"{bound[0]} runs in real time; --clock virtual is for agents of the form python:module:factory"
        )
    return partial(run_until_stopped, run=run_virtual)


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    """The folder of a suite, made before any agent is reached; it is gone again when nothing was put into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: recordings cannot be put there: {error.strerror or error}") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"{folder}: recordings cannot be put there: it may not be written")
    try:
        yield
    finally:
        with suppress(OSError):
            folder.rmdir()


@asynccontextmanager
async def _sink(plan: Plan, watcher: Watcher) -> AsyncIterator[Callable[[Transport], Transport]]:
    """Gives what lets a transport's agent report its tools, if the plan has a server for that."""
    if plan.sink_port is None:
        yield lambda transport: transport
        return
    server = ToolReportServer()
    async with serving(server, plan.sink_port) as url:
        watcher.sink_listens(url)
        yield lambda transport: ReportingTransport(transport, server)
