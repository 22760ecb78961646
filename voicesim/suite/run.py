"""Calls one after the other: each agent, each repeat, from the ring to the scorecard."""

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from voicesim.call.assembly import Order, dial
from voicesim.call.virtual import run_virtual
from voicesim.call.worker_process import worker
from voicesim.catalog.resolve import ChosenAgent
from voicesim.errors import UsageError
from voicesim.judge.run import Panel
from voicesim.recording.events import Event
from voicesim.suite.after import Result, Steps
from voicesim.suite.reaching import reach
from voicesim.suite.stopping import run_until_stopped
from voicesim.transports.base import Transport
from voicesim.transports.sink import Sink, WithSink, listening
from voicesim.transports.spec import transport_spec


@dataclass(frozen=True)
class Plan:
    """A suite as asked for. `order` is the call to repeat; its agent, seed and folder are set for each call.

    With a `sink_port` (0: any free one), agents can report their tools by POST.
    """

    order: Order
    agents: tuple[ChosenAgent, ...]
    out: Path
    repeats: int = 1
    panel: Panel = field(default_factory=Panel)
    sink_port: int | None = None


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
        """A call is done, and its scorecard written."""
        ...


async def run(plan: Plan, watcher: Watcher) -> AsyncIterator[Result]:
    """Make all calls of a plan and yield each one's result when its scorecard is written.

    Raises what `dial` and `reach` raise; the calls made until then stay on disk.
    """
    total = len(plan.agents) * plan.repeats
    number = 0
    steps = Steps(plan.order.whisper, plan.panel)
    suite_folder = plan.out / plan.order.suite
    with worker() as pool:
        async with _sink(plan, watcher) as sunk:
            for agent in plan.agents:
                watcher.agent_starts(agent.label)
                log = suite_folder / f"{_slug(agent.label)}.log"
                async with reach(agent, log, plan.order.case) as new_line:
                    for repeat in range(plan.repeats):
                        number += 1
                        order = _numbered(plan, agent, repeat, suite_folder)
                        watcher.call_starts(order, number, total)
                        await dial(order, sunk(new_line()), pool, watcher.event)
                        result = steps.finish(order.folder, watcher.step)
                        watcher.finished(result)
                        yield result


def runner(plan: Plan) -> Callable[[Coroutine[Any, Any, None]], None]:
    """What runs a plan's coroutine: real time, or virtual time for agents without a wire.

    Raises UsageError for an agent that cannot leave real time.
    """
    if plan.order.clock == "live":
        return run_until_stopped
    bound = [agent.label for agent in plan.agents if not transport_spec(agent.name.transport).in_process]
    if bound:
        raise UsageError(
            f"{bound[0]} runs in real time; --clock virtual is for agents of the form python:module:factory"
        )
    return run_virtual


@asynccontextmanager
async def _sink(plan: Plan, watcher: Watcher) -> AsyncIterator[Callable[[Transport], Transport]]:
    """Gives what puts a line before the sink, if the plan has one."""
    if plan.sink_port is None:
        yield lambda line: line
        return
    sink = Sink()
    async with listening(sink, plan.sink_port) as url:
        watcher.sink_listens(url)
        yield lambda line: WithSink(line, sink)


def _numbered(plan: Plan, agent: ChosenAgent, repeat: int, suite_folder: Path) -> Order:
    order = plan.order
    name = "_".join([order.case.id, _slug(agent.label), order.profile.id, f"{repeat + 1:02d}"])
    seed, folder = order.seed + repeat, suite_folder / name
    return replace(order, agent=agent.label, settings=agent.settings, seed=seed, folder=folder)


def suite_name(case: str, now: datetime) -> str:
    """The default name of a suite: when it was started, and with which case."""
    return f"{now:%Y%m%d-%H%M%S}-{case}"


def _slug(text: str) -> str:
    """An agent string as part of a file name."""
    return "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in text).strip("-.")
