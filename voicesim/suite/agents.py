"""Agents that voicesim starts for its calls: one for all calls of a case, whichever process makes them."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from voicesim.suite.matrix import PlannedCall
from voicesim.suite.plan import Plan
from voicesim.suite.reaching import served
from voicesim.suite.watcher import Watcher

_Key = tuple[str, str]


@dataclass
class _Agent:
    """A running agent: where it is once it is there, and how it is told to end."""

    target: "asyncio.Future[str]"
    over: asyncio.Event = field(default_factory=asyncio.Event)
    task: "asyncio.Task[None] | None" = None


class RunningAgents:
    """Starts an agent when its first call needs it, and ends it after its last one."""

    def __init__(self, plan: Plan, calls: Iterable[PlannedCall], watcher: Watcher) -> None:
        self._plan, self._watcher = plan, watcher
        self._left = Counter(_key(call) for call in calls)
        self._agents: dict[_Key, _Agent] = {}

    async def target(self, call: PlannedCall) -> str:
        """Where the agent of a call is. Raises TransportError, for every call of it, when it does not become ready."""
        key = _key(call)
        if key not in self._agents:
            agent = self._agents[key] = _Agent(asyncio.get_running_loop().create_future())
            self._watcher.agent_starts(call.agent.label)
            agent.task = asyncio.create_task(self._serve(call, agent))
        return await asyncio.shield(self._agents[key].target)

    async def over(self, call: PlannedCall) -> None:
        """A call will not be made again."""
        key = _key(call)
        self._left[key] -= 1
        if self._left[key] <= 0 and key in self._agents:
            await _end(self._agents.pop(key))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.gather(*(_end(agent) for agent in self._agents.values()))
        self._agents.clear()

    async def _serve(self, call: PlannedCall, agent: _Agent) -> None:
        try:
            async with served(call.agent, self._plan.log(call.agent), call.order.case) as target:
                agent.target.set_result(target)
                await agent.over.wait()
        except Exception as error:
            if agent.target.done():
                raise
            agent.target.set_exception(error)


async def _end(agent: _Agent) -> None:
    agent.over.set()
    if agent.task is not None:
        if not agent.target.done():
            agent.task.cancel()
        await asyncio.gather(agent.task, return_exceptions=True)
    if agent.target.done() and not agent.target.cancelled():
        agent.target.exception()


def _key(call: PlannedCall) -> _Key:
    return call.order.agent, call.order.case.id
