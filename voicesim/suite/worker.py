"""What the processes of a suite do: one call from the ring to its end, and all that follows it."""

import os
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache

from voicesim.call.assembly import Order, dial
from voicesim.call.real import run_real
from voicesim.call.virtual import run_virtual
from voicesim.call.worker_pool import Processes, worker_processes
from voicesim.catalog.resolve import ChosenAgent
from voicesim.errors import CatalogueError, UsageError, VoicesimError
from voicesim.judge.judges import Panel
from voicesim.suite.after import Result, Steps
from voicesim.suite.reaching import served, transport_to
from voicesim.suite.stopping import run_until_stopped

GIVES_WAY = 10
"""Niceness of what follows a call, so that it never keeps a call from its next tick."""


@dataclass(frozen=True)
class Job:
    """A call to make. `target` is where its agent is; None when it is to be started for this call alone."""

    order: Order
    agent: ChosenAgent
    target: str | None


@dataclass(frozen=True)
class Made:
    """How making a call ended: without a problem, stopped by a signal, or with what went wrong in words.

    With `usage`, what is wrong would be wrong in every call.
    """

    problem: str = ""
    usage: bool = False
    stopped: bool = False


def make(job: Job) -> Made:
    """Make one call, on the main thread of a process of its own; a signal hangs up and keeps the recording."""
    run = run_virtual if job.order.clock == "virtual" else run_real
    try:
        run_until_stopped(_call(job), run)
    except KeyboardInterrupt:
        return Made(stopped=True)
    except VoicesimError as error:
        return Made(str(error), usage=isinstance(error, UsageError | CatalogueError))
    except Exception as error:  # noqa: BLE001 - whatever it was costs this call, not the suite
        return Made(f"{type(error).__name__}: {error}")
    return Made()


async def _call(job: Job) -> None:
    _, processes = _processes()
    if job.target is not None:
        await dial(job.order, transport_to(job.agent, job.order.case, job.target), processes, lambda event: None)
        return
    async with served(job.agent, None, job.order.case) as target:
        await dial(job.order, transport_to(job.agent, job.order.case, target), processes, lambda event: None)


def finish(order: Order, panel: Panel, live: bool) -> Result:
    """All that follows a call. While others are `live`, this process gives way to them."""
    if live and os.nice(0) < GIVES_WAY:
        os.nice(GIVES_WAY)
    return _steps(order.whisper, panel).finish(order, lambda step: None)


@lru_cache(maxsize=1)
def _processes() -> tuple[ExitStack, Processes]:
    """The ear and the voice of this process, kept from call to call; they end with it."""
    stack = ExitStack()
    return stack, stack.enter_context(worker_processes())


@lru_cache(maxsize=1)
def _steps(whisper: str, panel: Panel) -> Steps:
    return Steps(whisper, panel)
