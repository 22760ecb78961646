"""Calls side by side, on whatever engine; what follows them overlaps with the next ones."""

import asyncio
from collections import deque
from dataclasses import replace

from voicesim.errors import HarnessError, RecordingError, UsageError
from voicesim.recording import files
from voicesim.recording.manifest import Manifest
from voicesim.suite.after import kept
from voicesim.suite.agents import RunningAgents
from voicesim.suite.book import Book, next_try
from voicesim.suite.engine import Engine, Site
from voicesim.suite.matrix import PlannedCall
from voicesim.suite.pace import Pace
from voicesim.suite.plan import Plan
from voicesim.suite.watcher import Watcher
from voicesim.suite.worker import Job, Made

HANG_UP = 15.0
"""Seconds that calls have to hang up and become whole when the suite is stopped."""


class SideBySide:
    """Makes the calls of a plan, as many at once as come out in time; a crash costs its own call."""

    def __init__(self, plan: Plan, watcher: Watcher, book: Book, engine: Engine) -> None:
        self._plan, self._watcher, self._book, self._engine = plan, watcher, book, engine
        self._pace = Pace(engine.width(plan), plan.held)
        self._queue: deque[PlannedCall] = deque()
        self._tries: dict[str, int] = {}
        self._started = self._total = self._lines = self._busy = 0
        self._changed = asyncio.Condition()

    async def run(self, todo: list[PlannedCall], done: list[PlannedCall]) -> None:
        """Finish what was recorded before, and make what is to be made."""
        self._queue.extend(todo)
        self._total, self._lines = len(todo), min(self._pace.allowed, len(todo))
        with self._engine.opened(self._plan, self._lines) as site:
            async with RunningAgents(self._plan, todo, self._watcher) as agents:
                following = [asyncio.create_task(self._made_before(call, site)) for call in done]
                making = [
                    asyncio.create_task(self._line(number, agents, site, following)) for number in range(self._lines)
                ]
                try:
                    # Shielded: whoever stops the suite stops the waiting, not the calls, which hang up first.
                    await asyncio.gather(*map(asyncio.shield, making))
                    await asyncio.gather(*following)
                except BaseException:
                    await self._hang_up(site, making, following)
                    raise

    async def _line(self, line: int, agents: RunningAgents, site: Site, following: "list[asyncio.Task[None]]") -> None:
        """One call after the other, until there are none left or fewer lines are allowed."""
        while (call := await self._next()) is not None:
            beside, self._busy = self._pace.allowed, self._busy + 1
            try:
                made = await self._make(call, line, agents, site)
                again = self._ended(call, made, beside)
                if again is not None:
                    self._queue.appendleft(again)
                    continue
                await agents.over(call)
                if not made.problem:
                    following.append(asyncio.create_task(self._finish(call, site)))
            finally:
                self._busy -= 1
                async with self._changed:
                    self._changed.notify_all()

    async def _next(self) -> PlannedCall | None:
        """The next call to make; None when this line is not needed any more."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._queue or not self._busy or self._lines > self._pace.allowed)
            if not self._queue or self._lines > self._pace.allowed:
                self._lines -= 1
                return None
            return self._queue.popleft()

    async def _make(self, call: PlannedCall, line: int, agents: RunningAgents, site: Site) -> Made:
        self._started += call.key not in self._tries
        self._watcher.call_starts(call, self._started, self._total)
        try:
            target = None if self._engine.agents_beside else await agents.target(call)
        except Exception as error:  # noqa: BLE001 - told as the result of the call; the others are made
            return self._lost(call, "reaching the agent", error)
        try:
            made = await site.make(line, Job(call.order, call.agent, target))
        except HarnessError as error:
            return self._lost(call, "the call", error)
        if made.stopped:
            raise asyncio.CancelledError
        if made.usage and self._started == 1:
            raise UsageError(made.problem)
        return self._lost(call, "the call", HarnessError(made.problem)) if made.problem else made

    def _lost(self, call: PlannedCall, step: str, error: Exception) -> Made:
        """A call that failed: its result is told, unless it is made again."""
        result = self._book.failed(call, step, error)
        if self._tries.get(call.key, 0) >= self._plan.rerun_invalid:
            self._watcher.finished(call, result)
        return Made(result.summary["gate_reason"])

    def _ended(self, call: PlannedCall, made: Made, beside: int) -> PlannedCall | None:
        """The call once more if it was invalid and has a try left, or was late only for what was beside it."""
        self._watcher.call_ended(call)
        manifest = _manifest(call)
        allowed = self._pace.allowed
        late = manifest is not None and self._pace.ended(manifest, beside)
        if self._pace.allowed < allowed:
            self._watcher.at_once(self._pace.allowed)
        if not made.problem:
            self._book.found(call)
        spoiled = bool(made.problem) or (manifest is not None and not (manifest.validity and manifest.validity.valid))
        tries = self._tries.setdefault(call.key, 0)
        if not late and not (spoiled and tries < self._plan.rerun_invalid):
            return None
        self._tries[call.key] += not late
        folder = next_try(call.order.folder) if manifest else call.order.folder
        return replace(call, order=replace(call.order, folder=folder))

    async def _finish(self, call: PlannedCall, site: Site) -> None:
        """All that follows a call."""
        try:
            result = await site.finish(call.order, self._plan.panel, not self._plan.virtual)
        except HarnessError as error:
            result = self._book.failed(call, "what follows the call", error)
        self._watcher.finished(call, result)

    async def _made_before(self, call: PlannedCall, site: Site) -> None:
        if self._book.is_finished(call):
            self._watcher.finished(call, kept(call.order.folder, self._book.judge))
        else:
            await self._finish(call, site)

    async def _hang_up(self, site: Site, *tasks: "list[asyncio.Task[None]]") -> None:
        """Let every call hang up and become whole; what follows calls is ended, and can be made again."""
        site.interrupt()
        making, following = tasks
        for task in following:
            task.cancel()
        await asyncio.wait(making, timeout=HANG_UP)
        for task in making:
            task.cancel()
        await asyncio.gather(*making, *following, return_exceptions=True)


def _manifest(call: PlannedCall) -> Manifest | None:
    """What the call's recording says of itself; None when there is none that can be read."""
    try:
        return files.load(call.order.folder, files.MANIFEST, Manifest)
    except RecordingError:
        return None
