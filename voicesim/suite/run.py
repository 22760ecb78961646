"""Many calls: those that are not there yet, one after the other or side by side, each with all that follows it."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

from voicesim.call.assembly import dial
from voicesim.call.real import run_real
from voicesim.call.virtual import run_virtual
from voicesim.call.worker_pool import Processes, worker_processes
from voicesim.errors import CatalogueError, TransportError, UsageError
from voicesim.suite.after import Result, Steps, kept
from voicesim.suite.book import Book, next_try
from voicesim.suite.engine import Engine, Local
from voicesim.suite.matrix import PlannedCall
from voicesim.suite.parallel import SideBySide
from voicesim.suite.plan import Batch, Plan, batches
from voicesim.suite.reaching import reach
from voicesim.suite.stopping import run_until_stopped
from voicesim.suite.watcher import Watcher
from voicesim.transports.base import Transport
from voicesim.transports.tool_report_server import ReportingTransport, ToolReportServer, serving


def run(plan: Plan, watcher: Watcher, engine: Engine | None = None) -> None:
    """Make all calls of a plan that are not there yet; `watcher` is given each one's result, those made before first.

    They are made on an `engine`; without, on this machine: one by one in this process where only one fits.

    What goes wrong in one call is told by its result, and the others are made. Raises UsageError and CatalogueError
    for what shows in the very first call, since it would be wrong in all, and KeyboardInterrupt when it was stopped;
    the calls made until then stay on disk, and the same plan goes on where it ended.
    """
    plan.check()
    if engine is not None:
        engine.width(plan)
        engine.fetch(plan.folder)
    book = Book(plan)
    with book.opened():
        todo, done = book.sorted_out()
        if done:
            watcher.made_before(len(done))
        if engine is not None or (plan.width() > 1 and len(todo) > 1):
            # Only the workers' loops keep time; this one waits for them.
            try:
                run_until_stopped(SideBySide(plan, watcher, book, engine or Local()).run(todo, done))
            finally:
                if engine is not None:
                    engine.publish(plan.folder)
            return
        sequence = _Sequence(plan, watcher, book, len(todo))
        run_until_stopped(sequence.run(todo, done), run_virtual if plan.virtual else run_real)


class _Sequence:
    """Makes one call after the other in this process; a failure stays with its call."""

    def __init__(self, plan: Plan, watcher: Watcher, book: Book, total: int) -> None:
        self._plan, self._watcher, self._book, self._total = plan, watcher, book, total
        self._steps = Steps(plan.calls[0].order.whisper, plan.panel)
        self._number = 0

    async def run(self, todo: list[PlannedCall], done: list[PlannedCall]) -> None:
        """Finish what was recorded before, and make what is to be made."""
        for call in done:
            if self._book.is_finished(call):
                self._watcher.finished(call, kept(call.order.folder, self._book.judge))
            else:
                self._watcher.finished(call, self._steps.finish(call.order, self._watcher.step))
        if not todo:
            return
        with worker_processes() as processes:
            async with _reporting(self._plan, self._watcher) as reporting:
                for batch in batches(todo):
                    self._watcher.agent_starts(batch.agent.label)
                    await self._batch(batch, reporting, processes)

    async def _batch(self, batch: Batch, reporting: Callable[[Transport], Transport], processes: Processes) -> None:
        left = list(batch.calls)
        try:
            async with reach(batch.agent, self._plan.log(batch.agent), batch.case) as new_transport:
                while left:
                    await self._valid(left.pop(0), lambda: reporting(new_transport()), processes)
        except TransportError as error:  # an agent that had to be started, and did not
            for call in left:
                self._starts(call)
                self._watcher.finished(call, self._book.failed(call, "reaching the agent", error))

    async def _valid(self, call: PlannedCall, new_transport: Callable[[], Transport], processes: Processes) -> None:
        """One call; an invalid one is made again as often as planned, each in a folder of its own. The last counts."""
        self._starts(call)
        result = await self._make(call, new_transport, processes)
        for _ in range(self._plan.rerun_invalid):
            if result.summary["valid"]:
                break
            call = replace(call, order=replace(call.order, folder=next_try(call.order.folder)))
            result = await self._make(call, new_transport, processes)
        self._watcher.finished(call, result)

    async def _make(self, call: PlannedCall, new_transport: Callable[[], Transport], processes: Processes) -> Result:
        """One call and the steps after it. Raises UsageError and CatalogueError in the first one."""
        try:
            await dial(call.order, new_transport(), processes, self._watcher.event)
        except Exception as error:
            if self._number == 1 and isinstance(error, UsageError | CatalogueError):
                raise
            return self._book.failed(call, "the call", error)
        self._book.found(call)
        return self._steps.finish(call.order, self._watcher.step)

    def _starts(self, call: PlannedCall) -> None:
        self._number += 1
        self._watcher.call_starts(call, self._number, self._total)


@asynccontextmanager
async def _reporting(plan: Plan, watcher: Watcher) -> AsyncIterator[Callable[[Transport], Transport]]:
    """Gives what lets an agent report its tools beside its transport, if the plan has a port for it."""
    if plan.tool_report_port is None:
        yield lambda transport: transport
        return
    server = ToolReportServer()
    async with serving(server, plan.tool_report_port) as url:
        watcher.tool_reports_at(url)
        yield lambda transport: ReportingTransport(transport, server)
