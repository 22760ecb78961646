"""Calls one after the other: each agent, each repeat, from the ring to the scorecard."""

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from voicesim.call.assembly import Order, dial
from voicesim.call.virtual import run_virtual
from voicesim.call.worker_pool import worker
from voicesim.catalog.model import Case
from voicesim.catalog.resolve import ChosenAgent
from voicesim.catalog.tags import Tag
from voicesim.errors import UsageError
from voicesim.judge.run import Panel
from voicesim.recording.events import Event
from voicesim.suite.after import Result, Steps
from voicesim.suite.reaching import reach
from voicesim.suite.reference import fitted
from voicesim.suite.stopping import run_until_stopped
from voicesim.transports.base import Transport
from voicesim.transports.sink import Sink, WithSink, listening
from voicesim.transports.spec import transport_spec


@dataclass(frozen=True)
class Plan:
    """A suite as asked for: every order to every agent, `repeats` times over.

    Agent, seed and folder of an order are set for each call. `brain` and `fault` are for reference agents. With a
    `sink_port` (0: any free one), agents can report their tools by POST.
    """

    orders: tuple[Order, ...]
    agents: tuple[ChosenAgent, ...]
    out: Path
    repeats: int = 1
    panel: Panel = field(default_factory=Panel)
    brain: str | None = None
    fault: Tag | None = None
    sink_port: int | None = None

    @property
    def total(self) -> int:
        """How many calls there will be."""
        return len(self.orders) * len(self.agents) * self.repeats

    def batches(self) -> list["Batch"]:
        """The calls by agent and case, so that a reference agent is started once for them.

        Raises UsageError for a brain or fault that an agent cannot have.
        """
        cases = {order.case.id: order.case for order in self.orders}
        return [
            Batch(
                fitted(agent, case, self.brain, self.fault),
                tuple(order for order in self.orders if order.case.id == name),
            )
            for agent in self.agents
            for name, case in cases.items()
        ]


@dataclass(frozen=True)
class Batch:
    """Calls of one case to one agent."""

    agent: ChosenAgent
    orders: tuple[Order, ...]

    @property
    def case(self) -> Case:
        """The case of all its calls."""
        return self.orders[0].case


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
    number = 0
    batches = plan.batches()
    whisper, suite = plan.orders[0].whisper, plan.orders[0].suite
    steps = Steps(whisper, plan.panel)
    suite_folder = plan.out / suite
    with worker() as pool:
        async with _sink(plan, watcher) as sunk:
            for batch in batches:
                watcher.agent_starts(batch.agent.label)
                log = suite_folder / f"{_slug(batch.agent.label)}.log"
                async with reach(batch.agent, log, batch.case) as new_transport:
                    for order in _numbered(plan, batch, suite_folder):
                        number += 1
                        watcher.call_starts(order, number, plan.total)
                        await dial(order, sunk(new_transport()), pool, watcher.event)
                        result = steps.finish(order.folder, watcher.step)
                        watcher.finished(result)
                        yield result


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


def _numbered(plan: Plan, batch: Batch, suite_folder: Path) -> Iterator[Order]:
    """The orders of a batch with agent, seed and folder, each repeat after the other."""
    several_personas = len({order.persona.id for order in plan.orders if order.case.id == batch.case.id}) > 1
    for order in batch.orders:
        for repeat in range(plan.repeats):
            parts = [order.case.id, _slug(batch.agent.label), order.profile.id]
            parts += [order.persona.id] if several_personas else []
            name = "_".join([*parts, f"{repeat + 1:02d}"])
            agent, seed, folder = batch.agent, order.seed + repeat, suite_folder / name
            yield replace(order, agent=agent.label, settings=agent.settings, seed=seed, folder=folder)


def suite_name(cases: Sequence[str], now: datetime) -> str:
    """The default name of a suite: when it was started, and with which case, or with how many."""
    what = cases[0] if len(cases) == 1 else f"{len(cases)}-cases"
    return f"{now:%Y%m%d-%H%M%S}-{what}"


def _slug(text: str) -> str:
    """An agent string as part of a file name."""
    return "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in text).strip("-.")
