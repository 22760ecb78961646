"""An agent in the same process: an object that takes and gives 20 ms of sound. The only transport without a network."""

import asyncio
import importlib
import os
import sys
import threading
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Literal, NoReturn, Protocol, runtime_checkable

import numpy as np

from voicesim.audio.samples import RATE, TICK, TICK_SECONDS, Pcm
from voicesim.errors import Stopped, TransportError, UsageError, near
from voicesim.transports.base import ConnectionStats
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.hung import HungError, Watch
from voicesim.transports.spec import TransportSpec

START_LIMIT = 60.0
"""Seconds an agent's start() may take, as long as a reference agent that loads its models."""
STOP_LIMIT = 4.0
"""Seconds its stop() may take; hanging up as a whole has five."""


@runtime_checkable
class InProcessAgent(Protocol):
    """What `python:module:factory` returns. It may also have `async def start()` and `async def stop()`."""

    def tick(self, caller: Pcm) -> Pcm | None:
        """Take 480 samples (int16, 24,000 Hz) of the caller and give those the agent says meanwhile.

        None hangs up.
        """
        ...


class InProcess:
    """Feeds an agent object tick by tick; what it returns is heard in the very tick it was asked in."""

    receive_delay = 0.0

    def __init__(self, agent: InProcessAgent, name: str = "python") -> None:
        self.name = name
        self._agent = agent
        self._inbox: BoundedInbox | None = None
        self._ticks = 0
        self._watch = Watch()

    async def open(self, inbox: BoundedInbox) -> None:
        await self._let("start", START_LIMIT)
        self._inbox = inbox
        self._watch.start()

    def send(self, pcm: Pcm) -> None:
        if self._inbox is None:
            return
        try:
            with self._inbox.work.measured(), self._watch.limited():
                answer = self._agent.tick(pcm)
        except Stopped:
            raise
        except HungError as error:
            self._end("line", f"the agent's tick() hangs: {error}")
            return
        except BaseException as error:  # noqa: BLE001 - their code, SystemExit too: an agent that crashed, as any other
            self._end("line", f"the agent's tick() failed: {_where(error)}")
            return
        if answer is None:
            self._end("agent", "the agent hung up")
        elif not isinstance(answer, np.ndarray):
            self._end("line", f"the agent's tick() gave a {type(answer).__name__}, not int16 ({TICK},)")
        elif answer.dtype != np.int16 or answer.shape != (TICK,):
            self._end("line", f"the agent's tick() gave {answer.dtype} {answer.shape}, not int16 ({TICK},)")
        else:
            self._inbox.audio(answer, media=self._ticks * TICK_SECONDS)
            self._ticks += 1

    def _end(self, by: Literal["agent", "line"], detail: str) -> None:
        if self._inbox is not None:
            self._inbox.ended(by, detail)
            self._inbox = None

    async def stats(self) -> ConnectionStats:
        """There is no wire."""
        return ConnectionStats(codec="none (in process)", wire_rate=RATE)

    async def close(self) -> None:
        """Raises TransportError when the agent's stop() fails or does not end."""
        self._inbox = None
        self._watch.stop()
        await self._let("stop", STOP_LIMIT)

    async def _let(self, name: str, limit: float) -> None:
        """Run the agent's own start() or stop(), if it has one. Raises TransportError when it fails or does not end."""
        method = getattr(self._agent, name, None)
        if method is None:
            return
        task = asyncio.get_running_loop().create_task(_outcome(method))
        if not await _ended(task, limit):
            raise TransportError(f"{self.name}: {name}() was not over after {limit:g} s")
        if (error := task.result()) is not None:
            raise TransportError(f"{self.name}: {name}() failed: {_where(error)}") from error


async def _outcome(method: Callable[[], Awaitable[None]]) -> BaseException | None:
    """What an agent's method raises; SystemExit in a task would end the loop, and with it the whole process."""
    try:
        await method()
    except Stopped:
        raise
    except BaseException as error:  # noqa: BLE001
        return error
    return None


async def _ended(task: "asyncio.Task[BaseException | None]", limit: float) -> bool:
    """Wait for a task, `limit` seconds of real time at most: what it waits for is real on a virtual clock too."""
    loop = asyncio.get_running_loop()
    waiting = loop.create_task(asyncio.wait({task}))
    timer = threading.Timer(limit, loop.call_soon_threadsafe, (waiting.cancel,))
    timer.daemon = True
    timer.start()
    try:
        await asyncio.wait({waiting})
        return task.done()
    finally:
        timer.cancel()
        if not task.done():
            task.cancel()
            waiting.cancel()


def load_agent(spec: str) -> InProcess:
    """The transport for `module:factory`; the factory is called without arguments.

    The module is looked for in the working directory too. Raises UsageError when the module, the factory or
    its `tick` is missing or fails.
    """
    module_name, _, factory_name = spec.partition(":")
    if not module_name or not factory_name:
        raise UsageError(f"python:{spec} is not of the form python:module:factory")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    catch_exits()
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise UsageError(f"python:{spec}: the module cannot be imported: {error}") from error
    except Stopped:
        raise
    except BaseException as error:  # their code may raise SystemExit, too
        raise UsageError(f"python:{spec}: the module cannot be imported: {_where(error)}") from error
    factory: Callable[[], InProcessAgent] | None = getattr(module, factory_name, None)
    if not callable(factory):
        known = [name for name in vars(module) if not name.startswith("_")]
        raise UsageError(f"python:{spec}: {module_name} has no {factory_name}().{near(factory_name, known)}")
    try:
        agent = factory()
    except Stopped:
        raise
    except BaseException as error:
        raise UsageError(f"python:{spec}: {factory_name}() failed: {_where(error)}") from error
    if not callable(getattr(agent, "tick", None)):
        raise UsageError(f"python:{spec}: what {factory_name}() returns has no tick(caller)")
    return InProcess(agent, f"python:{spec}")


def catch_exits() -> None:
    """From now on os._exit raises SystemExit in this process; in processes that are forked from it, it ends them.

    Called before an agent's module is imported, so that no name in it stands for the real one.
    """
    if isinstance(os._exit, _Exit):
        return
    os._exit = _Exit()


class _Exit:
    """Stands in the place of os._exit."""

    def __init__(self) -> None:
        self._real, self._process = os._exit, os.getpid()

    def __call__(self, status: int) -> NoReturn:
        if os.getpid() != self._process:
            self._real(status)
        raise SystemExit(status)


def _where(error: BaseException) -> str:
    """An error of an agent's own code, with the place it comes from."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"


SPEC = TransportSpec(make=lambda destination: load_agent(destination.target), in_process=True, settings=frozenset())
